"""What stays in a session's pictures of one size: the camera, the empty table, the light, the sensor."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import cast

import cv2
import numpy as np

from vision.image import Image
from vision.mat import Mat
from vision.simulate.board import LaidBoard, table_area
from vision.simulate.difficulty import Difficulty
from vision.simulate.sensor import Sensor
from vision.simulate.surfaces import lay_board, surface
from vision.simulate.view import CameraAngles, CameraGeometry, camera_above, through

BAND = 256
"""Rows of a picture that are bent at a time: all of them, in floats, would fill a small computer's memory."""
FINER = 1.15
"""Pixels of the surface for each of the picture's."""
Paint = Callable[[Image, CameraGeometry], None]
"""Who paints something into a picture that a perfect lens shows."""


class RenderedScene:
    """What stays in pictures of one size: the view, the empty table, the light, and the cards until they move.

    Of a table that lies still all but the sensor's noise is the same in each picture, and is made once.
    """

    def __init__(
        self, mat: Mat, board: LaidBoard | None, difficulty: Difficulty, size: tuple[int, int], kind: str, seed: int
    ) -> None:
        luck = Random(f"{seed} camera")
        # The order of these draws is part of what a seed means.
        angles = CameraAngles(luck.uniform(*difficulty.tilt), luck.uniform(0, 360), luck.uniform(*difficulty.roll))
        margin, bend = luck.uniform(*difficulty.margin), luck.uniform(*difficulty.bend)
        left, top, right, low = table_area(mat, board)
        view = camera_above((right - left, low - top), size, angles, margin, bend)
        self.view = view.from_corner(left, top)
        self.canvas = self.view.canvas()
        self.sensor = Sensor(difficulty, size, seed)
        self._empty = empty_table(mat, board, self.canvas, kind, difficulty.sheets, seed)
        self._flat: tuple[int, Image] = (-1, self._empty)
        self._seen: tuple[int, Image] = (-1, self._empty)

    def picture(self, version: int, number: int, paint: Paint, over: Paint | None) -> Image:
        """Return the table with its cards as the camera delivers it; they are repainted when `version` changes.

        `over` paints what moves above them; `number` tells one picture's noise from the next one's.
        """
        if over is not None:
            self._flat = version, self._still(version, paint)
            flat = self._flat[1].copy()
            over(flat, self.canvas)
            return self.sensor.deliver(self._bent(flat), number)
        if self._seen[0] != version:
            self._seen = version, self._bent(self._still(version, paint))
        return self.sensor.deliver(self._seen[1], number)

    def _still(self, version: int, paint: Paint) -> Image:
        """Return the table with its cards as a perfect lens shows it; it is only kept where hands are painted over."""
        if version == self._flat[0]:
            return self._flat[1]
        flat = self._empty.copy()
        paint(flat, self.canvas)
        return flat

    def _bent(self, flat: Image) -> Image:
        """Return what a perfect lens shows as this camera's lens shows it, in the light of the room."""
        wide, high = self.view.size
        seen, reach = np.empty((high, wide, 3), np.uint8), self.sensor.reach
        for top in range(0, high, BAND):
            low = min(high, top + BAND)
            first, last = max(0, top - reach), min(high, low + reach)
            across, down = self.view.lens(first, last)
            bent = cv2.remap(flat, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
            seen[top:low] = self.sensor.lit(cast(Image, bent), first)[top - first : low - first]
        return seen


def empty_table(
    mat: Mat, board: LaidBoard | None, view: CameraGeometry, kind: str, beside: tuple[float, float], seed: int
) -> Image:
    """Return the empty table with its mat and board, as a perfect lens shows it."""
    wide, high = view.size
    area = table_area(mat, board)
    edge = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float64)
    back = np.asarray(np.linalg.inv(view.matrix), np.float64)
    reach = np.vstack([through(back, edge), np.array([area[:2], area[2:]])])
    (left, top), (right, low) = reach.min(axis=0) - 5, reach.max(axis=0) + 5
    px = max(view.scale(x, y) for x in area[::2] for y in area[1::2]) * FINER
    left, top = float(np.floor(left * px) / px), float(np.floor(top * px) / px)  # whole pixels of the surface
    flat = surface(mat, kind, (left, top, right, low), px, beside, seed)
    if board is not None and board.mat is not mat:
        lay_board(flat, board, (left, top), px, beside, seed)
    down = np.array([[1 / px, 0, left + 0.5 / px], [0, 1 / px, top + 0.5 / px], [0, 0, 1]])
    return cv2.warpPerspective(
        flat, view.matrix @ down, view.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )  # type: ignore[return-value]
