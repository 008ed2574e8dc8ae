"""Ghosts: cards removed by the rules but still on the table. They do not count as seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from math import dist

from companion.engine import Layout
from companion.messages import Sighted, Sighting

SAME_SPOT = 15.0
"""A card within this many millimetres of its former position has not been moved."""
MOST_NEW = 3
"""If there are more ghosts than cards in a market, assume that none is new: each combination costs a search."""


def find_ghosts(was: Layout | None, said: Layout, seen: Layout, sightings: Collection[Sighting]) -> list[Sighting]:
    """Return the seen cards that the rules no longer expect.

    `was` and `said` are the rules' layouts before and after an event; `was` is None for a new match. `sightings` are
    all cards seen except earlier ghosts; `seen` is their layout, with cards that returned since `was`.
    """
    shown, where = said.aligned(seen)
    absent: Counter[str] = Counter()
    for name in said.spots.keys() & shown.spots.keys():
        absent += Counter(said.spots[name].up) - Counter(shown.spots[name].up)
    gone: list[Sighting] = []
    for name in (name for name in said.spots if name in shown.spots and name not in said.strict):
        extra, lingering = Counter(shown.spots[name].up) - Counter(said.spots[name].up), said.lingering.get(name, ())
        if was is not None:
            extra &= Counter(was.spot(name).up) + Counter(lingering)
        for card, count in extra.items():
            # Removed by the rules, or taken on a tablet but not moved yet, and not replaced by an equal card.
            if was is not None and card not in lingering:
                again = seen.returned.get(name, ()).count(card)
                count = min(count, absent[card] + _total(was, card) - _total(said, card)) - again
            fits = [each for each in sightings if each.card == card and each.place == where[name]]
            gone += fits[: max(0, count)]
    return gone


def remaining_ghosts(ghosts: Sequence[Sighting], now: Sighted, before: Sighted | None = None) -> list[Sighting]:
    """Return the ghosts that are still there, with their new sightings: the same cards, not moved.

    If one of two equal cards has gone since `before`, it was the ghost.
    """
    left = list(now.sightings)
    gone = _count_by_place(before.sightings if before is not None else ()) - _count_by_place(left)
    found: list[Sighting] = []
    for ghost in ghosts:
        if gone[ghost.card, ghost.place] and ghost.place not in now.covered:
            gone[ghost.card, ghost.place] -= 1
            continue
        here = [each for each in left if each.card == ghost.card and each.place == ghost.place]
        again = next((each for each in here if _is_near(each, ghost)), None)
        if again is not None:
            left.remove(again)
        if again is not None or ghost.place in now.covered:
            found.append(again or ghost)
    return found


def unexpected_ghosts(ghosts: Iterable[Sighting], said: Layout, seen: Layout) -> list[Sighting]:
    """Return the ghosts except those that the rules now expect, since an equal card belongs in their place."""
    shown, where = said.aligned(seen)
    absent = {
        where.get(name, name): Counter(said.spot(name).up) - Counter(shown.spot(name).up)
        for name in said.differing(shown)
    }
    left: list[Sighting] = []
    for ghost in ghosts:
        missing = absent.get(ghost.place, Counter[str]())
        if ghost.card is not None and missing[ghost.card] > 0:
            missing[ghost.card] -= 1
        else:
            left.append(ghost)
    return left


def without_some(ghosts: Sequence[Sighting], places: Collection[str]) -> Iterator[list[Sighting]]:
    """Yield the ghosts without one or more of those at some places, fewest first; nothing if there are many."""
    there = [number for number, each in enumerate(ghosts) if each.place in places]
    if len(there) > MOST_NEW:
        return
    for many in range(1, len(there) + 1):
        for cards in combinations(there, many):
            yield [each for number, each in enumerate(ghosts) if number not in cards]


def _count_by_place(sightings: Iterable[Sighting]) -> Counter[tuple[str | None, str]]:
    return Counter([(each.card, each.place) for each in sightings])


def _is_near(one: Sighting, other: Sighting) -> bool:
    """Whether two sightings show an unmoved card."""
    if not one.corners or not other.corners:
        return one.at == other.at
    return dist(_centre(one), _centre(other)) < SAME_SPOT


def _centre(sighting: Sighting) -> list[float]:
    return [sum(each) / len(each) for each in zip(*sighting.corners, strict=True)]


def _total(layout: Layout, card: str) -> int:
    return sum([spot.up.count(card) for spot in layout.spots.values()])
