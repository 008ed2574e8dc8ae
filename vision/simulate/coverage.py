"""How much of each card on a rendered table shows: what lies on it, over it, or in a hand above it hides the rest."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulate.gesture import Reach
from vision.simulate.view import Points

RASTER = 1.0
"""Pixels per millimetre at which it is counted how much of a card shows."""


def visible_shares(
    cards: Sequence[Points], size: tuple[float, float], covers: Sequence[Points], hand: Reach | None
) -> list[float]:
    """Return how much of each card shows, from 0 to 1. `cards`: their corners on a mat of this size, the lowest first;
    `covers`: outlines of what lies over them."""
    wide, tall = (int(side * RASTER) + 1 for side in size)
    whose = np.zeros((tall, wide), np.int32)
    sizes = []
    for nth, corners in enumerate(cards, 1):
        area = [_raster(corners)]
        cv2.fillPoly(whose, area, nth, cv2.LINE_8, 4)
        alone = np.zeros((tall, wide), np.uint8)
        cv2.fillPoly(alone, area, 1, cv2.LINE_8, 4)
        sizes.append(max(1, cv2.countNonZero(alone)))
    for cover in covers:
        cv2.fillPoly(whose, [_raster(cover)], -1, cv2.LINE_8, 4)
    if hand is not None:
        for points, width in hand.hand.outline():
            cv2.polylines(whose, [_raster(points)], False, -1, max(1, round(width * RASTER)), cv2.LINE_8, 4)
        if hand.corners is not None:
            cv2.fillPoly(whose, [_raster(hand.corners)], -1, cv2.LINE_8, 4)
    left = np.bincount(whose[whose > 0].ravel(), minlength=len(sizes) + 1)
    return [float(left[nth] / size) for nth, size in enumerate(sizes, 1)]


def _raster(points: Points) -> npt.NDArray[np.int32]:
    """Return millimetres in sixteenths of the raster's pixels."""
    return np.rint(points * RASTER * 16).astype(np.int32)
