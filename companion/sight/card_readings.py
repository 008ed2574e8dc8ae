"""The camera's readings of one table's cards and pieces, and other layouts that could explain them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from msgspec.structs import replace

from companion.engine import AnyState, Layout, Piece, Place, Seat, Spot
from companion.engine.board import board_of
from companion.engine.pieces import same_pieces
from companion.messages import Sighted, Sighting
from companion.sight.ghosts import find_ghosts, remaining_ghosts, unexpected_ghosts, without_some
from companion.sight.passing_cards import PassingCards
from companion.table.snapshot import Snapshot

T = TypeVar("T")
CUBE = "cube"
"""The camera's name for a piece in a seat's colour."""
MOST_UNSEEN = 3
"""If more cards than a market holds are missing, assume that none was overlooked."""


class CardReadings:
    """The cards and pieces seen, and those that the rules expect. Only a match in progress has a layout."""

    def __init__(self) -> None:
        self.sighted: Sighted | None = None
        """The last reading; None without a camera."""
        self.table = Snapshot(0)
        self._ghosts: list[Sighting] = []
        self._passing = PassingCards()
        self._settled: dict[str, frozenset[tuple[str, ...]]] = {}
        """Possible contents of cells that were unreadable during an event; people are not asked about these again."""

    def accept(self, sighted: Sighted | None) -> None:
        """Accept a reading of the table; None if the camera is lost."""
        old, self.sighted = self.sighted, sighted
        if sighted is None:
            self._passing.lose_camera()
            return
        ghosts, self._ghosts = self._ghosts, remaining_ghosts(self._ghosts, sighted, old)
        if self.table.state is not None:
            self._passing.note_passing(self.expected(), self._spreads(sighted), sighted, ghosts)
            self._note_missing()

    def begin(self, table: Snapshot, again: bool = False) -> None:
        """Begin with another match, or again with one after an undo, in which people must restore the table."""
        self.table, self._ghosts = table, []
        self._passing.clear()
        if not again:
            self._settled = {}
            self._ghosts = [] if table.state is None else self._find_ghosts(None, table.state)

    def follow(self, table: Snapshot, happened: Sequence[AnyState], keep: bool) -> None:
        """Follow a table through the states after some events; `keep`: passing cards belong to the next event."""
        state, self.table = self.table.state, table
        for after in happened:
            self._ghosts += self._find_ghosts(state, after)
            state = after
        if self._ghosts and self.sighted is not None:
            self._ghosts = unexpected_ghosts(self._ghosts, self.expected(), self.layout())
        if happened and not keep:
            self._passing.clear()
        self._note_missing()

    def expected(self) -> Layout:
        """Return the layout that the rules expect."""
        assert self.table.state is not None
        return self.table.seen_game.layout(self.table.state)

    def layout(
        self, sighted: Sighted | None = None, ghosts: Sequence[Sighting] | None = None, shifted: bool = False
    ) -> Layout:
        """Return the layout seen, without cards that people only have to clear away.

        `sighted` replaces the last reading, `ghosts` replace the cards believed to be cleared away; `shifted` is as for
        `PassingCards.recall`.
        """
        sighted = sighted or self.sighted
        assert sighted is not None and self.table.setup is not None and self.table.state is not None
        left = list(self._ghosts if ghosts is None else ghosts)
        found: dict[str, list[Sighting]] = {place.name: [] for place in self._places() if place.kind != "pile"}
        for each in sighted.sightings:
            if each in left:
                left.remove(each)
            elif each.place in found:
                found[each.place].append(each)
        spots = {name: read_spot(sightings) for name, sightings in found.items() if name not in sighted.covered}
        colours = [player.colour for player in self.table.setup.seated()]
        expected, board = self.expected(), board_of(self.table.seen_game, self.table.state)
        cells = read_cells(sighted, colours, dict(board.neutral) if board is not None else {}, expected.pieces)
        return self._passing.recall(expected, replace(cells, spots=spots), shifted)

    def with_ghosts_as_new(self, places: Collection[str]) -> Iterator[Layout]:
        """Yield the layouts in which ghosts at these places are new equal cards, with few such cards first."""
        for ghosts in without_some(self._ghosts, places):
            yield self.layout(ghosts=ghosts)

    def otherwise(self) -> Iterator[Layout]:
        """Yield alternative layouts: slightly moved cards are equal ones, and cards missing from the start are
        hidden."""
        seen = self.layout()
        shifted = self.layout(shifted=True)
        if shifted != seen:
            yield shifted
        unseen = [(name, card) for name, card in self._passing.unseen() if name in seen.spots]
        for many in range(1, len(unseen) + 1 if len(unseen) <= MOST_UNSEEN else 1):
            for cards in combinations(unseen, many):
                spots = dict(seen.spots)
                for name, card in cards:
                    spots[name] = replace(spots[name], up=(*spots[name].up, card))
                yield replace(seen, spots=spots)

    def with_unnamed_as(self) -> Iterator[tuple[str, str, Layout]]:
        """Yield each unnamed card's place with each of its likeliest names and the resulting layout."""
        assert self.sighted is not None
        for number, each in enumerate(self.sighted.sightings):
            if each.card is None and each.place and each not in self._ghosts:
                for card in each.likeliest:
                    named = _with_one(self.sighted.sightings, number, replace(each, card=card))
                    yield each.place, card, self.layout(replace(self.sighted, sightings=named))

    def with_unsure_as(self) -> Iterator[Layout]:
        """Yield the layout for each possible reading of each unsure cell about which we may still ask people."""
        assert self.sighted is not None
        for number, each in enumerate(self.sighted.cells):
            if not self._settled.get(each.cell, frozenset()).issuperset(each.choices):
                for pieces in each.choices:
                    read = _with_one(self.sighted.cells, number, replace(each, pieces=pieces, choices=()))
                    yield self.layout(replace(self.sighted, cells=read))

    def settle_cells(self, before: Layout | None) -> None:
        """Stop asking about cells whose possible readings include the pieces that the rules now expect.

        A piece may lie on a line for the rest of the game. This settles only cells that changed since `before`; an
        answer to a question (None) settles all.
        """
        if self.sighted is None:
            return
        expected, unsure = self.expected().pieces, self.layout().unsure
        for cell in self.sighted.cells:
            here = expected.get(cell.cell, ())
            if before is not None and same_pieces(here, before.pieces.get(cell.cell, ())):
                continue
            if any(same_pieces(here, choice) for choice in unsure.get(cell.cell, ())):
                self._settled[cell.cell] = self._settled.get(cell.cell, frozenset()) | set(cell.choices)

    def corners_at(self, place: str) -> tuple[tuple[tuple[float, float], ...], ...]:
        """Return the corners of the cards seen at a place, in millimetres on the mat."""
        assert self.sighted is not None
        return tuple([each.corners for each in self.sighted.sightings if each.place == place and each.corners])

    def _places(self) -> tuple[Place, ...]:
        assert self.table.setup is not None
        return self.table.seen_game.places(len(self.table.setup.seated()))

    def _spreads(self, sighted: Sighted) -> list[str]:
        """Return the spreads of cards that are not covered."""
        return [each.name for each in self._places() if each.kind == "spread" and each.name not in sighted.covered]

    def _note_missing(self) -> None:
        """Remember which expected cards are missing."""
        if self.sighted is not None:
            self._passing.note_missing(self.expected(), self._spreads(self.sighted), self.sighted, self._ghosts)

    def _find_ghosts(self, before: AnyState | None, after: AnyState) -> list[Sighting]:
        """Return the seen cards that the rules no longer expect. `before` is None for a new match."""
        if self.sighted is None:
            return []
        game, left = self.table.seen_game, [each for each in self.sighted.sightings if each not in self._ghosts]
        was, seen = None if before is None else game.layout(before), self.layout()
        return find_ghosts(was, game.layout(after), seen if was is None else self._passing.recall(was, seen), left)


