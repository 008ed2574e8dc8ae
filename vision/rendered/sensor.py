"""Light, lens and sensor: from the colours of things to what a camera delivers. Knows no table."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.image import Image
from vision.rendered.difficulty import Difficulty

BASE = 1280
"""Blur is given for pictures of this width."""
BANK = 2
"""Sheets of noise that pictures take turns with, each shifted anew."""
MOSAIC, RIM = 0.55, 4
"""Standard deviation by which noise is smoothed, in pixels, and rows that this reaches, at most."""
SHIFT = 64
"""Pixels by which a sheet is larger than a picture: so far it is shifted."""
BAND = 256
"""Rows that are made at a time: a whole sheet in floats would fill a small computer's memory."""


class Sensor:
    """One camera in one light, for pictures of one size. All but the noise stays as it is for the session."""

    def __init__(self, difficulty: Difficulty, size: tuple[int, int], seed: int) -> None:
        luck = np.random.default_rng([seed, 2])
        self._size = size
        self.exposure = luck.uniform(*difficulty.exposure)
        self._light = self._lamp(difficulty, luck)
        larger = max(1.0, size[0] / BASE) ** 0.5  # larger pictures come from finer sensors behind the same lens
        self._blur = float(luck.uniform(*difficulty.blur)) * larger
        self._shake = (float(luck.uniform(*difficulty.motion)) * larger, float(luck.uniform(0, np.pi)))
        self._quality = round(luck.uniform(*difficulty.jpeg))
        self._noise = self._sheets(float(luck.uniform(*difficulty.noise)), np.random.default_rng([seed, 3]))
        self._seed = seed

    def lit(self, picture: Image) -> Image:
        """Return what falls on the sensor of a picture of things' colours: in this light, through this lens."""
        seen = cv2.multiply(picture, self._light, scale=1 / 160)
        if self._shake[0] > 0.3:
            seen = cv2.filter2D(seen, -1, streak(*self._shake))
        if self._blur > 0.25:
            seen = cv2.GaussianBlur(seen, (0, 0), self._blur)
        return seen  # type: ignore[return-value]

    def delivered(self, seen: Image, number: int) -> Image:
        """Return what the camera makes of what falls on its sensor; `number` tells one picture's noise from the next
        one's."""
        luck = np.random.default_rng([self._seed, 4, number])
        sheet = self._noise[int(luck.integers(len(self._noise)))]
        x, y = (int(luck.integers(0, SHIFT)) for _ in range(2))
        high, wide = seen.shape[:2]
        noisy = cv2.addWeighted(seen, 1.0, sheet[y : y + high, x : x + wide], 1.0, -128)
        _, packed = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, self._quality])
        return cv2.imdecode(packed, cv2.IMREAD_COLOR)  # type: ignore[return-value]

    def _lamp(self, difficulty: Difficulty, luck: np.random.Generator) -> Image:
        """Return the light that falls on each pixel, 160 for what shows a colour as it is."""
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
        light /= light.mean()  # a camera sets its exposure by what it sees
        cast = luck.uniform(*difficulty.cast) * luck.choice((-1, 1))
        green = luck.uniform(-0.25, 0.25) * abs(cast)
        colours = np.array([1 - cast, 1 + green, 1 + cast])
        field = (light * self.exposure)[:, :, None] * colours * 160 * (235 / 250)
        field = np.clip(field, 0, 255).astype(np.float32)
        grown = np.empty((high, wide, 3), np.uint8)
        for channel in range(3):
            grown[:, :, channel] = cv2.resize(field[:, :, channel], self._size, interpolation=cv2.INTER_LINEAR)
        return grown

    def _sheets(self, strength: float, luck: np.random.Generator) -> list[Image]:
        """Return sheets of noise around 128; neighbouring pixels share some of it, as after a sensor's mosaic."""
        size = (self._size[0] + SHIFT, self._size[1] + SHIFT)
        return [_sheet(size, strength, luck) for _ in range(BANK)]


def _sheet(size: tuple[int, int], strength: float, luck: np.random.Generator) -> Image:
    """Return one sheet of noise of this size, made band by band."""
    wide, high = size
    made = np.empty((high, wide, 3), np.uint8)
    raw, first, factor = np.empty((0, wide, 3), np.float32), 0, 0.0
    for top in range(0, high, BAND):
        low = min(high, top + BAND)
        more = min(high, low + RIM) - first - len(raw)
        raw = np.concatenate([raw, luck.standard_normal((more, wide, 3), dtype=np.float32)])
        soft = np.asarray(cv2.GaussianBlur(raw, (0, 0), MOSAIC), np.float32)[top - first : low - first]
        factor = factor or strength / float(soft[:256, :256].std())
        soft *= factor
        soft += 128.5
        made[top:low] = np.clip(soft, 0, 255, out=soft)
        keep = max(first, low - RIM)
        raw, first = raw[keep - first :], keep
    return made


def _shadow(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], luck: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Return a soft shadow, 0 to 1: of somebody who leans over the table, or of a lamp's arm."""
    a, at = luck.uniform(0, 2 * np.pi), luck.uniform(-0.6, 0.9)
    across = x * np.cos(a) + y * np.sin(a) - at
    along = -x * np.sin(a) + y * np.cos(a)
    wide, soft = luck.uniform(0.12, 0.5), luck.uniform(0.04, 0.2)
    inside = 1 / (1 + np.exp((np.abs(across) - wide) / soft * 2))
    end = 1 / (1 + np.exp((along - luck.uniform(-0.5, 1.2)) / soft * 2))
    found: npt.NDArray[np.float64] = inside * end * luck.uniform(0.5, 1.0)
    return found


def streak(length: float, toward: float) -> npt.NDArray[np.float32]:
    """Return the kernel of a motion of so many pixels in a direction in radians."""
    side = 2 * int(np.ceil(length / 2)) + 3
    kernel = np.zeros((side * 8, side * 8), np.float32)
    middle, half = side * 4 - 0.5, length * 4
    dx, dy = np.cos(toward) * half, np.sin(toward) * half
    ends = [(round(middle - dx), round(middle - dy)), (round(middle + dx), round(middle + dy))]
    cv2.line(kernel, ends[0], ends[1], (1.0,), 8)
    small = cv2.resize(kernel, (side, side), interpolation=cv2.INTER_AREA)
    found: npt.NDArray[np.float32] = (small / small.sum()).astype(np.float32)
    return found
