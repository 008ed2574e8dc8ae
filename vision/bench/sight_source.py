"""A rendered table with its readers, for whole games: it lays layouts and returns readings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from companion.engine import COLOURS, Layout, Piece
from companion.engine.pieces import same_pieces, without_pieces
from companion.games import SEEN
from companion.messages import CellSighting, Sighted, Sighting
from vision.board.board_reader import BoardReader, usual_board
from vision.image import Image
from vision.mat import MatPose, find, mat_of_game
from vision.mat.camera_resolution import picture_size
from vision.print.cards import design
from vision.recognise import Recogniser
from vision.simulate.rendered_table import RenderedTable
from vision.slots import TableReader

CARD_MM = (63.0, 88.0)
SIZE = (2304, 1296)
"""The size of a picture in pixels: half of a Camera Module 3's along each side."""
GLANCE = (320, 180)
"""The size in pixels of pictures while a hand moves, which are not read."""
PICTURES = 4
"""The maximum number of pictures of a resting table, if the reader requests them."""
PAUSES = 0.25
"""The probability that a hand pauses while moving a piece, so that the camera reads the table below it."""
FRAMES = 8


class CellCounts(Counter[str]):
    """Counts of cells: `right`, `wrong`, `asked`, `missed` (asked without the truth among the choices) and `hidden`."""

    def count(self, cells: Sequence[CellSighting], truth: Mapping[str, tuple[str, ...]]) -> None:
        """Count a reading.

        truth: the names of pieces by cell, for all cells.
        """
        found = {each.cell: each for each in cells}
        for cell, pieces in truth.items():
            each = found.get(cell)
            if each is None:
                self["hidden"] += 1
            elif each.choices:
                self["asked"] += 1
                self["missed"] += all(sorted(choice) != sorted(pieces) for choice in each.choices)
            else:
                self["right" if sorted(each.pieces) == sorted(pieces) else "wrong"] += 1

    def summary(self) -> str:
        """Return the counts in one line."""
        words = [f"{name} {self[name]}" for name in ("right", "wrong", "asked", "hidden")]
        return f"cells {', '.join(words)} ({self['missed']} asked without the truth among the choices)"


class RenderedSightSource:
    """Players at a rendered table of one game. Without a `recogniser`, no cards are read."""

    def __init__(
        self,
        game: str,
        players: int,
        recogniser: Recogniser | None,
        pictures: Mapping[str, Image],
        seed: int,
        size: tuple[int, int] = SIZE,
    ) -> None:
        rules = SEEN[game]
        places = rules.places(players)
        board = usual_board(game, players)
        backs = design(game).backs if pictures else {}
        self.mat = mat_of_game(rules, players, CARD_MM) if places or board is None else board
        beside = board if places else None
        self.table = RenderedTable(
            self.mat, pictures, backs, seed=seed, size=size, colours=COLOURS[:players], board=beside
        )
        if beside is not None:
            left, top, right, low = self.table.area
            self.table.size = max(size, picture_size((right - left, low - top)))
        self.reader = TableReader(recogniser, self.mat) if places and recogniser is not None else None
        self.board = BoardReader(game)
        self.cells, self.cells_under_hands = CellCounts(), CellCounts()
        self.taken = self.number = 0
        self.scale = 0.0
        """The measured pixels per millimetre."""
        self.named = 0
        self.wrong: list[str] = []
        """The wrongly named cards."""
        self.unnamed = 0
        """The number of visible cards that were not named."""
        self.paused = 0
        """The number of readings of a table under a hand."""
        self._pose: MatPose | None = None
        self._luck = Random(f"{seed} pauses")

    # --- hands ------------------------------------------------------------------------------------

    def lay(self, layout: Layout) -> Iterator[Sighted]:
        """Lay everything in a layout. Yield the readings while a hand pauses over the board."""
        if self.table.board is None:
            self.table.set(layout)
            return
        for piece, source in piece_moves(self.table.pieces.by_cell(), layout.pieces):
            pauses = self._luck.random() < PAUSES
            # Just before and after it lets the piece go.
            pause = self._luck.choice((FRAMES // 2 - 1, FRAMES // 2))
            for nth, _ in enumerate(self.table.hand_piece(piece, source, FRAMES, GLANCE)):
                if pauses and nth == pause:
                    self.paused += 1
                    yield self._read(self.cells_under_hands)
        self.table.set(layout)

    # --- seeing -----------------------------------------------------------------------------------

    def read(self) -> Sighted:
        """Return the reading of pictures of the current table."""
        return self._read(self.cells)

    def _read(self, counts: CellCounts) -> Sighted:
        pending = True
        sightings: Sequence[Sighting] = ()
        covered: Sequence[str] = tuple([slot.place for slot in self.mat.slots])
        cells: Sequence[CellSighting] = ()
        for _ in range(PICTURES):
            if not pending:
                break
            picture = self.table.picture()
            self.taken += 1
            cells = self.board.read(picture, self.taken)
            pending = self.board.pending
            if self._pose is None:  # the camera does not move
                self._pose = find(picture, self.mat)
            if self._pose is None:
                pending = True
                continue
            self.scale = self._pose.scale
            if self.reader is not None:
                read = self.reader.read(picture, self._pose, self.taken)
                sightings, covered = read.sightings, read.covered
                pending = pending or read.pending
        self.number += 1
        if self._pose is not None and self.reader is not None:
            self._compare(sightings)
        if self.table.board is not None:
            counts.count(cells, self._standing())
        return Sighted(self.taken, self.number, tuple(sightings), tuple(covered), cells=tuple(cells))

    def _standing(self) -> dict[str, tuple[str, ...]]:
        """Return the names of the pieces that truly stand on each cell."""
        return {
            cell: tuple([self.table.piece_name(piece) for piece in pieces])
            for cell, pieces in self.table.pieces.truth().items()
        }

    def _compare(self, sightings: Sequence[Sighting]) -> None:
        true = {(one.place, one.at): one.card for one in self.table.truth()}
        for one in sightings:
            if one.card is None:
                self.unnamed += 1
                continue
            self.named += 1
            if true.get((one.place, one.at)) != one.card:
                self.wrong.append(f"{one.place}: {one.card}, true {true.get((one.place, one.at))}")


def piece_moves(
    standing: Mapping[str, Sequence[Piece]], wanted: Mapping[str, Sequence[Piece]]
) -> Iterator[tuple[Piece, str]]:
    """Yield the moves that turn one board into another: a piece with its new cell ("" for off the table), and its
    old cell ("" for from beside the table)."""
    off = [piece for cell, here in standing.items() for piece in without_pieces(here, wanted.get(cell, ()))]
    on = [piece for cell, here in wanted.items() for piece in without_pieces(here, standing.get(cell, ()))]
    for piece in on:
        same = next((each for each in off if same_pieces((each,), (piece,))), None)
        if same is not None:
            off.remove(same)
        yield piece, same.cell if same is not None else ""
    for piece in off:
        yield Piece(piece.kind, piece.owner, ""), piece.cell
