"""Make a mat of a printed board: the board with markers around it, on overlapping sheets, so that no joint cuts a
cell."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from companion.engine import Board
from vision.card_size import MatError
from vision.mat.mat import Marker, Mat, MatSheet
from vision.mat.tiling import BLOCK, CLEAR, PAPERS, RIM, SIDE, TABLE

FIRST, BOARDS = 12, 8
"""The first block of marker numbers for boards, and the number of boards of a game with their own block."""
AROUND = SIDE + 2 * CLEAR
"""Millimetres around a board for its markers."""
FLAP = 8.0
"""Millimetres that a sheet prints beyond its own cells at the right and below, where its neighbour is glued on."""
ALIKE = 1.0
"""Distance in millimetres below which the middles of two cells are in one line."""
CARD = (63.0, 88.0)
"""The card size in millimetres that every mat has, even without cards."""


@lru_cache(maxsize=16)
def make_board_mat(board: Board, number: int = 0, paper: str = "a4") -> Mat:
    """Return the mat of a game's board `number` (from 0) on a paper. Raise `MatError` if it is too large for a usual
    table."""
    if paper not in PAPERS:
        raise MatError(f"{paper!r} is not a known paper size: choose one of {', '.join(PAPERS)}.")
    size = (board.size[0] + 2 * AROUND, board.size[1] + 2 * AROUND)
    if max(size) > max(TABLE) or min(size) > min(TABLE):
        raise MatError(
            f"This board is {size[0] / 10:.0f} × {size[1] / 10:.0f} cm, and the largest that is made is"
            f" {TABLE[0] / 10:.0f} × {TABLE[1] / 10:.0f} cm: make its cells smaller."
        )
    width, height = PAPERS[paper]
    tilings = [(_tiling(board, size, each), each) for each in ((width, height), (height, width))]
    tiling, held = min(tilings, key=lambda each: (len(each[0][0]) * len(each[0][1]), each[1]))
    sheets, seams = tuple(_sheets(tiling, held)), tuple([tuple([each.seam for each in strips]) for strips in tiling])
    markers = tuple(_markers(size, tiling, (FIRST + number % BOARDS) * BLOCK))
    return Mat(size, CARD, (), markers, sheets, paper=paper, board=board, board_at=(AROUND, AROUND), seams=seams)


def is_board_marker(number: int) -> bool:
    """Whether a marker of this number belongs to a board."""
    return FIRST <= number // BLOCK < FIRST + BOARDS


class Strip(NamedTuple):
    """A column or row of sheets: the range that they print, and the start of the next one's cells."""

    start: float
    end: float
    seam: float
    """The edge to the next strip beside the board, or the end of the mat at the last strip."""


def _strips(extents: Iterable[tuple[float, float, float]], length: float, room: float) -> tuple[Strip, ...]:
    """Return strips of paper, each with as many whole cells as fit with a margin for glue.

    extents: middle, start and end of each cell. The result is empty if a cell is larger than the paper.
    """
    left = sorted(extents)
    strips: list[Strip] = []
    while left:
        start = min(low for _, low, _ in left) if strips else 0.0
        count, end = 0, 0.0
        for nth in range(1, len(left) + 1):
            if nth < len(left) and left[nth][0] - left[nth - 1][0] < ALIKE:
                continue  # cells in one line stay together
            far = max(high for _, _, high in left[:nth]) + FLAP if nth < len(left) else length
            if far - start <= room:
                count, end = nth, far
        if not count:
            return ()
        seam = (left[count - 1][0] + left[count][0]) / 2 if count < len(left) else length
        strips.append(Strip(start, end, seam))
        left = left[count:]
    return tuple(strips)


def _tiling(board: Board, size: tuple[float, float], held: tuple[float, float]) -> tuple[tuple[Strip, ...], ...]:
    """Return columns and rows of sheets that cut no cell, or straight strips if a cell is too large."""
    found = []
    for axis in (0, 1):
        room = held[axis] - 2 * RIM
        ends = [([point[axis] for point in cell.outline], (cell.x, cell.y)[axis]) for cell in board.cells]
        cells = [(at + AROUND, min(points) + AROUND, max(points) + AROUND) for points, at in ends]
        found.append(_strips(cells, size[axis], room) or _straight(size[axis], room))
    return tuple(found)


def _straight(length: float, room: float) -> tuple[Strip, ...]:
    count = max(1, int(-(-length // room)))
    first = (length - count * room) / 2
    edges = [first + room * nth for nth in range(count + 1)]
    return tuple([Strip(low, high, min(high, length)) for low, high in pairwise(edges)])


def _sheets(tiling: tuple[tuple[Strip, ...], ...], held: tuple[float, float]) -> Iterable[MatSheet]:
    columns, rows = tiling
    for row, across in enumerate(rows):
        for column, down in enumerate(columns):
            yield MatSheet(row * len(columns) + column + 1, down.start - RIM, across.start - RIM, *held)


def _markers(size: tuple[float, float], tiling: tuple[tuple[Strip, ...], ...], first: int) -> Iterable[Marker]:
    """Yield markers around the board: at both ends of each sheet's part of an edge, and not across joints."""
    far = AROUND - CLEAR - SIDE
    spots: dict[tuple[float, float], int] = {}
    columns, rows = ([(0.0 if not n else strips[n - 1].seam, each.seam) for n, each in enumerate(strips)]
                     for strips in tiling)  # fmt: skip
    for number, ((top, low), (left, right)) in enumerate(product(rows, columns), 1):
        across = [left + CLEAR, right - CLEAR - SIDE] if right - left >= SIDE + 2 * CLEAR else []
        down = [top + CLEAR, low - CLEAR - SIDE] if low - top >= SIDE + 2 * CLEAR else []
        lines = [y for y, edge in ((far, top == 0), (size[1] - far - SIDE, low == size[1])) if edge]
        flanks = [x for x, edge in ((far, left == 0), (size[0] - far - SIDE, right == size[0])) if edge]
        own = [(x, y) for y in lines for x in across] + [(x, y) for x in flanks for y in down]
        for x, y in own:
            if all(abs(x - u) >= SIDE + CLEAR or abs(y - v) >= SIDE + CLEAR for u, v in spots):
                spots[x, y] = number
    for nth, ((x, y), number) in enumerate(list(spots.items())[:BLOCK]):
        yield Marker(first + nth, x, y, SIDE, number)
