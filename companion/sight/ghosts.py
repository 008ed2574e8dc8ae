"""Ghosts: cards that the rules have cleared away and people not yet. They are no part of what is seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from math import hypot

from companion.engine import Layout, Spot
from companion.messages import Sighted, Sighting
from companion.sight.memory import SightMemory

SAME_SPOT = 15.0
"""A card within this many millimetres of its former position has not been moved."""
MOST_NEW = 3
"""Of more ghosts than a market has cards, none is thought to be new: each combination costs a search."""


def find_ghosts(
    was: Layout | None,
    said: Layout,
    seen: Layout,
    memory: SightMemory,
    sightings: Collection[Sighting],
) -> list[Sighting]:
    """Return the seen cards that the rules no longer expect.

    `was` and `said` are the layouts by the rules before and after an event; `was` is None for a new match. `sightings`
    are what is seen besides earlier ghosts, and `seen` is made of them.
    """
    shown, where = said.aligned(seen)
    returned = {} if was is None else memory.recall(was, seen).returned
    absent: Counter[str] = Counter()
    for name in said.spots.keys() & shown.spots.keys():
        absent += Counter(said.spots[name].up) - Counter(shown.spots[name].up)
    gone: list[Sighting] = []
    for name, spot in said.spots.items():
        if name not in shown.spots or name in said.strict:
            continue
        extra = Counter(shown.spots[name].up) - Counter(spot.up)
        if was is not None:
            lay = Counter(was.spots.get(name, Spot()).up) + Counter(said.lingering.get(name, ()))
            extra &= lay
        for card, count in extra.items():
            # Taken on a tablet and not moved yet, or cleared by the rules; but not replaced by an equal card.
            if was is not None and card not in said.lingering.get(name, ()):
                again = returned.get(name, ()).count(card)
                count = min(count, absent[card] + _total(was, card) - _total(said, card)) - again
            fits = [each for each in sightings if each.card == card and each.place == where[name]]
            gone += fits[: max(0, count)]
    return gone


def remaining_ghosts(ghosts: Sequence[Sighting], now: Sighted, before: Sighted | None = None) -> list[Sighting]:
    """Return the ghosts that are still seen, as they are seen now: the same card, not moved.

    If one of two equal cards has gone since `before`, it was the ghost.
    """
    left = list(now.sightings)
    gone = _count_by_place(before.sightings if before is not None else ()) - _count_by_place(left)
    found: list[Sighting] = []
    for ghost in ghosts:
        if gone[ghost.card, ghost.place] and ghost.place not in now.covered:
            gone[ghost.card, ghost.place] -= 1
            continue
        for each in left:
            if each.card == ghost.card and each.place == ghost.place and _is_near(each, ghost):
                left.remove(each)
                found.append(each)
                break
        else:
            if ghost.place in now.covered:
                found.append(ghost)
    return found


def unexpected_ghosts(ghosts: Iterable[Sighting], said: Layout, seen: Layout) -> list[Sighting]:
    """Return the ghosts without those that the rules expect by now: an equal card has come to lie in their place."""
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
    """Yield the ghosts without one or more of those at some places, fewest first; nothing where many lie there."""
    there = [number for number, each in enumerate(ghosts) if each.place in places]
    if len(there) > MOST_NEW:
        return
    for many in range(1, len(there) + 1):
        for cards in combinations(there, many):
            yield [each for number, each in enumerate(ghosts) if number not in cards]


def _count_by_place(sightings: Iterable[Sighting]) -> Counter[tuple[str | None, str]]:
    return Counter([(each.card, each.place) for each in sightings])


def _is_near(one: Sighting, other: Sighting) -> bool:
    """Whether two sightings show a card that has not been moved."""
    if not one.corners or not other.corners:
        return one.at == other.at
    (x, y), (u, v) = _centre(one), _centre(other)
    return hypot(x - u, y - v) < SAME_SPOT


def _centre(sighting: Sighting) -> tuple[float, float]:
    xs, ys = zip(*sighting.corners, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def _total(layout: Layout, card: str) -> int:
    return sum([spot.up.count(card) for spot in layout.spots.values()])
