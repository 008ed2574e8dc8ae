"""What comes and goes on the spreads of a table between two events: a picture alone does not show it.

A card that is turned up and cleared away again before anybody says so; a card that leaves, and then one like it comes.
Pure: knows no time and no single game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from msgspec.structs import replace

from companion.engine import AGAIN, BEFORE, MEMORIES, Layout, Place, Spot
from companion.messages import Sighted, Sighting


class Passing:
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
