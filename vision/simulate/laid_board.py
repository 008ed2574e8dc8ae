"""A printed board on a rendered table, beside the mat and slightly rotated."""

from __future__ import annotations

from random import Random

import msgspec
import numpy as np

from vision.mat import Mat
from vision.simulate.camera_geometry import Area, Points
from vision.simulate.clutter import rectangle
from vision.simulate.difficulty import Difficulty

GAP = 25.0
"""The minimum distance between the mat and a board in millimetres."""
SHIFT, TURN = 12.0, 3.0
"""The maximum misplacement of a board in millimetres, and its maximum rotation in degrees."""
COASTER = 70.0
"""The margin in millimetres around a table's public area for its coasters."""
PICTURE = 16 / 9
"""The aspect ratio of pictures. Boards are laid so that little of the picture is wasted."""


class LaidBoard(msgspec.Struct, frozen=True, eq=False):
    """A board on the table. Without a mat beside it, the board is the mat and lies straight."""

    mat: Mat
    """The board with its markers."""
    middle: tuple[float, float]
    """The middle of its sheets in millimetres of the table."""
    turn: float = 0.0
    """Degrees clockwise."""

    def to_table(self, points: Points) -> Points:
        """Convert points from millimetres of its sheets to millimetres of the table."""
        a = np.radians(self.turn)
        turned = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        found: Points = (points - np.array(self.mat.size) / 2) @ turned.T + self.middle
        return found

    def corners(self) -> Points:
        """Return the corners of its sheets, clockwise from their upper left, in millimetres of the table."""
        return rectangle(self.mat.size, self.turn) + self.middle


def board_itself(mat: Mat) -> LaidBoard:
    """Return a board that is the mat."""
    return LaidBoard(mat, (mat.size[0] / 2, mat.size[1] / 2))


def lay_beside(mat: Mat, board: Mat, difficulty: Difficulty, seed: int) -> LaidBoard:
    """Return a board to the right of the mat or below it, whichever shows both larger, slightly misplaced."""
    luck = Random(f"{seed} board")
    turn = luck.uniform(-TURN, TURN)
    reach = rectangle(board.size, turn).max(axis=0)
    away, along = GAP + luck.uniform(0, SHIFT), luck.uniform(-SHIFT, SHIFT)
    (wide, high), (x, y) = mat.size, reach
    right = LaidBoard(board, (wide + away + x, high / 2 + along), turn)
    below = LaidBoard(board, (wide / 2 + along, high + away + y), turn)
    return min((right, below), key=lambda laid: _needs(table_area(mat, laid)))


def table_area(mat: Mat, board: LaidBoard | None) -> Area:
    """Return left, top, right and bottom of the area that the camera must see, in millimetres of the mat."""
    if board is None and mat.outline:
        return -COASTER, -COASTER, mat.size[0] + COASTER, mat.size[1] + COASTER
    if board is None:
        return 0.0, 0.0, *mat.size
    points = np.vstack([board.corners(), [[0.0, 0.0], mat.size]])
    (left, top), (right, low) = points.min(axis=0), points.max(axis=0)
    return float(left), float(top), float(right), float(low)


def _needs(area: Area) -> float:
    """Return the width in millimetres of a view that shows an area, which may be rotated by a quarter turn."""
    short, long = sorted((area[2] - area[0], area[3] - area[1]))
    return max(long, short * PICTURE)
