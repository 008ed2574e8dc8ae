"""The constant parts of a session's pictures of one size: the camera, the empty table, the light and the sensor."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from random import Random

import cv2
import numpy as np

from vision.image import Image
from vision.mat import Mat
from vision.simulate.camera_geometry import CameraAngles, CameraGeometry, Map, camera_above, through
from vision.simulate.difficulty import Difficulty
from vision.simulate.laid_board import LaidBoard, table_area
from vision.simulate.sensor import Sensor
from vision.simulate.surfaces import lay_board, surface

BAND = 256
"""The number of rows to distort at a time, because all of them in floats would fill a small computer's memory."""
FINER = 1.15
"""Pixels of the surface per pixel of the picture."""
Paint = Callable[[Image, CameraGeometry], None]
"""Paints something into an undistorted picture."""
EmptyTable = Callable[[Mat, LaidBoard | None, CameraGeometry, str, tuple[float, float], int], Image]
"""Returns an empty table, as `empty_table` does."""


class RenderedScene:
    """The constant parts of pictures of one size: the view, the empty table, the light, and unmoved cards.

    In pictures of a resting table only the sensor's noise changes, so everything else is made once.
    """

    def __init__(
        self,
        mat: Mat,
        board: LaidBoard | None,
        difficulty: Difficulty,
        size: tuple[int, int],
        kind: str,
        seed: int,
        empty: EmptyTable | None = None,
    ) -> None:
        luck = Random(f"{seed} camera")
        # The order of these draws determines the meaning of a seed.
        angles = CameraAngles(luck.uniform(*difficulty.tilt), luck.uniform(0, 360), luck.uniform(*difficulty.roll))
        margin, bend = luck.uniform(*difficulty.margin), luck.uniform(*difficulty.bend)
        left, top, right, low = table_area(mat, board)
        view = camera_above((right - left, low - top), size, angles, margin, bend)
        self.view = view.from_corner(left, top)
        self.canvas = self.view.canvas()
        self.sensor = Sensor(difficulty, size, seed)
        self._empty = (empty or empty_table)(mat, board, self.canvas, kind, difficulty.sheets, seed)
        self._flat: tuple[int, Image] = (-1, self._empty)
        self._bent_version = -1
        """The table's version in `_bent`, or -1 while something moves above it."""
        self._bent = np.zeros((size[1], size[0], 3), np.uint8)
        """The distorted picture of the last table."""
        self._marks = np.zeros(len(self._empty), np.uint32)
        """A checksum of each row of the table behind `_bent`."""
        self._sources: list[tuple[int, int]] = []
        """The range of the table's rows in each band of a picture, or empty before the first picture."""

    def picture(self, version: int, number: int, paint: Paint, over: Paint | None) -> Image:
        """Return the camera's picture of the table with its cards, which are repainted when `version` changes.

        over: paints moving objects above them. number: distinguishes the noise of pictures.
        """
        if over is not None:
            self._flat = version, self._still(version, paint)
            flat = self._flat[1].copy()
            over(flat, self.canvas)
            self._bend(flat)
            self._bent_version = -1
        elif self._bent_version != version:
            self._bend(self._still(version, paint))
            self._bent_version = version
        return self.sensor.deliver(self._bent, number)

    def _still(self, version: int, paint: Paint) -> Image:
        """Return the undistorted table with its cards. It is cached only while hands are painted over it."""
        if version == self._flat[0]:
            return self._flat[1]
        flat = self._empty.copy()
        paint(flat, self.canvas)
        return flat

    def _bend(self, flat: Image) -> None:
        """Update the distorted and lit picture from an undistorted one.

        Bands of rows whose part of the table is unchanged are left alone.
        """
        high, reach = self.view.size[1], self.sensor.reach
        marks = np.array([zlib.crc32(row) for row in flat], np.uint32)
        changed, self._marks = marks != self._marks, marks
        begun = bool(self._sources)
        for number, top in enumerate(range(0, high, BAND)):
            if begun and not changed[slice(*self._sources[number])].any():
                continue
            low = min(high, top + BAND)
            first, last = max(0, top - reach), min(high, low + reach)
            across, down = self.view.lens(first, last)
            if not begun:
                self._sources.append(_rows_shown(down, len(flat)))
            bent = cv2.remap(flat, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
            self._bent[top:low] = self.sensor.lit(bent, first)[top - first : low - first]


def _rows_shown(down: Map, high: int) -> tuple[int, int]:
    """Return the first row, and the one after the last, that `cv2.remap` reads for these pixels of a table."""
    first, last = math.floor(float(down.min())), math.floor(float(down.max())) + 1
    return max(0, min(first, 2 * high - 1 - last)), min(high, max(last, -1 - first) + 1)


def empty_table(
    mat: Mat, board: LaidBoard | None, view: CameraGeometry, kind: str, beside: tuple[float, float], seed: int
) -> Image:
    """Return the empty table with its mat and board, undistorted."""
    wide, high = view.size
    area = table_area(mat, board)
    edge = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float64)
    back = np.asarray(np.linalg.inv(view.matrix), np.float64)
    reach = np.vstack([through(back, edge), np.array([area[:2], area[2:]])])
    (left, top), (right, low) = reach.min(axis=0) - 5, reach.max(axis=0) + 5
    px = max(view.scale(x, y) for x in area[::2] for y in area[1::2]) * FINER
    # Align the origin with whole pixels of the surface.
    left, top = float(np.floor(left * px) / px), float(np.floor(top * px) / px)
    flat = surface(mat, kind, (left, top, right, low), px, beside, seed)
    if board is not None and board.mat is not mat:
        lay_board(flat, board, (left, top), px, beside, seed)
    down = np.array([[1 / px, 0, left + 0.5 / px], [0, 1 / px, top + 0.5 / px], [0, 0, 1]])
    matrix = view.matrix @ down
    return cv2.warpPerspective(flat, matrix, view.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
