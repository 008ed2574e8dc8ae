"""Light, lens and sensor: from the colours of objects to a camera's picture."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.image import Image
from vision.simulate.difficulty import Difficulty

BASE = 1280
"""The picture width in pixels to which blur values refer."""
MOSAIC = 0.55
"""Sigma in pixels for smoothing noise."""
SHEET, PIECE = 1024, 512
"""The sides in pixels of a sheet of noise, and of its pieces that cover a picture."""


class Sensor:
    """One camera in one light, for pictures of one size. Only the noise changes during a session."""

    def __init__(self, difficulty: Difficulty, size: tuple[int, int], seed: int) -> None:
        luck = np.random.default_rng([seed, 2])
        self._size = size
        self.exposure = luck.uniform(*difficulty.exposure)
        self._light = self._lamp(difficulty, luck)
        # Larger pictures come from finer sensors behind the same lens.
        larger = max(1.0, size[0] / BASE) ** 0.5
        self._blur = float(luck.uniform(*difficulty.blur)) * larger
        self._shake = (float(luck.uniform(*difficulty.motion)) * larger, float(luck.uniform(0, np.pi)))
        self._streak = streak(*self._shake)
        self.reach = len(self._streak) // 2 + math.ceil(4 * self._blur)
        """The number of rows on either side that affect a row by blur."""
        self._quality = round(luck.uniform(*difficulty.jpeg))
        self._noise = Noise(float(luck.uniform(*difficulty.noise)), np.random.default_rng([seed, 3]))
        self._seed = seed

    def lit(self, part: Image, first: int) -> Image:
        """Return the light on the sensor for a part of a picture of objects' colours, in this light and through this
        lens.

        first: the part's first row in the picture. The outer `reach` rows of a cut part are wrong.
        """
        seen = cv2.multiply(part, self._light_on(first, first + len(part)), scale=1 / 160)
        if self._shake[0] > 0.3:
            seen = cv2.filter2D(seen, -1, self._streak)
        if self._blur > 0.25:
            seen = cv2.GaussianBlur(seen, (0, 0), self._blur)
        return seen

    def deliver(self, seen: Image, number: int) -> Image:
        """Return the camera's picture of the light on its sensor.

        number: distinguishes the noise of pictures.
        """
        noisy = self._noise.over(seen, np.random.default_rng([self._seed, 4, number]))
        _, packed = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, self._quality])
        del noisy  # two large pictures at a time are enough
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)

    def _light_on(self, first: int, last: int) -> Image:
        """Return the light on the pixels of these rows. All rows at once would take as much memory as a picture."""
        rows = len(self._light)
        at = np.clip((np.arange(first, last, dtype=np.float32) + 0.5) * rows / self._size[1] - 0.5, 0, rows - 1)
        above = np.minimum(at.astype(int), rows - 2)
        share = (at - above)[:, None, None]
        between: Image = self._light[above] * (1 - share) + self._light[above + 1] * share
        return cv2.resize(between.astype(np.uint8), (self._size[0], last - first), interpolation=cv2.INTER_LINEAR)

    def _lamp(self, difficulty: Difficulty, luck: np.random.Generator) -> npt.NDArray[np.float32]:
        """Return the light on each part of the picture, where 160 preserves colours."""
        wide, high = self._size
        small = (max(8, wide // 16), max(8, high // 16))
        x, y = np.meshgrid(np.linspace(-1, 1, small[0]), np.linspace(-1, 1, small[1]))
        toward, uneven = luck.uniform(0, 2 * np.pi), luck.uniform(*difficulty.uneven)
        slope = (x * np.cos(toward) + y * np.sin(toward)) / 1.42
        lx, ly = luck.uniform(-0.8, 0.8, 2)
        spot = np.exp(-((x - lx) ** 2 + (y - ly) ** 2) / 0.9)
        edge = (x * x + y * y) / 2
        light = 1 - uneven * (0.35 * (slope + 1) / 2 + 0.4 * (1 - spot) + 0.25 * edge)
        for _ in range(int(luck.integers(difficulty.shadows[0], difficulty.shadows[1] + 1))):
            light *= 1 - uneven * 0.8 * _shadow(x, y, luck)
        light /= light.mean()  # a camera adjusts its exposure to the scene
        warm = luck.uniform(*difficulty.cast) * luck.choice((-1, 1))
        green = luck.uniform(-0.25, 0.25) * abs(warm)
        colours = np.array([1 - warm, 1 + green, 1 + warm])
        field = (light * self.exposure)[:, :, None] * colours * 160 * (235 / 250)
        return np.asarray(np.clip(field, 0, 255), np.float32)


class Noise:
    """A sheet of noise. Every picture is covered with different pieces of it, so that no two have the same noise."""

    def __init__(self, strength: float, luck: np.random.Generator) -> None:
        """Create a sheet.

        strength: its standard deviation. Neighbouring pixels correlate, as after a sensor's demosaicing.
        """
        soft = np.asarray(cv2.GaussianBlur(luck.standard_normal((SHEET, SHEET, 3), np.float32), (0, 0), MOSAIC))
        self._sheet = np.clip(soft * (strength / float(soft.std())) + 128.5, 0, 255).astype(np.uint8)

    def over(self, seen: Image, luck: np.random.Generator) -> Image:
        """Return a picture with added noise."""
        noisy = np.empty_like(seen)
        for top in range(0, seen.shape[0], PIECE):
            for left in range(0, seen.shape[1], PIECE):
                piece = (slice(top, top + PIECE), slice(left, left + PIECE))
                x, y = (int(luck.integers(0, SHEET - PIECE + 1)) for _ in range(2))
                high, wide = seen[piece].shape[:2]
                noisy[piece] = cv2.addWeighted(seen[piece], 1.0, self._sheet[y : y + high, x : x + wide], 1.0, -128)
        return noisy


def _shadow(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], luck: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Return a soft shadow from 0 to 1, as of a person leaning over the table or of a lamp's arm."""
    a, at = luck.uniform(0, 2 * np.pi), luck.uniform(-0.6, 0.9)
    across = x * np.cos(a) + y * np.sin(a) - at
    along = -x * np.sin(a) + y * np.cos(a)
    wide, soft = luck.uniform(0.12, 0.5), luck.uniform(0.04, 0.2)
    inside = 1 / (1 + np.exp((np.abs(across) - wide) / soft * 2))
    end = 1 / (1 + np.exp((along - luck.uniform(-0.5, 1.2)) / soft * 2))
    found: npt.NDArray[np.float64] = inside * end * luck.uniform(0.5, 1.0)
    return found


def streak(length: float, toward: float) -> npt.NDArray[np.float32]:
    """Return the blur kernel of a motion in pixels, in a direction in radians."""
    side = 2 * int(np.ceil(length / 2)) + 3
    kernel = np.zeros((side * 8, side * 8), np.float32)
    middle, half = side * 4 - 0.5, length * 4
    dx, dy = np.cos(toward) * half, np.sin(toward) * half
    ends = [(round(middle - dx), round(middle - dy)), (round(middle + dx), round(middle + dy))]
    cv2.line(kernel, ends[0], ends[1], (1.0,), 8)
    small = cv2.resize(kernel, (side, side), interpolation=cv2.INTER_AREA)
    found: npt.NDArray[np.float32] = (small / small.sum()).astype(np.float32)
    return found
