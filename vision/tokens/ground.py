"""The paper under tokens: fit its light, divide by it, and find the foreground that differs from it."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np

from vision.features.pixels import WHITE, Flags, Floats, darkest, lab
from vision.image import Image

FITTED = 8
"""The factor by which a picture is reduced before the light is fitted, because light changes slowly."""
ROUNDS = 5
"""The number of fits, each using the paper found by the last one."""
BRIGHT = 85
"""The percentile of a place's brightness that is certainly paper. Tokens and print are darker."""
PAPER = 0.10
"""The tolerance of paper pixels as a share of the light, for noise, the paper's grain and soft shadows."""
BESIDE = 2.5
"""The multiple of `PAPER` by which the paper of a place may differ from the paper beside it."""
STIFF = np.array([0.001, 3, 3, 10, 10, 10], np.float32)
"""Damping of the fit's terms (1, x, y, x², xy, y²), so that light counts as even where little paper shows."""
LEAST = 12
"""The minimum number of reduced pixels for a fit."""
Colour = tuple[float, float, float]
"""Blue, green and red from 0 to 255."""
GREY = 0.7
"""The weight of lightness relative to tint, because the room's light changes it more."""
BURNT = 250.0
"""The level, of 255, above which paper is burnt out, with a margin for noise."""
DARK, TINT = 13.0, 9.0
"""The minimum difference of the foreground from the paper: in L, and in a and b combined (Lab)."""


class PlaceLook(msgspec.Struct, frozen=True, eq=False):
    """A place under the light of white paper."""

    look: Floats
    """h × w × 3: L times `GREY`, a, b."""
    foreground: Flags
    """h × w: True where there is no paper."""
    legible: Flags
    """h × w: True where the picture may be examined and is not burnt out."""
    even: Image
    """The place in BGR with its paper made white (255)."""
    burnt: tuple[bool, bool, bool] = (False, False, False)
    """The channels (BGR) in which the paper is too bright for the camera, so that the true light may be much
    brighter."""


def look_of(picture: Image) -> Floats:
    """Return a BGR picture under the light of white paper (255) as a look for comparison: L times `GREY`, a, b."""
    seen = lab(picture)
    np.multiply(seen[:, :, 0], GREY, out=seen[:, :, 0])
    return seen


def place_look(patch: Image, mask: Image, paper: Colour | None = None) -> PlaceLook | None:
    """Return a place without its light, or None if no paper shows.

    patch: BGR. mask: 255 where it may be examined. paper: the colour of the paper beside it, or None if unknown.
    """
    light = _light(patch, mask, paper)
    if light is None:
        return None
    even = np.clip(patch.astype(np.float32) * (255 / np.maximum(light, 1)), 0, 255).astype(np.uint8)
    look = look_of(even)
    differs = (np.abs(look[:, :, 0] / GREY - 100) > DARK) | (np.hypot(look[:, :, 1], look[:, :, 2]) > TINT)
    burnt = (darkest(patch) >= WHITE) & (darkest(light) < WHITE - 10)
    seen = mask > 0
    blue, green, red = (bool(np.median(light[:, :, channel]) >= BURNT) for channel in range(3))
    return PlaceLook(look, differs & seen, seen & ~burnt, even, (blue, green, red))


def _light(patch: Image, mask: Image, paper: Colour | None) -> Floats | None:
    """Return the paper's colour at each pixel (BGR), as a quadratic surface fitted to probable paper."""
    high, wide = max(2, patch.shape[0] // FITTED), max(2, patch.shape[1] // FITTED)
    small = np.log(cv2.resize(patch, (wide, high), interpolation=cv2.INTER_AREA).astype(np.float32) + 1)
    small = small.reshape(-1, 3)
    seen = cv2.resize(mask, (wide, high), interpolation=cv2.INTER_AREA).ravel() == 255
    if np.count_nonzero(seen) < LEAST:
        return None
    if paper is None:
        brightness = small.mean(axis=1)
        found = seen & (brightness > np.percentile(brightness[seen], BRIGHT) - 2 * PAPER)
    else:
        found = seen & (np.abs(small - np.log(np.array(paper, np.float32) + 1)).max(axis=1) < BESIDE * PAPER)
    terms = _terms(wide, high)
    for _ in range(ROUNDS):
        if np.count_nonzero(found) < LEAST:
            return None
        bare = terms[found]
        fit = np.linalg.solve(bare.T @ bare + np.diag(STIFF), bare.T @ small[found])
        found = seen & (np.abs(small - terms @ fit).max(axis=1) < PAPER)
    fitted = np.exp((terms @ fit).reshape(high, wide, 3)) - 1
    return cv2.resize(fitted, patch.shape[1::-1], interpolation=cv2.INTER_LINEAR)


def _terms(wide: int, high: int) -> Floats:
    """Return the terms of a quadratic surface: (high · wide) × 6."""
    y, x = np.meshgrid(np.linspace(-1, 1, high), np.linspace(-1, 1, wide), indexing="ij")
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=2).reshape(-1, 6).astype(np.float32)
