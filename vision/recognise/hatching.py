"""Finds fine print where a card has none: hatching that a tint alone does not show, at the picture's own resolution."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np

from vision.features import Flags, Floats, darkest
from vision.image import Image

FINER = 3
"""Times a view's size at which fine print is looked for: a hatching's lines lie closer than a view's pixels."""
LINES, AROUND = 3.0, 2.0
"""Pixels there of the Gaussians: print coarser than the first is no hatching; the second averages its energy."""
FAINTEST = 6.0
"""Levels of 255 by which fine print must stand out from its mean: noise and a JPEG file's blocks stay below."""
NOISIER = 3.0
"""And so many times more than on paper beside it, and on the enrolled picture."""


def texture(fine: Image, size: tuple[int, int]) -> Floats:
    """Return how far fine print stands out, in levels of 255: h × w of a view's `size`.

    fine: the card in BGR, `FINER` times that size.
    """
    ink = darkest(fine).astype(np.float32)
    lines = ink - cv2.GaussianBlur(ink, (0, 0), LINES)
    strength = cv2.GaussianBlur(lines * lines, (0, 0), AROUND)
    return cast(Floats, np.sqrt(cv2.resize(strength, size, interpolation=cv2.INTER_AREA).clip(0)))


def foreign_texture(part: Flags, paper: Flags, own: float, seen: Floats) -> float:
    """Return how much fine print a flat part shows that is not the card's, as a share of what is allowed.

    own: the median texture of the part on the enrolled picture. seen: the picture's texture at the pose.
    """
    beside = float(np.median(seen[paper])) if paper.any() else 0.0
    return float(np.median(seen[part])) / (FAINTEST + NOISIER * max(own, beside))
