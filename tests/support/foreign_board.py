"""A board from another box: the cells of one of ours in other proportions and colours, without markers."""

from __future__ import annotations

from random import Random

import msgspec
import numpy as np

from companion.engine import Board
from companion.engine.board import Terrain, corner_cells
from vision.board.manual_board import ManualBoard, check_board
from vision.mat import Mat
from vision.mat.board_mat import CARD
from vision.simulate.camera_geometry import CameraGeometry
from vision.simulate.rendered_table import RenderedTable

STRETCH, RIM = (1.07, 0.96), 20.0
"""The factors for the board's width and height, and the millimetres of print around its cells."""
ELSEWHERE = 4.0
"""The largest distance of a cell from its position on our board, in millimetres."""
COLOURS = ("#a9bf78", "#8fa45e", "#b89a66", "#d8c08a", "#caa28e", "#7fa8bd", "#6f97b3", "#b7a0c4", "#cfc9b4")
"""The colours, stronger than those of our own print, like those of boards on sale."""
MISSED = 1.0
"""The largest distance of a tap from a hexagon's middle, in millimetres."""


def foreign_board(board: Board, seed: int = 0) -> Mat:
    """Return another box's board, as a mat without markers."""
    luck = Random(f"{seed} foreign")
    colours = luck.sample(COLOURS, len(COLOURS))
    kinds = sorted({cell.kind for cell in board.cells})
    terrains = tuple([Terrain(kind, colours[nth % len(colours)]) for nth, kind in enumerate(kinds)])
    low, high = min(cell.y for cell in board.cells), max(cell.y for cell in board.cells)

    def lie(x: float, y: float) -> tuple[float, float]:
        bow = ELSEWHERE * np.sin(np.pi * (y - low) / (high - low))  # none at the corners
        return x * STRETCH[0] + RIM + float(bow), y * STRETCH[1] + RIM

    cells = []
    for cell in board.cells:
        x, y = lie(cell.x, cell.y)
        corners = tuple([lie(*corner) for corner in cell.corners])
        cells.append(msgspec.structs.replace(cell, x=x, y=y, corners=corners, radius=cell.radius * STRETCH[1]))
    size = (board.size[0] * STRETCH[0] + 2 * RIM, board.size[1] * STRETCH[1] + 2 * RIM)
    made = msgspec.structs.replace(board, size=size, cells=tuple(cells), terrains=terrains)
    return Mat(size, CARD, (), board=made)


def tapped(table: RenderedTable, game: str, board: Board, seed: int = 0, moved: tuple[str, ...] = ()) -> ManualBoard:
    """Return the board of a rendered table as people tap it: near the middles of its cells, including the `moved`
    ones."""
    luck = np.random.default_rng([seed, 31])
    assert table.board is not None and table.board.mat.board is not None
    there = table.board.mat.board
    view: CameraGeometry = table.view()

    def tap(name: str) -> tuple[float, float]:
        cell = there.by_name[name]
        at = table.board.to_table(np.array([[cell.x, cell.y]]) + luck.normal(0, MISSED / 2, (1, 2)))  # type: ignore[union-attr]
        x, y = (view.to_picture(at)[0] + 0.5) / table.size
        return float(x), float(y)

    first, second = [there.by_name[cell.name] for cell in corner_cells(board)[:2]]
    across = float(np.hypot(second.x - first.x, second.y - first.y))
    corners = [tap(cell.name) for cell in corner_cells(board)]
    return check_board(game, board, table.size, corners, across, {name: tap(name) for name in moved})