def read_spot(sightings: Iterable[Sighting]) -> Spot:
    """Return the cards at one place in order."""
    faces = Counter([each.face for each in sightings])
    up = [
        each.card for each in sorted(sightings, key=lambda each: each.at) if each.face == "up" and each.card is not None
    ]
    return Spot(tuple(up), faces["down"], faces["up"] - len(up))


def read_cells(
    sighted: Sighted, colours: Sequence[str], neutral: Mapping[str, str], expected: Mapping[str, Sequence[Piece]]
) -> Layout:
    """Return the pieces seen. `colours`: the seats'; a piece in another colour is neutral.

    `neutral`: the colours of neutral kinds. If a seat has such a colour, its cubes are read, and pieces of that kind
    are assumed to stand as `expected`.
    """
    owners = {kind: Seat(colours.index(colour)) for kind, colour in neutral.items() if colour in colours}

    def piece_named(name: str, cell: str) -> Piece:
        kind, _, colour = name.partition(".")
        if kind in owners:
            return Piece(CUBE, owners[kind], cell)
        return Piece(kind, Seat(colours.index(colour)) if colour in colours else None, cell)

    def pieces_named(names: Sequence[str], cell: str) -> tuple[Piece, ...]:
        unread = [each for each in expected.get(cell, ()) if each.kind in owners]
        return (*[piece_named(name, cell) for name in names], *unread)

    pieces = {each.cell: pieces_named(each.pieces, each.cell) for each in sighted.cells if not each.choices}
    unsure = {c.cell: tuple([pieces_named(names, c.cell) for names in c.choices]) for c in sighted.cells if c.choices}
    return Layout({}, pieces=pieces, unsure=unsure)


def _with_one(things: tuple[T, ...], number: int, thing: T) -> tuple[T, ...]:
    """Return a tuple with one of its items replaced."""
    return (*things[:number], thing, *things[number + 1 :])
