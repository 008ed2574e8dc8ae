"""Builds common boards (hexes, squares and tracks) from rows of letters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypedDict, Unpack

from msgspec.structs import replace

from companion.engine.board import PIECE, BadBoard, Board, Cell, Edge, Point, Terrain

GAP = " ."
"""Letters that leave a gap in a row."""
MARGIN = 6.0
"""Millimetres around the cells."""


class CellFacts(TypedDict, total=False):
    """Properties of a cell besides its position; see `Cell`."""

    kind: str
    label: str
    figure: str
    sites: int


class BoardFacts(TypedDict, total=False):
    """Arguments of every builder besides the shape of its cells."""

    kinds: Mapping[str, str]
    """The kind of cell for each letter of the rows; other letters give cells without a kind."""
    cells: Mapping[str, CellFacts]
    """Further properties of cells, by name."""
    edges: Sequence[Edge]
    """An impassable edge separates two cells that would be neighbours."""
    terrains: Sequence[Terrain]
    piece: float
    neutral: tuple[tuple[str, str], ...]


class _Grid(NamedTuple):
    """The position of each cell by row and column, in the grid's own units."""

    name: str
    letter: str
    x: float
    y: float


def hex_board(
    name: str,
    rows: Sequence[str],
    across: float = 30.0,
    *,
    pointy: bool = True,
    indented: int = 1,
    **facts: Unpack[BoardFacts],
) -> Board:
    """Return a board of hexes. Each row has a letter for each hex, and a space or a full stop for each gap.

    A cell's name is the row's letter and the number in the row: `C4`. `across` is the distance between opposite sides
    in millimetres. Pointy hexes stand on a corner, and every second row is shifted right by half a hex, beginning with
    the first row (`indented=0`) or the second (1). Flat hexes lie on a side, and every second column is shifted down.
    """
    step = across * math.sqrt(3) / 2
    grid = []
    for row, column, letter in _letters(rows):
        shifted = across / 2 * ((row if pointy else column) % 2 == indented)
        x, y = (column * across + shifted, row * step) if pointy else (column * step, row * across + shifted)
        grid.append(_Grid(f"{_row_letter(row)}{column + 1}", letter, x, y))
    turns = [math.radians(60 * n - (30 if pointy else 0)) for n in range(6)]
    corners = tuple([(across / math.sqrt(3) * math.cos(a), across / math.sqrt(3) * math.sin(a)) for a in turns])
    return _board(name, grid, corners, across, facts)


def edges(kind: str, pairs: str, *, passable: bool = True) -> tuple[Edge, ...]:
    """Return edges of one kind between pairs of cells: `edges("river", "A4-A5 A5-B4")`."""
    found = []
    for pair in pairs.split():
        one, _, other = pair.partition("-")
        found.append(Edge((one, other), kind, passable))
    return tuple(found)


def square_board(
    name: str,
    rows: Sequence[str],
    side: float = 30.0,
    *,
    diagonal: bool = False,
    **facts: Unpack[BoardFacts],
) -> Board:
    """Return a board of squares, such as `square_board("chess", ["x" * 8] * 8)`: see `hex_board`.

    Squares are named as on a chess board seen from White: `A1` is at the lower left. With `diagonal`, squares that
    touch at a corner are also neighbours.
    """
    grid = [
        _Grid(f"{_row_letter(column)}{len(rows) - row}", letter, column * side, row * side)
        for row, column, letter in _letters(rows)
    ]
    half = side / 2
    corners = ((-half, -half), (half, -half), (half, half), (-half, half))
    return _board(name, grid, corners, side * (math.sqrt(2) if diagonal else 1), facts)


def track(
    name: str,
    count: int,
    side: float = 25.0,
    *,
    first: int = 1,
    per_row: int = 0,
    closed: bool = False,
    **facts: Unpack[BoardFacts],
) -> Board:
    """Return a track of squares, named by their numbers from `first`.

    It bends after `per_row` squares, and each row runs in the other direction; a closed track leads from its end back
    to its beginning.
    """
    most = per_row or count
    grid = []
    for at in range(count):
        row, along = divmod(at, most)
        grid.append(_Grid(str(first + at), "", (most - 1 - along if row % 2 else along) * side, row * side))
    half = side / 2
    corners = ((-half, -half), (half, -half), (half, half), (-half, half))
    links = list(pairwise([each.name for each in grid]))
    if closed and count > 2:
        links.append((grid[-1].name, grid[0].name))
    return _board(name, grid, corners, 0.0, facts, links)


def _letters(rows: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    for row, letters in enumerate(rows):
        for column, letter in enumerate(letters):
            if letter not in GAP:
                yield row, column, letter


def _row_letter(number: int) -> str:
    """Return A to Z, then AA, AB and so on."""
    first, last = divmod(number, 26)
    return (_row_letter(first - 1) if first else "") + chr(ord("A") + last)


def _board(
    name: str,
    grid: Sequence[_Grid],
    corners: Sequence[Point],
    reach: float,
    facts: BoardFacts,
    links: Sequence[tuple[str, str]] = (),
) -> Board:
    """Return the board of cells with the same corners around their centres, moved inside its margins.

    Cells are neighbours if they are linked or their centres are at most `reach` apart.
    """
    unknown = sorted(facts.get("cells", {}).keys() - {each.name for each in grid})
    if unknown:
        raise BadBoard(name, [f"The cell {each!r} has facts but is not on the board." for each in unknown])
    left = min([each.x for each in grid], default=0.0) + min(x for x, _ in corners) - MARGIN
    top = min([each.y for each in grid], default=0.0) + min(y for _, y in corners) - MARGIN
    right = max([each.x for each in grid], default=0.0) + max(x for x, _ in corners) + MARGIN
    bottom = max([each.y for each in grid], default=0.0) + max(y for _, y in corners) + MARGIN
    parted = {frozenset(edge.cells) for edge in facts.get("edges", ()) if not edge.passable}
    linked = {pair for one, other in links for pair in ((one, other), (other, one))}
    cells = []
    for each in grid:
        x, y = each.x - left, each.y - top
        near = [
            other.name
            for other in grid
            if other is not each
            and (math.dist((each.x, each.y), (other.x, other.y)) <= reach * 1.01 or (each.name, other.name) in linked)
            and frozenset((each.name, other.name)) not in parted
        ]
        cell = Cell(
            each.name,
            round(x, 3),
            round(y, 3),
            tuple([(round(x + dx, 3), round(y + dy, 3)) for dx, dy in corners]),
            neighbours=tuple(near),
            kind=facts.get("kinds", {}).get(each.letter, ""),
        )
        cells.append(replace(cell, **facts.get("cells", {}).get(each.name, {})))
    return Board(
        name,
        (round(right - left, 3), round(bottom - top, 3)),
        tuple(cells),
        tuple(facts.get("edges", ())),
        tuple(facts.get("terrains", ())),
        facts.get("piece", PIECE),
        facts.get("neutral", ()),
    )
