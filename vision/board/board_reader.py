"""Find a game's printed board in full pictures, and read the pieces on its cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.engine import Piece, Setup
from companion.engine.board import board_of
from companion.games import SEEN
from companion.messages import CellSighting
from vision.board.board_locator import BoardLocator, boards_of
from vision.board.covers import Field
from vision.board.pieces import PieceReading, read_pieces
from vision.image import Image
from vision.mat import Mat, MatPose, make_board_mat, straighten
from vision.piece_colours import READABLE

COLOURS = READABLE
AGREED = 2
"""The number of pictures that must agree on a change of a cell."""
COARSE, SMOOTH = 1.0, 1.5
"""Pixels per millimetre for comparing two pictures of a board, and the sigma of their blur in such pixels."""
CHANGED = 15.0
"""The difference in levels of 255 that counts as a change. On rendered boards noise made up to 8, and a cube at
least 38."""


class BoardReader:
    """Reads the boards of one game from picture to picture. A game without boards yields nothing.

    A change of a cell is reported when two pictures agree on it. Pieces are searched for only if a picture differs from
    the last one, because most changes of a table are cards beside the board.
    """

    def __init__(self, game: str, data: Path | None = None) -> None:
        """Create a reader.

        data: the folder for a board set by hand.
        """
        self.locator = BoardLocator(game, data)
        self.boards = self.locator.boards
        self._changes = 0
        self._votes = CellVotes()
        self._last: tuple[MatPose, Field, tuple[CellSighting, ...]] | None = None
        """The last fully certain picture: the board's pose, its coarse picture and its cells."""
        self.pending = False
        """Whether another picture of the same table would add something."""
        self.too_small = False
        """Whether pieces appear too small to read."""

    @property
    def laid(self) -> tuple[Mat, MatPose] | None:
        """The board at its last pose, or None."""
        mat, pose = self.locator.mat, self.locator.pose
        return None if mat is None or pose is None else (mat, pose)

    def read(self, picture: Image, at: int) -> tuple[CellSighting, ...]:
        """Return the visible cells in a full picture of the table at rest, or none without a board."""
        self.pending = False
        if not self.boards or not self.locator.look(picture, at) or self.laid is None:
            return ()
        if self._changes != self.locator.changes:
            self._changes, self._votes = self.locator.changes, CellVotes()
        before, shown = self.laid[1], coarse(picture, *self.laid)
        if self._last is not None and self._last[0] is before and not differs(self._last[1], shown):
            return self._last[2]
        if not self.locator.recognises(picture):
            self.pending, self._last = True, None
            return ()
        mat, pose = self.laid
        if pose is not before:
            shown = coarse(picture, mat, pose)
        found = read_pieces(picture, pose, mat, COLOURS, bare=self.locator.bare)
        self.too_small = found.too_small
        kinds = {colour: kind for kind, colour in mat.board.neutral} if mat.board is not None else {}
        cells, self.pending = self._votes.count(cells_of(found, kinds))
        self._last = None if self.pending else (pose, shown, cells)
        return cells

    def forget(self) -> None:
        """Search for the board from scratch."""
        self.locator.forget()
        self._last = None


class CellVotes:
    """Remembers readings of cells, so that one picture's noise is never reported."""

    def __init__(self) -> None:
        self._told: dict[str, CellSighting] = {}
        self._votes: dict[str, Counter[CellSighting]] = {}
        """The number of different readings of a cell since its last report."""

    def count(self, cells: Iterable[CellSighting]) -> tuple[tuple[CellSighting, ...], bool]:
        """Add a picture's cells. Return the certain ones, and whether another picture would add something.

        Hidden cells are left out, but their last reports are remembered.
        """
        certain, pending = [], False
        for each in cells:
            if self._told.get(each.cell) == each:
                self._votes.pop(each.cell, None)
            else:
                votes = self._votes.setdefault(each.cell, Counter())
                votes[each] += 1
                if votes[each] >= AGREED:
                    self._told[each.cell] = each
                    del self._votes[each.cell]
                else:
                    pending = True
            if each.cell in self._told:
                certain.append(self._told[each.cell])
        return tuple(certain), pending


def coarse(picture: Image, mat: Mat, pose: MatPose) -> Field:
    """Return a board's picture, coarse and smooth enough to suppress noise."""
    seen = straighten(picture, pose, COARSE, mat.size).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), SMOOTH), np.float32)


def differs(before: Field, after: Field) -> bool:
    """Return whether anything was laid on a board, taken from it or moved between two pictures."""
    return bool(np.abs(before - after).max() > CHANGED)


def usual_board(game: str, players: int, paper: str = "a4") -> Mat | None:
    """Return the printed board of a match with its usual setup, or None for a game without one."""
    boards = boards_of(SEEN[game])
    if not boards:
        return None
    board = board_of(SEEN[game], SEEN[game].begin(Setup(game, players, deck="ours")))
    assert board is not None
    return make_board_mat(board, boards.index(board), paper)


def cells_of(reading: PieceReading, neutral: Mapping[str, str]) -> tuple[CellSighting, ...]:
    """Return a reading for the bus.

    neutral: the kind of neutral pieces by colour.
    """

    def names(pieces: Sequence[Piece]) -> tuple[str, ...]:
        known = [(p.kind, COLOURS[p.owner]) for p in pieces if p.owner is not None]
        return tuple(sorted([neutral.get(colour, f"{kind}.{colour}") for kind, colour in known]))

    certain = [CellSighting(cell, names(pieces)) for cell, pieces in reading.pieces.items()]
    asked = [CellSighting(cell, (), tuple(map(names, choices))) for cell, choices in reading.unsure.items()]
    return (*certain, *asked)
