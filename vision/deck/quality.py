"""Judges a card's straight picture: its faults as keys and figures."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np

from vision.features.pixels import WHITE, darkest, grey_of, resize
from vision.image import Image

SMALL = 180
"""Pixels of a card's shorter side under which its picture is too small."""
JUDGED = 240
"""Pixels of the shorter side at which sharpness is judged."""
SHARP = 25.0
"""Variance of the Laplacian under which a picture with something on it is blurred."""
EMPTY = 6.0
"""Standard deviation of grey under which nothing is on the picture at all."""
DARK = 45
"""Of 255: a picture whose bright parts (the 95th percentile) are darker is too dark."""
GLARE = 0.02
"""A share of burnt-out pixels that is too much, on a card that is not white itself."""
PAPER = 190
"""Of 255: from this median on a card is white, and may be burnt out without harm."""
RINGS = (2, 4, 6, 8, 10)
"""Pixels around a burnt-out part between which its surroundings are averaged, at `JUDGED` size."""
BRIGHT, FADES = 170.0, 3.0
"""Of 255: around a lamp's reflection the innermost ring is so bright, and each ring is darker by this than the last."""


def faults(card: Image, scanned: bool = True) -> dict[str, float]:
    """Return what is wrong with a card's straight picture: `empty`, `small`, `blur`, `dark`, `glare`, with figures.

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
    """Whether a lamp burnt out a part of a BGR picture: its reflection fades; a scan's white paper ends sharply."""
    least = darkest(card)
    away = cv2.distanceTransform((least < WHITE).astype(np.uint8), cv2.DIST_L2, 3)
    around = [least[(away >= low) & (away < high)] for low, high in pairwise(RINGS)]
    if any(not ring.size for ring in around):
        return False
    rings = np.array([ring.mean() for ring in around])
    return bool(rings[0] > BRIGHT and (np.diff(rings) < -FADES).all())
