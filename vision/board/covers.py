"""Finds what lies over a board and is no piece: hands, sleeves, cards. The cells beneath and beside it are not read."""

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
"""Pixels a millimetre at which boards are read: a cube of 8 mm is 24 pixels wide."""
UNLIKE = 18.0
"""How much a piece differs from the ground that it covers, in CIE Lab."""
FAINT, FAINT_BREADTH = 10.0, 5.0
"""The same of a piece in nearly the colour of a ground that was photographed, and millimetres of its least breadth."""
SPECK = 1.7
"""Millimetres: thinner things are joints, shadows' edges and print."""
HIDDEN = 0.035
"""The part of a cell covered by something that is no piece, from which the cell is not read."""
UNKNOWN = 0.4
"""The same as a part of a piece's area: it may be a piece of a colour that cannot be told from the ground."""
LARGE, BESIDE = 120.0, 10.0
"""Square millimetres of a hand or a card, and millimetres around it within which it may hold or hide pieces."""
STRANGE, BROAD, FINGER = 14.0, 26.0, 12.0
"""How much a hand, a sleeve or a card differs from the print below it, in CIE Lab; its least breadth in millimetres, as
pieces that stand together are narrower; and the least breadth of a finger that belongs to it."""
EDGE, HEAP = 4, 2200.0
"""Arms come from beyond the sheets' edges: millimetres from there, and square millimetres of what does not."""


def hidden_cells(
    unlike: Field, classes: npt.NDArray[np.int8], mat: Mat, board: Board, photographed: bool = False
) -> set[str]:
    """Return the cells that something covers that is no piece (a hand, a card), and those closely beside it.

    `photographed`: the ground was seen by this camera, so that faint differences count, too.
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
    """Return where something covers the board that is broader than pieces: hands, sleeves of any colour, cards."""
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
    """Return a disc of so many millimetres for morphology."""
    side = max(1, round(millimetres * PX)) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)
