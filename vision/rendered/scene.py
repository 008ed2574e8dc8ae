"""What stays in a session's pictures of one size: the camera, the empty table, the light, the sensor."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import cv2
import numpy as np

from vision.image import Image
from vision.mat import Mat
from vision.rendered.difficulty import Difficulty
from vision.rendered.sensor import Sensor
from vision.rendered.surfaces import surface
from vision.rendered.view import View, above, through

FINER = 1.15
"""Pixels of the surface for each of the picture's."""


class Scene:
    """What stays in pictures of one size: the view, the empty table, the light, and the cards until they move."""

    def __init__(self, mat: Mat, difficulty: Difficulty, size: tuple[int, int], kind: str, seed: int) -> None:
        luck = Random(f"{seed} camera")
        self.view = above(mat.size, size, luck.uniform(*difficulty.tilt), luck.uniform(0, 360),
                          luck.uniform(*difficulty.roll), luck.uniform(*difficulty.margin),
                          luck.uniform(*difficulty.bend))  # fmt: skip
        self.canvas, self.maps = self.view.canvas(), self.view.lens()
        self.sensor = Sensor(difficulty, size, seed)
        self._empty = empty_table(mat, self.canvas, kind, difficulty.sheets, seed)
        self._version = -1
        self._still = self._empty

    def still(self, version: int, paint: Callable[[Image, View], None]) -> Image:
        """Return the table with its cards as a perfect lens shows it, painted anew when they were moved."""
        if version != self._version:
            self._still = self._empty.copy()
            paint(self._still, self.canvas)
            self._version = version
        return self._still


def empty_table(mat: Mat, view: View, kind: str, beside: tuple[float, float], seed: int) -> Image:
    """Return the empty table with its mat, as a perfect lens shows it."""
    wide, high = view.size
    edge = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float64)
    back = np.asarray(np.linalg.inv(view.matrix), np.float64)
    reach = np.vstack([through(back, edge), np.array([[0, 0], mat.size])])
    (left, top), (right, low) = reach.min(axis=0) - 5, reach.max(axis=0) + 5
    px = max(view.scale(x, y) for x in (0.0, mat.size[0]) for y in (0.0, mat.size[1])) * FINER
    left, top = float(np.floor(left * px) / px), float(np.floor(top * px) / px)  # whole pixels of the surface
    flat = surface(mat, kind, (left, top, right, low), px, beside, seed)
    down = np.array([[1 / px, 0, left + 0.5 / px], [0, 1 / px, top + 0.5 / px], [0, 0, 1]])
    return cv2.warpPerspective(
        flat, view.matrix @ down, view.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )  # type: ignore[return-value]
