"""The appearance of a board without pieces, as printed by the companion or photographed empty, and the light on it."""

from __future__ import annotations

from functools import lru_cache

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.board.covers import PX, Field
from vision.image import Image
from vision.mat import Mat
from vision.mat.drawing import drawing
from vision.print.drawing.raster import to_pixels

LIGHT = 18.0
"""Sigma in millimetres for estimating the light of a room."""
SEEN_BLUR, PRINT_BLUR = 0.3, 0.4
"""Sigma in millimetres of the blur for a picture, and for a drawing to match a camera's blur."""


class BoardPrint(msgspec.Struct, frozen=True, eq=False):
    """A board without pieces, straightened at `PX` pixels per millimetre."""

    picture: Image
    lab: Field
    """The picture in CIE Lab, with a camera's blur."""


@lru_cache(maxsize=2)
def printed_board(mat: Mat) -> BoardPrint:
    """Return a board as the companion prints it."""
    picture = to_pixels(drawing(mat), PX, (max(1, round(mat.size[0] * PX)), max(1, round(mat.size[1] * PX))))
    return BoardPrint(picture, lab(_blurred(picture, PRINT_BLUR)))


def photographed_board(picture: Image) -> BoardPrint:
    """Return a board from a straightened picture of it."""
    return BoardPrint(picture, lab(_blurred(picture, SEEN_BLUR)))


def even_light(seen: Image, bare: BoardPrint) -> Field:
    """Return a straightened picture of a board in CIE Lab, under the light of its bare print."""
    size = (max(1, round(seen.shape[1] / PX)), max(1, round(seen.shape[0] / PX)))
    there = cv2.resize(seen, size, interpolation=cv2.INTER_AREA).astype(np.float32) + 2
    wanted = cv2.resize(bare.picture, size, interpolation=cv2.INTER_AREA).astype(np.float32) + 2
    ratio: Field = np.log(there / wanted)
    light: Field = np.broadcast_to(np.median(ratio.reshape(-1, 3), axis=0), ratio.shape).astype(np.float32)
    for _ in range(3):
        alike = (np.abs(ratio - light).max(axis=2) < 0.2).astype(np.uint8)
        like: Field = cv2.erode(alike, np.ones((3, 3), np.uint8)).astype(np.float32)[:, :, None] + np.float32(1e-3)
        weight = cv2.GaussianBlur(like, (0, 0), LIGHT)[:, :, None]
        light = np.asarray(cv2.GaussianBlur(ratio * like, (0, 0), LIGHT) / weight, np.float32)
    gain = cv2.resize(np.exp(light), seen.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return lab(np.clip(_blurred(seen, SEEN_BLUR) / gain, 0, 255))


def lab(picture: npt.NDArray[np.float32]) -> Field:
    """Return a picture (BGR, levels to 255) in CIE Lab."""
    return np.asarray(cv2.cvtColor((picture / 255).astype(np.float32), cv2.COLOR_BGR2LAB), np.float32)


def _blurred(picture: Image, millimetres: float) -> Field:
    return cv2.GaussianBlur(picture, (0, 0), millimetres * PX).astype(np.float32)
