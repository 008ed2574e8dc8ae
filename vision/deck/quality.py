"""What is wrong with a reference picture, as keys and figures. Knows one card's straight picture, no sentences."""

from __future__ import annotations

import cv2
import numpy as np

from vision.features import WHITE, grey_of, resized
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


def faults(card: Image) -> dict[str, float]:
    """Return what is wrong with a card's straight picture: `empty`, `small`, `blur`, `dark`, `glare`, with figures."""
    found: dict[str, float] = {}
    grey = grey_of(card)
    short = min(card.shape[:2])
    scale = JUDGED / short
    judged = resized(grey, round(grey.shape[1] * scale), round(grey.shape[0] * scale))
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
        found["glare"] = round(100 * burnt)
    return found
