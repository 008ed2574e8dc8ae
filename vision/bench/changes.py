"""Changes of light, sharpness, noise and colour for reading photographs again, as from other cameras and lamps.

They test whether thresholds chosen on the photographs generalise.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.features.pixels import Floats
from vision.image import Image

WARMER = (0.85, 1.0, 1.1)
"""Gains of blue, green and red under a warmer lamp, reversed under a cooler one."""
SMALLER = 0.8
"""The share of its size to which a picture is reduced before it is enlarged again."""
QUALITY = 50
"""The JPEG quality from 0 to 100."""
BLUR, NOISE = 0.8, 5.0
"""Sigma of a Gaussian blur in pixels, and the standard deviation of noise in levels of 255."""


def lit(*gains: float) -> Callable[[Image], Image]:
    """Return a change that multiplies all channels by one gain, or each by its own."""
    return lambda picture: _levels(picture * np.array(gains, np.float32))


def curved(gamma: float) -> Callable[[Image], Image]:
    """Return a change that raises levels to a power. Below 1 it lightens dark areas."""
    return lambda picture: _levels(255 * (picture / np.float32(255)) ** np.float32(gamma))


def blurred(picture: Image) -> Image:
    """Return a picture that is slightly out of focus."""
    return cv2.GaussianBlur(picture, (0, 0), BLUR)


def shrunk(picture: Image) -> Image:
    """Return a picture with the detail of a smaller one."""
    small = cv2.resize(picture, None, fx=SMALLER, fy=SMALLER, interpolation=cv2.INTER_AREA)
    return cv2.resize(small, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_LINEAR)


def compressed(picture: Image) -> Image:
    """Return a picture after compression to a small JPEG file."""
    stored = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
    return np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)


def noisy(picture: Image) -> Image:
    """Return a picture with a sensor's noise, the same each time."""
    noise = np.random.default_rng(1).normal(0, NOISE, picture.shape)
    return _levels(picture.astype(np.float32) + noise.astype(np.float32))


def _levels(values: Floats) -> Image:
    return np.rint(values).clip(0, 255).astype(np.uint8)


def unchanged(picture: Image) -> Image:
    """Return the picture itself."""
    return picture


CHANGES: dict[str, Callable[[Image], Image]] = {
    "a quarter brighter": lit(1.25),
    "a quarter darker": lit(0.75),
    "gamma 0.8": curved(0.8),
    "gamma 1.25": curved(1.25),
    "warmer": lit(*WARMER),
    "cooler": lit(*WARMER[::-1]),
    "blurred": blurred,
    "shrunk to 80 %": shrunk,
    "JPEG quality 50": compressed,
    "noisy": noisy,
}
