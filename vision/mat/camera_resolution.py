"""Compute how large a mat appears in the pictures of usual cameras, and how large it must be to be read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from vision.mat.mat import Mat

NEEDED = 3.3
"""The minimum pixels per millimetre for reading values reliably, from digits of 5 mm."""
LEAST_TOKEN_SCALE = 2.5
"""The minimum pixels per millimetre for reading tokens: the figures on a disc of 20 mm are then 10 pixels high."""
BY_HAND = 0.9
"""The remaining share of a picture's pixels when players align the camera by eye."""
LEAST_PICTURE, STEP = 2304, 64
"""The minimum longer side of a rendered table's pictures in pixels, and the step for larger ones."""


class UsualCamera(NamedTuple):
    """A camera of docs/camera.md, with the width and height of its pictures in pixels."""

    name: str
    width: int
    height: int


CAMERAS = (
    UsualCamera("Camera Module 3", 4608, 2592),
    UsualCamera("Camera Module 2", 3280, 2464),
    UsualCamera("USB 4K", 3840, 2160),
    UsualCamera("USB Full HD", 1920, 1080),
)


def pixels_per_mm(mat: Mat, camera: UsualCamera) -> float:
    """Return the pixels per millimetre if the mat just fills the camera's picture, in the better orientation."""
    wide, high = mat.size
    return max(min(camera.width / wide, camera.height / high), min(camera.width / high, camera.height / wide))


def camera_lines(mat: Mat) -> Iterator[str]:
    """Yield a line for each camera with its pixels per millimetre on this mat, and whether they suffice."""
    for camera in CAMERAS:
        scale = pixels_per_mm(mat, camera)
        digits = 2 if scale < NEEDED <= round(scale, 1) else 1
        line = f"{camera.name} ({camera.width} × {camera.height}): {scale:.{digits}f} px/mm"
        if scale < NEEDED:
            yield f"{line}: too few, reading needs {NEEDED:g}."
        elif scale * BY_HAND < NEEDED:
            yield f"{line}: just enough, if the mat fills the picture (reading needs {NEEDED:g})."
        else:
            yield f"{line}."


def token_line(mat: Mat) -> str:
    """Return a line on the cameras that read tokens, with advice for smaller ones. It is empty without places for
    tokens."""
    if not mat.token_slots:
        return ""
    enough = [each.name for each in CAMERAS if pixels_per_mm(mat, each) >= LEAST_TOKEN_SCALE]
    said = ", ".join(enough) if enough else "none of these cameras"
    smaller = "" if len(enough) == len(CAMERAS) else " For a smaller camera leave their places out: --no-tokens."
    return f"Tokens need {LEAST_TOKEN_SCALE:g} px/mm, which have: {said}.{smaller}"


def picture_size(area: tuple[float, float]) -> tuple[int, int]:
    """Return the picture size in pixels (16:9) at which values can be read on a table of this size in millimetres."""
    short, long = sorted(area)
    wide = max(LEAST_PICTURE, NEEDED * max(long, short * 16 / 9) / BY_HAND)
    wide = STEP * math.ceil(wide / STEP)
    return wide, wide * 9 // 16
