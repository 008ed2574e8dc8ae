"""A global descriptor of a card: 2304 numbers for finding the cards most similar to an outline."""

from __future__ import annotations

import cv2
import numpy as np

from vision.features.blocks import level_view
from vision.features.pixels import Floats, lab
from vision.image import Image

GRID = (24, 32)
"""Width and height of the descriptor's grid, for an upright card."""
SOFT = 0.8
"""Sigma in grid cells of the Gaussian blur, because outlines are inexact."""
NEAR = 3.0
"""Sigma in grid cells of the Gaussian mean to subtract, because glare and shadows are wider than print."""
INSET = 0.0625
"""The margin to ignore as a share of each side, because outlines are inexact."""


def global_descriptor(view: Image) -> Floats:
    """Return 2304 numbers of unit length for an upright view in BGR, without brightness and light colour."""
    height, width = view.shape[:2]
    x, y = round(width * INSET), round(height * INSET)
    small = cv2.resize(view[y : height - y, x : width - x], GRID, interpolation=cv2.INTER_AREA)
    wide = level_view(lab(small))
    flat = cv2.GaussianBlur(wide - cv2.GaussianBlur(wide, (0, 0), NEAR), (0, 0), SOFT).ravel()
    return flat / np.float32(max(float(np.linalg.norm(flat)), 20.0))
