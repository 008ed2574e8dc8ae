"""Finds a game's printed board in full pictures, and tells what stands on its cells."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from companion.engine import Board, Piece
from companion.engine.board import plays_on_board
from companion.games import SEEN
from companion.messages import CellSighting
from vision.board.pieces import PieceReading, read_pieces
from vision.image import Image
from vision.mat import PAPERS, Mat, MatDetector, MatError, is_board_marker, make_board_mat
from vision.piece_colours import PIECE_COLOURS

COLOURS = tuple(PIECE_COLOURS)


class BoardReader:
    """Reads the boards of one game; a game without boards has nothing to be read."""

    def __init__(self, game: str) -> None:
        self._boards = boards_of(SEEN[game])
        self._finder = MatDetector(self._candidates)

    def read(self, picture: Image, at: int) -> tuple[CellSighting, ...]:
        """Return the cells that can be seen in a full picture of the table at rest; none where no board is found."""
        if not self._boards:
            return ()
        pose = self._finder.look(picture, at)
        if pose is None or self._finder.mat is None:
            return ()
        return cells_of(read_pieces(picture, pose, self._finder.mat, COLOURS))

    def _candidates(self, numbers: Collection[int]) -> Iterable[Mat]:
        return board_mats(self._boards) if any(map(is_board_marker, numbers)) else ()


def boards_of(game: object) -> tuple[Board, ...]:
    """Return a game's boards."""
    return game.boards if plays_on_board(game) else ()


def board_mats(boards: Sequence[Board]) -> Iterable[Mat]:
    """Yield the mats of a game's boards on each paper; a board too large for a table has none."""
    for number, board in enumerate(boards):
        for paper in PAPERS:
            try:
                yield make_board_mat(board, number, paper)
            except MatError:
                continue


def cells_of(reading: PieceReading) -> tuple[CellSighting, ...]:
    """Return a reading for the bus."""

    def names(pieces: Sequence[Piece]) -> tuple[str, ...]:
        return tuple(sorted([f"{p.kind}.{COLOURS[p.owner]}" for p in pieces if p.owner is not None]))

    certain = [CellSighting(cell, names(pieces)) for cell, pieces in reading.pieces.items()]
    asked = [CellSighting(cell, (), tuple(map(names, choices))) for cell, choices in reading.unsure.items()]
    return (*certain, *asked)
