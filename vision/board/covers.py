"""Find objects over a board other than pieces: hands, sleeves and cards. Cells under and beside them are not read."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.engine import Board
from vision.mat import Mat

Field = npt.NDArray[np.float32]
"""A picture of float32."""
Points = npt.NDArray[np.float64]

PX = 3.0
"""Pixels per millimetre for reading boards: a cube of 8 mm is 24 pixels wide."""
UNLIKE = 18.0
"""The minimum difference between a piece and the ground below it, in CIE Lab."""
FAINT, FAINT_BREADTH = 10.0, 5.0
"""The minimum difference in CIE Lab for a piece of nearly the colour of a photographed ground, and the minimum width
of such a piece in millimetres."""
SPECK = 1.7
"""The width in millimetres below which objects are joints, shadows' edges or print."""
HIDDEN = 0.035
"""The covered share of a cell above which it is not read."""
UNKNOWN = 0.4
"""The covered area of a cell, as a share of a piece's, above which the cell is not read. The object may be a piece
that resembles the ground."""
LARGE, BESIDE = 120.0, 10.0
"""The minimum area in mm² of a hand or a card, and the distance in millimetres within which it may hold or hide
pieces."""
STRANGE, BROAD, FINGER = 14.0, 26.0, 12.0
"""For a hand, a sleeve or a card: the minimum difference from the print below it in CIE Lab, its minimum width in
millimetres (groups of pieces are narrower), and the minimum width of a finger that belongs to it."""
EDGE, HEAP = 4, 2200.0
"""The distance in millimetres from the sheets' edges at which arms enter, and the minimum area in mm² of objects
that do not."""


def hidden_cells(
    unlike: Field, classes: npt.NDArray[np.int8], mat: Mat, board: Board, photographed: bool = False
) -> set[str]:
    """Return the cells covered by an object other than a piece, such as a hand or a card, and those close beside it.

    photographed: whether this camera photographed the ground, so that faint differences count too.
    """
    pieces = cv2.morphologyEx((classes >= 0).astype(np.uint8), cv2.MORPH_OPEN, disc(SPECK))
    near = cv2.dilate(pieces, disc(3.5))  # shadows and sides of pieces
    other = cv2.morphologyEx(((unlike > UNLIKE) & (near == 0)).astype(np.uint8), cv2.MORPH_OPEN, disc(SPECK))
    if photographed:
        faint = ((unlike > FAINT) & (near == 0)).astype(np.uint8)
        other = cv2.bitwise_or(other, cv2.morphologyEx(faint, cv2.MORPH_OPEN, disc(FAINT_BREADTH / 2)))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(other, connectivity=8)
    large = [nth for nth in range(1, count) if stats[nth, cv2.CC_STAT_AREA] > LARGE * PX**2]
    covers = cv2.bitwise_or(np.isin(labels, large).astype(np.uint8), _broad(unlike))
    around = cv2.dilate(covers, disc(2 * BESIDE)) if covers.any() else other
    found = set()
    for cell in board.cells:
        inside = np.zeros(other.shape, np.uint8)
        cv2.fillPoly(inside, [_pixels(np.array(cell.outline), mat)], 1)
        least = min(HIDDEN * cv2.countNonZero(inside), UNKNOWN * (board.piece * PX) ** 2)
        if cv2.countNonZero(cv2.bitwise_and(cv2.bitwise_or(other, around), inside)) > least:
            found.add(cell.name)
    return found


def _broad(unlike: Field) -> npt.NDArray[np.uint8]:
    """Return a mask of objects broader than pieces: hands, sleeves of any colour, and cards."""
    size = (max(1, round(unlike.shape[1] / PX)), max(1, round(unlike.shape[0] / PX)))
    strange = (cv2.resize(unlike, size, interpolation=cv2.INTER_AREA) > STRANGE).astype(np.uint8)
    core = cv2.morphologyEx(strange, cv2.MORPH_OPEN, disc(BROAD / PX))
    if not core.any():
        return np.zeros(unlike.shape, np.uint8)
    parts = cv2.morphologyEx(strange, cv2.MORPH_OPEN, disc(FINGER / PX))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(parts, connectivity=8)
    x, y, wide, high, area = stats.T
    cut = (x < EDGE) | (y < EDGE) | (x + wide > size[0] - EDGE) | (y + high > size[1] - EDGE)
    whole = np.isin(np.arange(count), np.unique(labels[core > 0])) & (cut | (area > HEAP)) & (np.arange(count) > 0)
    found = whole.astype(np.uint8)[labels]
    return np.asarray(cv2.resize(found, unlike.shape[::-1], interpolation=cv2.INTER_NEAREST), np.uint8)


def _pixels(points: Points, mat: Mat) -> npt.NDArray[np.int32]:
    found: npt.NDArray[np.int32] = np.rint((points + np.array(mat.board_at)) * PX).astype(np.int32)
    return found


@lru_cache(maxsize=8)
def disc(millimetres: float) -> npt.NDArray[np.uint8]:
    """Return a disc of this diameter in millimetres for morphology."""
    side = max(1, round(millimetres * PX)) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)
