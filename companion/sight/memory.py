"""Remembers cards that were seen only between two events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import dist

from msgspec.structs import replace

from companion.engine import Layout, Piece, Place, Seat, Spot
from companion.messages import Sighted, Sighting

CUBE = "cube"
"""What a camera calls a piece in a seat's colour."""
SHIFTED = 1.0
"""Millimetres by which a corner of a card must have moved: cards that nobody touched in a hard rendered game were read
to a tenth of this."""


class SightMemory:
    """What came and went on one table since the last event."""

    def __init__(self) -> None:
        self._passed: dict[str, tuple[str, ...]] = {}
        """Cards by place that have lain there and are gone again."""
        self._left: dict[str, Counter[str]] = {}
        """The rules' cards by place that were seen to be missing, since the place last matched the rules."""
        self._lay: dict[str, tuple[Sighting, ...]] = {}
        """What lay at each place when it was first fully visible since the last event."""
        self._shifted: dict[str, Counter[str]] = {}
        """The rules' cards by place that lie a little otherwise since then: nudged, or replaced by equal ones."""
        self._last_seen: dict[str, tuple[Sighting, ...]] = {}
        """What lay at each place when it was last fully visible; a hand may have covered it since."""
        self._before = self._last_seen
        """The same at the last event."""
        self._unseen: dict[str, Counter[str]] = {}
        """The rules' cards by place that have not been seen since the last event, nor just before it."""

    def clear(self) -> None:
        """Forget everything, as an event has happened."""
        self._passed, self._left, self._lay, self._shifted, self._unseen = {}, {}, {}, {}, {}
        self._before = dict(self._last_seen)

    def lose_camera(self) -> None:
        """Forget what lay there: cards present when the camera returns have not come since."""
        self._last_seen, self._before = {}, {}

    def note_missing(
        self, expected: Layout, places: Collection[Place], now: Sighted, ghosts: Collection[Sighting]
    ) -> None:
        """Note which expected cards are missing or moved; `ghosts` are cards that the rules have cleared away there.

        People lift a card and put it back: a place that matches again has lost nothing. A place with an unnamed card
        is skipped, as that card may be any of the others.
        """
        for place in _visible_spreads(places, now):
            here = [s for s in now.sightings if s.place == place.name and s.face == "up" and s not in ghosts]
            said = Counter(expected.spots.get(place.name, Spot()).up)
            gone = said - Counter([s.card for s in here if s.card])
            before = said - Counter([s.card for s in self._before.get(place.name, here) if s.card])
            self._unseen[place.name] = self._unseen.get(place.name, before) & gone
            if any(s.card is None for s in here):
                continue
            self._left[place.name] = self._left.get(place.name, Counter()) | gone if gone else Counter()
            lay = self._lay.setdefault(place.name, tuple(here))
            self._shifted[place.name] = Counter([s.card for s in here if s.card and _has_moved(s, lay)])

    def note_passing(
        self, expected: Layout, places: Collection[Place], now: Sighted, cleared: Collection[Sighting]
    ) -> None:
        """Note cards that came and went without an event: Bin is turned up, then cleared away with the market.

        `cleared` are the earlier sightings that the rules had already cleared away.
        """
        for place in _visible_spreads(places, now):
            before = self._last_seen.get(place.name, ())
            self._last_seen[place.name] = tuple([s for s in now.sightings if s.place == place.name and s.card])
            here = Counter([s.card for s in self._last_seen[place.name]])
            ghosts = Counter([s.card for s in cleared if s.place == place.name])
            left = Counter(expected.spots.get(place.name, Spot()).up) + ghosts
            gone: list[str] = []
            for each in sorted(before, key=lambda s: s.at):
                assert each.card is not None
                if left[each.card] > 0:
                    left[each.card] -= 1
                elif here[each.card] == 0:
                    gone.append(each.card)
            if gone:
                self._passed[place.name] = self._passed.get(place.name, ()) + tuple(gone)

    def unseen(self) -> tuple[tuple[str, str], ...]:
        """Return the places and names of the cards that were missing before anything happened: overlooked, it seems."""
        return tuple([(name, card) for name, cards in self._unseen.items() for card in cards.elements()])

    def recall(self, expected: Layout, seen: Layout, shifted: bool = False) -> Layout:
        """Return a seen layout with the cards that passed and returned since the last event.

        `shifted`: as if cards that lie a little otherwise had been replaced by equal ones.
        """
        passed = {name: cards for name, cards in self._passed.items() if cards}
        returned: dict[str, tuple[str, ...]] = {}
        for name, left in self._left.items():
            left = left | self._shifted[name] if shifted else left
            still = Counter(expected.spots.get(name, Spot()).up) - Counter(seen.spots.get(name, Spot()).up)
            again = tuple((left - still).elements())
            if again and still and name in seen.spots:
                returned[name] = again
        return replace(seen, passed=passed, returned=returned)


def _has_moved(card: Sighting, lay: Iterable[Sighting]) -> bool:
    """Whether a card like this one lay there, but none exactly here."""
    before = [each for each in lay if each.card == card.card]
    return bool(before) and all(
        any(dist(a, b) > SHIFTED for a, b in zip(card.corners, each.corners, strict=False)) for each in before
    )


def _visible_spreads(places: Collection[Place], seen: Sighted) -> Iterator[Place]:
    return (place for place in places if place.kind == "spread" and place.name not in seen.covered)


def read_spot(sightings: Sequence[tuple[int, Sighting]], instead: dict[int, str]) -> Spot:
    """Return the cards at one place in order; `instead` gives some sightings another name, by their number."""
    ordered = sorted(sightings, key=lambda each: each[1].at)
    names = [instead.get(number, each.card) for number, each in ordered if each.face == "up"]
    up = tuple([name for name in names if name is not None])
    return Spot(up, sum([each.face == "down" for _, each in ordered]), len(names) - len(up))


def read_cells(
    sighted: Sighted,
    colours: Sequence[str],
    instead: dict[str, tuple[str, ...]],
    neutral: Mapping[str, str] | None = None,
    expected: Mapping[str, Sequence[Piece]] | None = None,
) -> Layout:
    """Return the pieces that are seen. `colours`: the seats'; a piece in another colour is nobody's.

    `instead` decides what stands on some cells that are not certain. `neutral`: the colours of kinds that are nobody's.
    Where a seat has such a colour, its cubes are read, and pieces of that kind are taken to stand as `expected`.
    """
    pieces, unsure = {}, {}
    owners = {kind: Seat(colours.index(colour)) for kind, colour in (neutral or {}).items() if colour in colours}
    unread = {cell: [each for each in those if each.kind in owners] for cell, those in (expected or {}).items()}

    def piece_named(name: str, cell: str) -> Piece:
        kind, _, colour = name.partition(".")
        if kind in owners:
            return Piece(CUBE, owners[kind], cell)
        return Piece(kind, Seat(colours.index(colour)) if colour in colours else None, cell)

    def pieces_named(names: Sequence[str], cell: str) -> tuple[Piece, ...]:
        return (*[piece_named(name, cell) for name in names], *unread.get(cell, ()))

    for each in sighted.cells:
        if each.choices and each.cell not in instead:
            unsure[each.cell] = tuple([pieces_named(names, each.cell) for names in each.choices])
        else:
            names = instead[each.cell] if each.choices else each.pieces
            pieces[each.cell] = pieces_named(names, each.cell)
    return Layout({}, pieces=pieces, unsure=unsure)
