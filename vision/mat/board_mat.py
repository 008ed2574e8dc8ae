"""A printed board as a mat: the board with markers around it, on sheets that are joined without a gap."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from companion.engine import Board
from vision.card_size import MatError
from vision.mat.mat import Marker, Mat, MatSheet
from vision.mat.sheets import BLOCK, CLEAR, PAPERS, RIM, SIDE, TABLE

FIRST, BOARDS = 12, 8
"""The first block of marker numbers for boards, and how many boards of a game have a block of their own."""
AROUND = SIDE + 2 * CLEAR
"""Millimetres around a board, for its markers."""
CARD = (63.0, 88.0)
"""A mat has a card's size, even if no card lies on it."""


@lru_cache(maxsize=16)
def make_board_mat(board: Board, number: int = 0, paper: str = "a4") -> Mat:
    """Return a board with its markers, on a paper; `number` counts the boards of a game, from 0.

    Raise `MatError` where it fits no usual table.
    """
    if paper not in PAPERS:
        raise MatError(f"{paper!r} is not a known paper size: choose one of {', '.join(PAPERS)}.")
    size = (board.size[0] + 2 * AROUND, board.size[1] + 2 * AROUND)
    if max(size) > max(TABLE) or min(size) > min(TABLE):
        raise MatError(
            f"This board is {size[0] / 10:.0f} × {size[1] / 10:.0f} cm, and the largest that is made is"
            f" {TABLE[0] / 10:.0f} × {TABLE[1] / 10:.0f} cm: make its cells smaller."
        )
    width, height = PAPERS[paper]
    held = min(((width, height), (height, width)), key=lambda each: (_count(size, each), each))
    sheets = tuple(_sheets(size, held))
    markers = tuple(_markers(size, sheets, (FIRST + number % BOARDS) * BLOCK))
    return Mat(size, CARD, (), markers, sheets, paper=paper, board=board, board_at=(AROUND, AROUND))


def is_board_marker(number: int) -> bool:
    """Whether a marker of this number stands beside a board."""
    return FIRST <= number // BLOCK < FIRST + BOARDS


def _columns(length: float, paper: float) -> int:
    """Return how many sheets a length needs; sheets overlap by their white rims."""
    most = paper - 2 * RIM
    return max(1, int(-(-length // most)))


def _count(size: tuple[float, float], held: tuple[float, float]) -> int:
    return _columns(size[0], held[0]) * _columns(size[1], held[1])


def _sheets(size: tuple[float, float], held: tuple[float, float]) -> Iterable[MatSheet]:
    """Yield the sheets row by row: the printed part of each begins where that of the one before ends."""
    columns, rows = _columns(size[0], held[0]), _columns(size[1], held[1])
    step = (held[0] - 2 * RIM, held[1] - 2 * RIM)
    left, top = (size[0] - columns * step[0]) / 2 - RIM, (size[1] - rows * step[1]) / 2 - RIM
    for row in range(rows):
        for column in range(columns):
            x, y = left + column * step[0], top + row * step[1]
            yield MatSheet(row * columns + column + 1, x, y, *held)


def _markers(size: tuple[float, float], sheets: tuple[MatSheet, ...], first: int) -> Iterable[Marker]:
    """Yield markers around the board: at both ends of each sheet's part of an edge, none cut by a joint."""
    far = AROUND - CLEAR - SIDE
    spots: dict[tuple[float, float], int] = {}
    for sheet in sheets:
        left, right = max(0.0, sheet.x + RIM), min(size[0], sheet.x + sheet.width - RIM)
        top, low = max(0.0, sheet.y + RIM), min(size[1], sheet.y + sheet.height - RIM)
        across = [left + CLEAR, right - CLEAR - SIDE] if right - left >= SIDE + 2 * CLEAR else []
        down = [top + CLEAR, low - CLEAR - SIDE] if low - top >= SIDE + 2 * CLEAR else []
        rows = [y for y, edge in ((far, top == 0), (size[1] - far - SIDE, low == size[1])) if edge]
        columns = [x for x, edge in ((far, left == 0), (size[0] - far - SIDE, right == size[0])) if edge]
        own = [(x, y) for y in rows for x in across] + [(x, y) for x in columns for y in down]
        for x, y in own:
            if all(abs(x - u) >= SIDE + CLEAR or abs(y - v) >= SIDE + CLEAR for u, v in spots):
                spots[x, y] = sheet.number
    for nth, ((x, y), number) in enumerate(list(spots.items())[:BLOCK]):
        yield Marker(first + nth, x, y, SIDE, number)
