"""Measure the visible share of each card on a rendered table, under cards, objects and hands."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulate.camera_geometry import Points
from vision.simulate.gesture import Reach

RASTER = 1.0
"""Pixels per millimetre for measuring the visible share of a card."""
FINE, MARGIN = 4.0, 1.0
"""Pixels per millimetre for measuring the visible share of a token, which is a tenth of a card, and the margin in
millimetres around tokens."""


def visible_shares(
    cards: Sequence[Points],
    size: tuple[float, float],
    covers: Sequence[Points],
    hand: Reach | None,
    raster: float = RASTER,
) -> list[float]:
    """Return each card's visible share, from 0 to 1.

    cards: their corners on a mat of this size, the lowest first. covers: outlines of objects over them. raster: pixels
    per millimetre.
    """
    wide, tall = (int(side * raster) + 1 for side in size)
    whose = np.zeros((tall, wide), np.int32)
    sizes = []
    for nth, corners in enumerate(cards, 1):
        area = [_raster(corners, raster)]
        cv2.fillPoly(whose, area, nth, cv2.LINE_8, 4)
        alone = np.zeros((tall, wide), np.uint8)
        cv2.fillPoly(alone, area, 1, cv2.LINE_8, 4)
        sizes.append(max(1, cv2.countNonZero(alone)))
    for cover in covers:
        cv2.fillPoly(whose, [_raster(cover, raster)], -1, cv2.LINE_8, 4)
    if hand is not None:
        for points, width in hand.hand.outline():
            cv2.polylines(whose, [_raster(points, raster)], False, -1, max(1, round(width * raster)), cv2.LINE_8, 4)
        if hand.corners is not None:
            cv2.fillPoly(whose, [_raster(hand.corners, raster)], -1, cv2.LINE_8, 4)
    left = np.bincount(whose[whose > 0].ravel(), minlength=len(sizes) + 1)
    return [float(left[nth] / size) for nth, size in enumerate(sizes, 1)]


def shares_within(outlines: Sequence[Points]) -> list[float]:
    """Return the visible share of each of some small objects, from 0 to 1.

    outlines: in millimetres, the lowest first.
    """
    if not outlines:
        return []
    points = np.vstack(outlines)
    corner, size = points.min(axis=0) - MARGIN, np.ptp(points, axis=0) + 2 * MARGIN
    return visible_shares([each - corner for each in outlines], (size[0], size[1]), (), None, FINE)


def _raster(points: Points, raster: float) -> npt.NDArray[np.int32]:
    """Return millimetres in sixteenths of the raster's pixels."""
    return np.rint(points * raster * 16).astype(np.int32)
