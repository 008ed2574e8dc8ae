"""A game's boards as the camera's page draws them beside the picture, to show which cell is meant."""

from __future__ import annotations

import msgspec

from companion.engine import AnyGame, Board
from companion.engine.board import corner_cells, plays_on_board
from companion.engine.terrains import terrain_of
from companion.i18n import Words
from web.presenters.board_words import said_or


class CornerMark(msgspec.Struct, frozen=True):
    """A corner cell: its name, its middle and the radius of its inscribed circle, in millimetres."""

    cell: str
    x: float
    y: float
    radius: float


class SketchCell(msgspec.Struct, frozen=True):
    """A cell of the sketch."""

    points: str
    """In the format of an SVG polygon, in millimetres."""
    colour: str


class BoardSketch(msgspec.Struct, frozen=True):
    """A board as a sketch, with its corner cells clockwise from the upper left."""

    name: str
    title: str
    width: float
    height: float
    cells: tuple[SketchCell, ...]
    corners: tuple[CornerMark, ...]


def board_sketches(game: AnyGame, say: Words) -> tuple[BoardSketch, ...]:
    """Return a game's boards, without those that lack four corner cells to tap."""
    found = []
    for board in game.boards if plays_on_board(game) else ():
        try:
            found.append(_sketch(board, say))
        except ValueError:
            continue
    return tuple(found)


def _sketch(board: Board, say: Words) -> BoardSketch:
    corners = [CornerMark(c.name, round(c.x, 1), round(c.y, 1), round(c.inner_radius, 1)) for c in corner_cells(board)]
    cells = [
        SketchCell(" ".join([f"{x:.1f},{y:.1f}" for x, y in c.outline]), terrain_of(board, c.kind).colour)
        for c in board.cells
    ]
    title = said_or(say, f"board.{board.name}", board.name)
    return BoardSketch(board.name, title, *board.size, tuple(cells), tuple(corners))
