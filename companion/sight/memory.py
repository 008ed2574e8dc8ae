"""Remembers cards seen only between two events, and tells whether a card still lies where it lay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import hypot

from msgspec.structs import replace

from companion.engine import AGAIN, BEFORE, MEMORIES, Layout, Place, Spot
from companion.messages import Sighted, Sighting


class SightMemory:
    """What was seen to come and go on one table since the last event."""

    def __init__(self) -> None:
        self._before: dict[str, tuple[str, ...]] = {}
        """By place, cards that have lain there and are gone again."""
        self._left: dict[str, Counter[str]] = {}
        """By place, cards of the rules that were seen to be gone, all of them since it last lay as the rules say."""
        self._lay: dict[str, tuple[Sighting, ...]] = {}
        """By place, what lay there when it was last seen whole: a hand may have covered it since."""

    def forget(self) -> None:
        """Begin anew: something has happened."""
        self._before, self._left = {}, {}

    def blind(self) -> None:
        """Nothing is seen any more: whatever lies there when the camera is back has not come since."""
        self._lay = {}

    def leaves(self, said: Layout, places: Collection[Place], now: Sighted, ghosts: Collection[Sighting]) -> None:
        """Take note of what is gone from where the rules have it; `ghosts` are cards they have cleared away there.

        People lift a card and put it back: where all is as it was nothing has left. Where a card has no name nothing is
        known of the others.
        """
        for place in _spreads(places, now):
            here = [s for s in now.sightings if s.place == place.name and s.face == "up" and s not in ghosts]
            if any(s.card is None for s in here):
                continue
            gone = Counter(said.spots.get(place.name, Spot()).up) - Counter([s.card for s in here if s.card])
            self._left[place.name] = self._left.get(place.name, Counter()) | gone if gone else Counter()

    def passes(self, said: Layout, places: Collection[Place], now: Sighted, cleared: Collection[Sighting]) -> None:
        """Remember cards that came and went without an event: Bin is turned up, and cleared away with the market.

        `cleared` are those of the earlier sightings that the rules had cleared away before.
        """
        for place in _spreads(places, now):
            lay = self._lay.get(place.name, ())
            self._lay[place.name] = tuple([s for s in now.sightings if s.place == place.name and s.card])
            here = Counter([s.card for s in self._lay[place.name]])
            ghosts = Counter([s.card for s in cleared if s.place == place.name])
            left = Counter(said.spots.get(place.name, Spot()).up) + ghosts
            gone: list[str] = []
            for each in sorted(lay, key=lambda s: s.at):
                assert each.card is not None
                if left[each.card] > 0:
                    left[each.card] -= 1
                elif here[each.card] == 0:
                    gone.append(each.card)
            if gone:
                self._before[place.name] = self._before.get(place.name, ()) + tuple(gone)

    def spots(self, said: Layout, seen: Layout) -> dict[str, Spot]:
        """Return what a layout that is seen does not show by itself, under the names that `AGAIN` and `BEFORE` make."""
        found = {f"{name}{BEFORE}": Spot(cards) for name, cards in self._before.items() if cards}
        for name, left in self._left.items():
            still = Counter(said.spots.get(name, Spot()).up) - Counter(seen.spots.get(name, Spot()).up)
            again = tuple((left - still).elements())
            if again and still and name in seen.spots:
                found[f"{name}{AGAIN}"] = Spot(again)
        return found


def without(seen: Layout) -> Layout:
    """Return what is seen without what came and went."""
    return replace(seen, spots={name: spot for name, spot in seen.spots.items() if not name.endswith(MEMORIES)})


def _spreads(places: Collection[Place], seen: Sighted) -> Iterator[Place]:
    return (place for place in places if place.kind == "spread" and place.name not in seen.covered)


SAME_SPOT = 15.0
"""A card that lies within so many millimetres of where it lay has not been moved."""


def spot_of(sightings: Sequence[tuple[int, Sighting]], instead: dict[int, str]) -> Spot:
    """Return what is seen at one place, in order."""
    ordered = sorted(sightings, key=lambda each: each[1].at)
    names = [instead.get(number, each.card) for number, each in ordered if each.face == "up"]
    up = tuple([name for name in names if name is not None])
    return Spot(up, sum([each.face == "down" for _, each in ordered]), len(names) - len(up))


def still_there(ghosts: Sequence[Sighting], sighted: Sighted, before: Sighted | None = None) -> list[Sighting]:
    """Return the ghosts that are still seen, as they are seen now: the same card at the same place, not moved.

    Of two cards alike people take either: where one has gone since `before` it was the ghost.
    """
    left = list(sighted.sightings)
    gone = _kinds(before.sightings if before is not None else ()) - _kinds(left)
    found: list[Sighting] = []
    for ghost in ghosts:
        if gone[ghost.card, ghost.place] and ghost.place not in sighted.covered:
            gone[ghost.card, ghost.place] -= 1
            continue
        for each in left:
            if each.card == ghost.card and each.place == ghost.place and _near(each, ghost):
                left.remove(each)
                found.append(each)
                break
        else:
            if ghost.place in sighted.covered:
                found.append(ghost)
    return found


def _kinds(sightings: Iterable[Sighting]) -> Counter[tuple[str | None, str]]:
    return Counter([(each.card, each.place) for each in sightings])


def _near(one: Sighting, other: Sighting) -> bool:
    """Whether two sightings are of a card that has not been moved."""
    if not one.corners or not other.corners:
        return one.at == other.at
    (x, y), (u, v) = _centre(one), _centre(other)
    return hypot(x - u, y - v) < SAME_SPOT


def _centre(sighting: Sighting) -> tuple[float, float]:
    xs, ys = zip(*sighting.corners, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)
