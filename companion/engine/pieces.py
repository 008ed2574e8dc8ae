"""Pieces on the cells of a board: their names, comparison, and drawing positions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

import msgspec

from companion.engine.board import Board, Cell, Point
from companion.engine.event import Seat


class Piece(msgspec.Struct, frozen=True):
    """A piece on a board."""

    kind: str
    """The kind of piece, such as `cube`; pages show `piece.<kind>` of the words."""
    owner: Seat | None
    """The seat whose colour it has; None if nobody owns it."""
    cell: str

    @property
    def sort(self) -> tuple[str, int]:
        """What makes pieces interchangeable: the kind and the owner, -1 for none."""
        return self.kind, -1 if self.owner is None else int(self.owner)


def piece_name(piece: Piece) -> str:
    """Return a piece's name in the style of cards: `cube` without an owner, `cube.2` for the second seat's."""
    return piece.kind if piece.owner is None else f"{piece.kind}.{piece.owner + 1}"


def by_cell(pieces: Iterable[Piece]) -> dict[str, tuple[Piece, ...]]:
    """Return pieces by the cell on which they stand, as `Layout.pieces` has them."""
    found: dict[str, tuple[Piece, ...]] = {}
    for piece in pieces:
        found[piece.cell] = (*found.get(piece.cell, ()), piece)
    return found


def same_pieces(some: Iterable[Piece], others: Iterable[Piece]) -> bool:
    """Return whether two sets hold the same pieces, in any order."""
    if some == others:  # usually both are empty
        return True
    return Counter([piece.sort for piece in some]) == Counter([piece.sort for piece in others])


def without_pieces(pieces: Iterable[Piece], others: Iterable[Piece]) -> tuple[Piece, ...]:
    """Return the remaining pieces after others like them are taken away."""
    less = Counter([piece.sort for piece in others])
    rest = []
    for piece in pieces:
        if less[piece.sort]:
            less[piece.sort] -= 1
        else:
            rest.append(piece)
    return tuple(rest)


def piece_points(board: Board, cell: Cell, count: int, side: float = 0.0) -> tuple[Point, ...]:
    """Return the drawing positions of `count` pieces on a cell: their centres, in lines around the cell's centre.

    `side` is the side of a drawn piece, if it is not drawn at its true size.
    """
    if not count:
        return ()
    step = (side or piece_side(board, cell, count)) * 1.2
    columns = math.ceil(math.sqrt(count))
    lines = math.ceil(count / columns)
    points = []
    for at in range(count):
        line, column = divmod(at, columns)
        across = min(columns, count - line * columns)
        x, y = (column - (across - 1) / 2) * step, (line - (lines - 1) / 2) * step
        points.append((cell.x + x, cell.y + y))
    return tuple(points)


def piece_side(board: Board, cell: Cell, count: int) -> float:
    """Return the side at which `count` pieces fit on a cell."""
    columns = math.ceil(math.sqrt(max(1, count)))
    return min(board.piece, 1.35 * cell.inner_radius / (columns * 1.2 - 0.2))
