"""Find fine print where a card has none, at the picture's own resolution.

A tint alone does not reveal hatching. `texture` measures how far print stands out from its local mean. `stripes` looks
for a single frequency and so finds paler hatching.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from vision.features.pixels import WHITE, Flags, Floats, darkest, median
from vision.image import Image

FINER = 3
"""The scale, relative to a view, at which to look for fine print: hatching lines lie closer than a view's pixels."""
LINES, AROUND = 3.0, 2.0
"""Sigma of two Gaussian blurs, in pixels at `FINER`. Print coarser than the first is not hatching. The second
averages the energy."""
FAINTEST = 6.0
"""The contrast that counts as fine print, in levels of 255, above noise and JPEG blocks."""
NOISIER = 3.0
"""Factor by which the contrast must exceed that of nearby paper and of the enrolled picture."""
SHORTEST, LONGEST = 2.6, 15.0
"""Wavelengths of hatching in pixels at `FINER`. Shorter waves are noise. Longer ones come from the light or the
part's shape."""
SLOPE = 4.0
"""Sigma of the Gaussian blur that levels a part's light and softens its edge, in pixels at `FINER`."""
CLIPPED = 3.0
"""Deviations are clipped at this multiple of their median. A covering card's edge deviates strongly in few pixels,
but hatching deviates everywhere."""
PALEST = 0.009
"""The minimum amplitude of a hatching's wave as a share of the paper's brightness. On the development photographs it
was at least 0.017 on visible hatching, and at most 0.008 on all other flat parts, even badly compressed ones."""
MOST_SIZES = 32
"""The number of part sizes whose wave masks are cached."""

CLEAR = 2.0
"""Factor by which an amplitude must exceed `PALEST` to prove hatching, on the enrolled picture and on another."""


def texture(fine: Image, size: tuple[int, int]) -> Floats:
    """Return the contrast of fine print in levels of 255, h × w of a view's `size`.

    fine: the card in BGR, at `FINER` times that size.
    """
    ink = darkest(fine).astype(np.float32)
    lines = ink - cv2.GaussianBlur(ink, (0, 0), LINES)
    strength = cv2.GaussianBlur(lines * lines, (0, 0), AROUND)
    amount: Floats = np.sqrt(cv2.resize(strength, size, interpolation=cv2.INTER_AREA).clip(0))
    return amount


def typical_texture(part: Flags, seen: Floats) -> float:
    """Return the median texture of a part of a card, or 0 where none of it shows.

    seen: the picture's texture at the pose.
    """
    return median(seen[part]) if part.any() else 0.0


def foreign_texture(part: Flags, beside: float, own: float, seen: Floats) -> float:
    """Return the fine print on a flat part that is not the card's own, as a share of the limit.

    beside: the median texture of the nearby paper. own: the part's texture on the enrolled picture. seen: the picture's
    texture at the pose.
    """
    return typical_texture(part, seen) / (FAINTEST + NOISIER * max(own, beside))


def stripes(fine: Image, part: Flags) -> float:
    """Return the amplitude of the strongest wave on a part of a card, in levels of 255.

    fine: the card in BGR, at `FINER` times the part's size. Only wavelengths of hatching count.
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
    weight = around * mask  # taper the edge, so that the part's own shape adds no wave
    height, width = [cv2.getOptimalDFTSize(side + 2 * FINER) for side in mask.shape]
    power = np.abs(np.fft.rfft2(off.clip(-limit, limit) * weight, (height, width)))
    return 2 * float(power[_hatching_waves(height, width)].max()) / float(weight.sum())


@lru_cache(MOST_SIZES)
def _hatching_waves(height: int, width: int) -> Flags:
    """Return a mask of the frequencies whose wavelength may be a hatching's."""
    length = 1 / np.maximum(np.hypot(np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)[None]), 1e-6)
    waves: Flags = (length > SHORTEST) & (length < LONGEST)
    return waves


def foreign_stripes(own: float, seen: float, bright: float) -> float:
    """Return the amplitude of waves that are not the card's own, as a share of the limit.

    own, seen: the part's amplitude on the enrolled picture and on the picture at the pose. bright: the paper's darkest
    channel there. All are in levels of 255.
    """
    return seen / max(PALEST * bright, NOISIER * own, 1.0)


def shows_hatching(own: float, seen: float, bright: float) -> bool:
    """Whether the picture shows the card's own hatching, however pale. For the arguments see `foreign_stripes`."""
    return own > CLEAR * PALEST * WHITE and seen > CLEAR * PALEST * bright


def brightness(fine: Image, paper: Flags) -> float:
    """Return the median of the paper's darkest channel in levels of 255, or 255 where no paper shows."""
    small = cv2.resize(darkest(fine), paper.shape[::-1], interpolation=cv2.INTER_AREA)[paper]
    return median(small) if len(small) else 255.0
