"""Two pictures of the same thing laid over each other (ECC). Knows pixels only."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np

from vision.features.pixels import Floats, corners_of, project
from vision.image import Image, Matrix

DIVERGED = 0.14
"""A corner that moves farther than this share of the shorter side: the search has run away."""
SMOOTH = 5
"""Pixels of the Gaussian that ECC smooths with."""


def aligned(known: Floats, seen: Floats, mask: Image | None = None, rounds: int = 12) -> tuple[Matrix, float] | None:
    """Return the homography from `known`'s pixels to `seen`'s (both grey, of one size) and their correlation.

    mask: 255 where `seen` may be believed. None: the search ran away.
    """
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, rounds, 1e-3)
    whole = np.full(known.shape[:2], 255, np.uint8) if mask is None else mask
    start = np.eye(3, dtype=np.float32)
    try:
        how, warp = cv2.findTransformECC(known, seen, start, cv2.MOTION_HOMOGRAPHY, criteria, whole, SMOOTH)
    except cv2.error:  # it did not converge
        return None
    matrix = cast(Matrix, warp.astype(np.float64))
    corners = corners_of((known.shape[1], known.shape[0]))
    moved = float(np.abs(project(matrix, corners) - corners).max())
    if not np.isfinite(moved) or moved > DIVERGED * min(known.shape):
        return None
    return matrix, float(how)


def inked(picture: Image) -> Floats:
    """Return a picture in the grey in which every ink stands out from paper: each pixel's darkest channel."""
    return cast(Floats, picture.min(axis=2).astype(np.float32))
