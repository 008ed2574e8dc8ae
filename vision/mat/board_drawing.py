"""Draw a board: cells with their terrain, names and sites, and the lines between them."""

from __future__ import annotations

from collections.abc import Iterator

from companion.drawing import Fill, Mark, Stroke, rectangle, text, text_width, transform
from companion.engine import Board, Cell
from companion.engine.pieces import piece_points, piece_side
from companion.engine.terrains import EDGE, EDGES, SIGNS, darker, terrain_of
from companion.i18n import Words

LINE, INK, FAINT, SITE = "#fffaf0", "#241f18", "#3c4650", "#7d6a5a"
"""Colours of the lines between cells, of labels and figures, of cell names, and of sites."""


def board_marks(board: Board, said: Words | None = None) -> Iterator[Mark]:
    """Yield a board's marks in millimetres from its upper left corner.

    said: the words of its game.
    """
    for cell in board.cells:
        yield from _ground(board, cell)
    for edge in board.edges:
        colour = EDGES.get(edge.kind, EDGE)
        ends = board.edge_line(edge)
        yield Stroke(ends, 2.0 if edge.passable else 2.8, colour)
        if not edge.passable:
            yield Stroke(ends, 0.7, "#ffffff")
    for cell in board.cells:
        yield from _print(board, cell, said)


def _ground(board: Board, cell: Cell) -> Iterator[Mark]:
    """Yield a cell's ground and its terrain symbol, which is smaller where the cell has sites for pieces."""
    terrain = terrain_of(board, cell.kind)
    radius = cell.inner_radius
    yield Fill((cell.outline,), terrain.colour)
    yield Stroke(cell.outline, 0.7, LINE, closed=True)
    sign, colour = SIGNS[terrain.symbol], darker(terrain.colour, 0.7)
    size = radius * (0.2 if cell.sites else 0.25)
    marks: list[Mark] = [Fill((area,), colour) for area in sign.areas]
    marks += [Stroke(line, 0.8 / size, colour) for line in sign.lines]
    yield from transform(marks, cell.x - 0.48 * radius, cell.y + 0.48 * radius, scale=size)


def _print(board: Board, cell: Cell, said: Words | None) -> Iterator[Mark]:
    """Yield the print on a cell: its sites, name, label and figure."""
    radius = cell.inner_radius
    side = piece_side(board, cell, cell.sites)
    for x, y in piece_points(board, cell, cell.sites):
        box = rectangle(x - side / 2, y - side / 2, side, side, side * 0.16)
        yield Stroke(box, 0.35, SITE, closed=True)
    yield text(cell.name, (cell.x, cell.y + radius * 0.92), radius * 0.2, FAINT, 500, "middle")
    if cell.label:
        key = f"cell.{cell.label}"
        name = cell.label if said is None or said(key) == key else said(key)
        yield from _name(name, cell)
    if cell.figure:
        yield text(cell.figure, (cell.x - radius * 0.62, cell.y + radius * 0.18), radius * 0.34, INK, 700, "middle")


def _name(name: str, cell: Cell) -> Iterator[Mark]:
    """Yield a label above the cell's middle, in two lines if it is too long for one."""
    radius = cell.inner_radius
    size, wide = radius * 0.2, radius * 1.66
    lines = [name]
    if text_width(name, size) > wide and " " in name:
        lines = list(min(_halves(name), key=lambda both: max(text_width(each, size) for each in both)))
        size = radius * 0.17
    size = min([size, *[size * wide / text_width(line, size) for line in lines]])
    for nth, line in enumerate(reversed(lines)):
        yield text(line, (cell.x, cell.y - radius * 0.42 - nth * size * 1.3), size, INK, 700, "middle")


def _halves(name: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to break a name into two lines."""
    words = name.split()
    yield from [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
