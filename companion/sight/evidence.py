"""What a camera has seen of one table: the last reading, and what came and went since the last event."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from msgspec.structs import replace

from companion.engine import AnyState, Layout, Place
from companion.engine.board import board_of
from companion.messages import Sighted, Sighting
from companion.sight.ghosts import find_ghosts, remaining_ghosts, unexpected_ghosts, without_some
from companion.sight.memory import SightMemory, read_cells, read_spot
from companion.table.snapshot import Snapshot

MOST_UNSEEN = 3
"""Of more cards than a market has, none is thought to be overlooked."""


class Evidence:
    """The cards and pieces that are seen, and those that the rules expect. A match must have begun for a layout."""

    def __init__(self) -> None:
        self.sighted: Sighted | None = None
        """The last reading; None while there is no camera."""
        self._table = Snapshot(0)
        self._ghosts: list[Sighting] = []
        self._memory = SightMemory()

    def accept_reading(self, sighted: Sighted | None) -> None:
        """Accept what lies on the table now; None if the camera is lost."""
        if sighted is None:
            self.sighted = None
            self._memory.lose_camera()
            return
        old, self.sighted = self.sighted, sighted
        ghosts, self._ghosts = self._ghosts, remaining_ghosts(self._ghosts, sighted, old)
        if self._table.state is not None:
            self._memory.note_passing(self.expected(), self._places(), sighted, ghosts)
            self._note_missing()

    def begin(self, table: Snapshot) -> None:
        """Begin with a new match, or without one."""
        self.begin_again(table)
        if table.state is not None:
            self._ghosts = self._find_ghosts(None, table.state)

    def begin_again(self, table: Snapshot) -> None:
        """Begin with a table that was taken back: people have to restore it."""
        self._table, self._ghosts = table, []
        self._memory.clear()

    def follow(self, table: Snapshot, happened: Sequence[AnyState], keep: bool) -> None:
        """Follow a table through the states after some events; `keep`: what came and went belongs to the next one."""
        state, self._table = self._table.state, table
        for after in happened:
            self._ghosts += self._find_ghosts(state, after)
            state = after
        if self._ghosts and self.sighted is not None:
            self._ghosts = unexpected_ghosts(self._ghosts, self.expected(), self.layout())
        if happened and not keep:
            self._memory.clear()
        self._note_missing()

    def expected(self) -> Layout:
        """Return the layout that the rules expect."""
        assert self._table.state is not None
        return self._table.seen_game.layout(self._table.state)

    def layout(
        self,
        instead: dict[int, str] | None = None,
        instead_on: dict[str, tuple[str, ...]] | None = None,
        ghosts: Sequence[Sighting] | None = None,
        shifted: bool = False,
    ) -> Layout:
        """Return what is seen as a layout, without cards that only have to be cleared away.

        `instead` gives some sightings another name, by their number; `instead_on` decides what stands on unsure cells;
        `ghosts` are other cards to be cleared away than those that are believed to be; `shifted` as for
        `SightMemory.recall`.
        """
        assert self.sighted is not None and self._table.setup is not None and self._table.state is not None
        places = [p for p in self._places() if p.kind != "pile" and p.name not in self.sighted.covered]
        ghosts = list(self._ghosts if ghosts is None else ghosts)
        found: dict[str, list[tuple[int, Sighting]]] = {place.name: [] for place in places}
        for number, each in enumerate(self.sighted.sightings):
            if each in ghosts:
                ghosts.remove(each)
            elif each.place in found:
                found[each.place].append((number, each))
        spots = {name: read_spot(sightings, instead or {}) for name, sightings in found.items()}
        colours = [player.colour for player in self._table.setup.seated()]
        expected, board = self.expected(), board_of(self._table.seen_game, self._table.state)
        neutral = dict(board.neutral) if board is not None else {}
        cells = read_cells(self.sighted, colours, instead_on or {}, neutral, expected.pieces)
        layout = Layout(spots, pieces=cells.pieces, unsure=cells.unsure)
        return self._memory.recall(expected, layout, shifted)

    def with_ghosts_as_new(self, places: Collection[str]) -> Iterator[Layout]:
        """Yield the layouts in which cards to be cleared away at these places are equal ones laid there, few first."""
        for ghosts in without_some(self._ghosts, places):
            yield self.layout(ghosts=ghosts)

    def otherwise(self) -> Iterator[Layout]:
        """Yield what may lie there although it is not what is seen: cards that lie a little otherwise are equal ones,
        and cards that were missing before anything happened have been overlooked."""
        seen = self.layout()
        shifted = self.layout(shifted=True)
        if shifted != seen:
            yield shifted
        unseen = [(name, card) for name, card in self._memory.unseen() if name in seen.spots]
        for many in range(1, len(unseen) + 1 if len(unseen) <= MOST_UNSEEN else 1):
            for cards in combinations(unseen, many):
                spots = dict(seen.spots)
                for name, card in cards:
                    spots[name] = replace(spots[name], up=(*spots[name].up, card))
                yield replace(seen, spots=spots)

    def with_unnamed_as(self) -> Iterator[tuple[str, str, Layout]]:
        """Yield the place of each unnamed card with each of its likeliest names, and the layout if it is that card."""
        assert self.sighted is not None
        for number, each in enumerate(self.sighted.sightings):
            if each.card is None and each.place and each not in self._ghosts:
                for card in each.likeliest:
                    yield each.place, card, self.layout({number: card})

    def _places(self) -> tuple[Place, ...]:
        assert self._table.setup is not None
        return self._table.seen_game.places(len(self._table.setup.seated()))

    def _note_missing(self) -> None:
        """Remember which expected cards are missing."""
        if self.sighted is not None:
            self._memory.note_missing(self.expected(), self._places(), self.sighted, self._ghosts)

    def _find_ghosts(self, before: AnyState | None, after: AnyState) -> list[Sighting]:
        """Return the seen cards that the rules no longer expect. `before` is None for a new match."""
        if self.sighted is None:
            return []
        game, left = self._table.seen_game, [each for each in self.sighted.sightings if each not in self._ghosts]
        was = None if before is None else game.layout(before)
        return find_ghosts(was, game.layout(after), self.layout(), self._memory, left)
