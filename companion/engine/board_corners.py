"""The four corner cells of a board, by which people show a camera where it lies."""

from __future__ import annotations

from companion.engine.board import Board, Cell


def corner_cells(board: Board) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the outermost cells, clockwise from the upper left; raise `ValueError` where they are fewer than four."""
    wide, high = board.size

    def outermost(x: int, y: int) -> Cell:
        return max(board.cells, key=lambda cell: x * cell.x / wide + y * cell.y / high)

    found = outermost(-1, -1), outermost(1, -1), outermost(1, 1), outermost(-1, 1)
    if len({cell.name for cell in found}) < len(found):
        raise ValueError(f"The board {board.name!r} has no four corner cells.")
    return found
