"""Judge a card's straight picture, and return its faults as keys and figures."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np

from vision.features.pixels import WHITE, darkest, grey_of, resize
from vision.image import Image

SMALL = 180
"""The shorter side of a card in pixels below which its picture is too small."""
JUDGED = 240
"""The shorter side in pixels at which sharpness is judged."""
SHARP = 25.0
"""The variance of the Laplacian below which a picture with contrast is blurred."""
EMPTY = 6.0
"""The standard deviation of grey below which a picture shows nothing."""
DARK = 45
"""The 95th percentile of brightness, in levels of 255, below which a picture is too dark."""
GLARE = 0.02
"""The share of burnt-out pixels that is too high for a card that is not white."""
PAPER = 190
"""The median level, of 255, above which a card is white and may be burnt out without harm."""
RINGS = (2, 4, 6, 8, 10)
"""Distances in pixels that bound the rings around a burnt-out part, at `JUDGED` size."""
BRIGHT, FADES = 170.0, 3.0
"""Limits for a lamp's reflection in levels of 255: the minimum brightness of the innermost ring, and the minimum
decrease from ring to ring."""


def faults(card: Image, scanned: bool = True) -> dict[str, float]:
    """Return the faults of a card's straight picture, `empty`, `small`, `blur`, `dark` or `glare`, with figures.

    scanned: whether it may be a scan, whose white paper is burnt out without a lamp.
    """
    found: dict[str, float] = {}
    grey = grey_of(card)
    short = min(card.shape[:2])
    scale = JUDGED / short
    judged = resize(grey, round(grey.shape[1] * scale), round(grey.shape[0] * scale))
    if float(judged.std()) < EMPTY:
        found["empty"] = round(float(judged.std()), 1)
    if short < SMALL:
        found["small"] = short
    sharpness = float(cv2.Laplacian(judged, cv2.CV_32F).var())
    if sharpness < SHARP and float(judged.std()) >= EMPTY:
        found["blur"] = round(sharpness, 1)
    bright = float(np.percentile(judged, 95))
    if bright < DARK:
        found["dark"] = round(bright)
    burnt = float((card.min(axis=2) >= WHITE).mean()) if card.ndim == 3 else 0.0
    if burnt > GLARE and float(np.median(grey)) < PAPER:
        small = resize(card, judged.shape[1], judged.shape[0])
        if not scanned or reflects(small):
            found["glare"] = round(100 * burnt)
    return found


def reflects(card: Image) -> bool:
    """Whether a lamp burnt out a part of a BGR picture. A lamp's reflection fades, but a scan's white paper ends
    sharply."""
    least = darkest(card)
    away = cv2.distanceTransform((least < WHITE).astype(np.uint8), cv2.DIST_L2, 3)
    around = [least[(away >= low) & (away < high)] for low, high in pairwise(RINGS)]
    if any(not ring.size for ring in around):
        return False
    rings = np.array([ring.mean() for ring in around])
    return bool(rings[0] > BRIGHT and (np.diff(rings) < -FADES).all())
