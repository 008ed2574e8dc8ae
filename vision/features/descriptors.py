"""The look of a card as a whole, in 2304 numbers, by which the nearest cards of an outline are found."""

from __future__ import annotations

import cv2
import numpy as np

from vision.features.blocks import level_view
from vision.features.pixels import Floats, lab
from vision.image import Image

GRID = (24, 32)
"""Width and height of a card's looks, upright."""
SOFT = 0.8
"""Pixels of the Gaussian over the looks: an outline is never quite right."""
NEAR = 3.0
"""Pixels of the Gaussian whose mean is taken off as well: glare and shadows are wider than what is drawn."""
INSET = 0.0625
"""The outermost pixels are left away: an outline is never quite right."""


def global_descriptor(view: Image) -> Floats:
    """Return 2304 numbers of unit length for an upright view in BGR, brightness and the light's colour removed."""
    height, width = view.shape[:2]
    x, y = round(width * INSET), round(height * INSET)
    small = cv2.resize(view[y : height - y, x : width - x], GRID, interpolation=cv2.INTER_AREA)
    wide = level_view(lab(small))
    flat = cv2.GaussianBlur(wide - cv2.GaussianBlur(wide, (0, 0), NEAR), (0, 0), SOFT).ravel()
    return flat / np.float32(max(float(np.linalg.norm(flat)), 20.0))
