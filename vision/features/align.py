"""Align two pictures of the same object with ECC."""

from __future__ import annotations

import cv2
import numpy as np

from vision.features.blocks import level_view
from vision.features.pixels import Floats, corners_of, darkest, project
from vision.image import Image, Matrix

DIVERGED = 0.14
"""The movement of a corner, as a share of the shorter side, above which the search has diverged."""
EDGE = 0.04
"""The margin to ignore as a share of a card's shorter side, because the surroundings may show there."""
SHIFT = 0.08
"""The search radius for the shift, as a share of the shorter side."""
LEAST_PIXELS = 150
"""The minimum number of pixels for an alignment."""
BETTER = 0.01
"""The minimum gain in correlation of a homography over an affine transform."""
SMOOTH = 5
"""The size in pixels of ECC's Gaussian filter."""


def align(known: Floats, seen: Floats, mask: Image | None = None) -> tuple[Matrix, float] | None:
    """Return the homography from `known` to `seen` (both grey and of one size) and their correlation, or None.

    It finds the best shift, then an affine transform, and then a homography if that is better, because sparse print
    constrains a homography poorly. mask: 255 where `seen` is reliable. None means that the search diverged.
    """
    height, width = known.shape
    inner = np.zeros((height, width), np.uint8)
    edge = max(1, round(EDGE * min(height, width)))
    inner[edge:-edge, edge:-edge] = 255
    whole = inner if mask is None else cv2.bitwise_and(mask, inner)
    if int((whole > 0).sum()) < LEAST_PIXELS:
        return None
    start = np.eye(3, dtype=np.float32)
    start[:2, 2] = _shift(known, seen)
    best: tuple[Matrix, float] | None = None
    for motion, rounds in ((cv2.MOTION_AFFINE, 30), (cv2.MOTION_HOMOGRAPHY, 15)):
        criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, rounds, 1e-3)
        given = start[:2].copy() if motion == cv2.MOTION_AFFINE else start.copy()
        try:
            how, warp = cv2.findTransformECC(known, seen, given, motion, criteria, whole, SMOOTH)
        except cv2.error:  # it did not converge
            break
        matrix = np.eye(3)
        matrix[: len(warp)] = warp
        if _far(matrix, (width, height)) or (best is not None and how < best[1] + BETTER):
            break
        best, start = (matrix, float(how)), matrix.astype(np.float32)
    return best


def _shift(known: Floats, seen: Floats) -> tuple[float, float]:
    """Return the offset of `seen` in whole pixels: x and y."""
    reach = max(1, round(SHIFT * min(known.shape)))
    found = cv2.matchTemplate(seen, known[reach:-reach, reach:-reach], cv2.TM_CCOEFF_NORMED)
    _, _, _, (x, y) = cv2.minMaxLoc(found)
    return x - reach, y - reach


def _far(matrix: Matrix, size: tuple[int, int]) -> bool:
    corners = corners_of(size)
    moved = float(np.abs(project(matrix, corners) - corners).max())
    return not np.isfinite(moved) or moved > DIVERGED * min(size)


def ink_grey(picture: Image) -> Floats:
    """Return a picture's darkest channel, levelled, in which every ink stands out from paper."""
    ink = darkest(picture).astype(np.float32)
    return level_view(ink[:, :, None])[:, :, 0]
