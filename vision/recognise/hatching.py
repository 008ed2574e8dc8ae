"""Finds fine print where a card has none: hatching that a tint alone does not show, at the picture's own resolution.

Print stands out from its mean (`texture`). A hatching that is too pale for that still has one frequency (`stripes`).
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from vision.features.pixels import WHITE, Flags, Floats, darkest, median
from vision.image import Image

FINER = 3
"""Times a view's size at which fine print is looked for: a hatching's lines lie closer than a view's pixels."""
LINES, AROUND = 3.0, 2.0
"""Pixels there of the Gaussians: print coarser than the first is no hatching; the second averages its energy."""
FAINTEST = 6.0
"""Levels of 255 by which fine print must stand out from its mean: noise and a JPEG file's blocks stay below."""
NOISIER = 3.0
"""And so many times more than on paper beside it, and on the enrolled picture."""
SHORTEST, LONGEST = 2.6, 15.0
"""Pixels there from line to line: shorter waves are noise, longer ones light and the part's own shape."""
SLOPE = 4.0
"""Pixels there of the Gaussian by which a part's light is levelled and its edge softened."""
CLIPPED = 3.0
"""Times the median difference from the mean, beyond which a pixel counts no more: the edge of a card that lies over the
part differs much in few pixels, a hatching everywhere."""
PALEST = 0.009
"""Share of the paper's brightness by which a hatching's wave stands out at least. On the development photographs it was
0.017 or more on hatching that is seen at all, and at most 0.008 on all other flat parts, badly compressed ones too."""
MOST_SIZES = 32
"""Sizes of parts for which the waves of such a length are kept."""

CLEAR = 2.0
"""Times that share from which on a hatching is certain to show, on the enrolled picture and on another."""


def texture(fine: Image, size: tuple[int, int]) -> Floats:
    """Return how far fine print stands out, in levels of 255: h × w of a view's `size`.

    fine: the card in BGR, `FINER` times that size.
    """
    ink = darkest(fine).astype(np.float32)
    lines = ink - cv2.GaussianBlur(ink, (0, 0), LINES)
    strength = cv2.GaussianBlur(lines * lines, (0, 0), AROUND)
    amount: Floats = np.sqrt(cv2.resize(strength, size, interpolation=cv2.INTER_AREA).clip(0))
    return amount


def typical_texture(part: Flags, seen: Floats) -> float:
    """Return the median texture of a part of a card, 0 where nothing of it shows; seen: the picture's at the pose."""
    return median(seen[part]) if part.any() else 0.0


def foreign_texture(part: Flags, beside: float, own: float, seen: Floats) -> float:
    """Return how much fine print a flat part shows that is not the card's, as a share of what is allowed.

    beside: the median texture of the paper around. own: that of the part on the enrolled picture. seen: the picture's
    texture at the pose.
    """
    return typical_texture(part, seen) / (FAINTEST + NOISIER * max(own, beside))


def stripes(fine: Image, part: Flags) -> float:
    """Return the amplitude of the strongest wave on a part of a card, in levels of 255.

    fine: the card in BGR, `FINER` times the size of part. Only waves of a hatching's length count.
    """
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    if not len(rows):
        return 0.0
    inside = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    mask = cv2.resize(part[inside].astype(np.float32), None, fx=FINER, fy=FINER, interpolation=cv2.INTER_NEAREST)
    ink = darkest(fine[tuple([slice(FINER * side.start, FINER * side.stop) for side in inside])]).astype(np.float32)
    around = cv2.GaussianBlur(mask, (0, 0), SLOPE)
    mean = cv2.GaussianBlur(ink * mask, (0, 0), SLOPE) / np.maximum(around, 1e-3)
    off = ink - mean
    limit = CLIPPED * median(np.abs(off[mask > 0]))
    weight = around * mask  # it falls towards the edge, lest the part's own shape be a wave
    height, width = [cv2.getOptimalDFTSize(side + 2 * FINER) for side in mask.shape]
    power = np.abs(np.fft.rfft2(off.clip(-limit, limit) * weight, (height, width)))
    return 2 * float(power[_hatching_waves(height, width)].max()) / float(weight.sum())


@lru_cache(MOST_SIZES)
def _hatching_waves(height: int, width: int) -> Flags:
    """Return which of a transform's waves are as long as a hatching's."""
    length = 1 / np.maximum(np.hypot(np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)[None]), 1e-6)
    waves: Flags = (length > SHORTEST) & (length < LONGEST)
    return waves


def foreign_stripes(own: float, seen: float, bright: float) -> float:
    """Return how strong the waves on a part are that are not the card's, as a share of what is allowed.

    own, seen: the amplitude on the part of the enrolled picture, and of the picture at the pose. bright: the paper's
    darkest channel there; all in levels of 255.
    """
    return seen / max(PALEST * bright, NOISIER * own, 1.0)


def shows_hatching(own: float, seen: float, bright: float) -> bool:
    """Whether the picture shows the card's own hatching, however pale; see `foreign_stripes`."""
    return own > CLEAR * PALEST * WHITE and seen > CLEAR * PALEST * bright


def brightness(fine: Image, paper: Flags) -> float:
    """Return the median of the paper's darkest channel, in levels of 255; 255 where no paper shows."""
    small = cv2.resize(darkest(fine), paper.shape[::-1], interpolation=cv2.INTER_AREA)[paper]
    return median(small) if len(small) else 255.0
