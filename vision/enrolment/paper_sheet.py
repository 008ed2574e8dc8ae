"""The plain ground for photographs of tokens: a sheet of paper, which determines their size."""

from __future__ import annotations

from itertools import islice

import cv2
import msgspec
import numpy as np

from vision.features.pixels import Floats, corners_of, homography, project, resize, scaling_matrix
from vision.features.quadrilaterals import QuadOutline, binary_pictures, quadrangle
from vision.image import Image
from vision.tokens.token_set import PX

SHEETS = ((297.0, 210.0), (279.4, 215.9))
"""Long and short side in millimetres: A4 (ISO 216) and letter (ANSI/ASME Y14.1)."""
SEARCHED = 1000
"""The longer side in pixels of the picture for finding a sheet."""
LEAST_AREA = 0.15
"""The minimum share of the picture that a sheet takes. A smaller one shows its tokens too small."""
RIM = 0.004
"""The distance from the picture's edge, as a share of its shorter side, below which a corner is cut off or the
picture's own."""
BRIGHT = 3
"""The number of binary pictures that show bright areas such as paper. The others show any edges."""
STRAIGHT = 0.8
"""The minimum straight share of a sheet's outline. A token or a finger may cover the rest."""
FOCUS = 0.75
"""The focal length as a share of the picture's longer side. A phone with 26 mm (35 mm equivalent) has 0.72, and the
Raspberry Pi's Camera Module 3 has 0.74 (66° across)."""
PROPORTION = 0.06
"""The maximum difference in log proportion from a sheet. A4 and letter differ by 0.09."""
EDGE = 3.0
"""The margin in millimetres to ignore at the edge of the paper, for its curl and its shadow."""


class PlainGround(msgspec.Struct, frozen=True, eq=False):
    """A straight picture of the ground."""

    picture: Image
    """The picture in BGR, at `PX` pixels per millimetre."""
    scale: float
    """The lowest pixels per millimetre in the photograph."""


def find_sheet(picture: Image) -> PlainGround | None:
    """Return the sheet of paper in a photograph, or None without a whole sheet of A4 or letter."""
    factor = min(1.0, SEARCHED / max(picture.shape[:2]))
    outline = _largest_sheet(resize(picture, round(picture.shape[1] * factor), round(picture.shape[0] * factor)))
    if outline is None:
        return None
    corners = (outline.corners + np.float32(0.5)) / np.float32(factor) - np.float32(0.5)
    corners = np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0)
    size = _sheet_size(corners, (picture.shape[1], picture.shape[0]))
    if size is None:
        return None
    seen = homography(corners_of((1, 1)), corners) @ scaling_matrix(1 / size[0], 1 / size[1])
    inner = (size[0] - 2 * EDGE, size[1] - 2 * EDGE)
    within = corners_of((1, 1)) * np.array(inner, np.float32) + np.float32(EDGE)
    return straight_ground(picture, project(seen, within), inner)


def straight_ground(picture: Image, corners: Floats, size: tuple[float, float]) -> PlainGround:
    """Return the ground within four corners, clockwise from its upper left.

    size: its width and height in millimetres.
    """
    wide, high = round(size[0] * PX), round(size[1] * PX)
    plane = homography(corners, corners_of((wide, high)) - np.float32(0.5))
    straight = cv2.warpPerspective(picture, plane, (wide, high), flags=cv2.INTER_LINEAR)
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return PlainGround(straight, float(min(sides[0::2].min() / size[0], sides[1::2].min() / size[1])))


def _largest_sheet(picture: Image) -> QuadOutline | None:
    whole = picture.shape[0] * picture.shape[1]
    found: list[QuadOutline] = []
    for binary in islice(binary_pictures(picture), BRIGHT):
        contours, _ = cv2.findContours(binary, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            area = float(cv2.contourArea(contour))
            outline = quadrangle(contour, area) if area > LEAST_AREA * whole else None
            if outline is not None and outline.straight > STRAIGHT and _within(outline.corners, picture):
                found.append(outline)
    return max(found, key=lambda one: one.area * one.straight, default=None)


def _within(corners: Floats, picture: Image) -> bool:
    rim = RIM * min(picture.shape[:2])
    far = np.array(picture.shape[1::-1]) - 1 - rim
    return bool((corners > rim).all() and (corners < far).all())


def _sheet_size(corners: Floats, picture: tuple[int, int]) -> tuple[float, float] | None:
    """Return width and height in millimetres of the sheet within these corners, or None if it is no sheet.

    A camera with focal length `FOCUS` sees the sheet's plane as a homography. After removing the lens matrix, its first
    two columns are as long as the sheet's sides.
    """
    lens = np.diag([FOCUS * max(picture), FOCUS * max(picture), 1.0])
    lens[:2, 2] = np.array(picture) / 2
    plane = np.linalg.inv(lens) @ homography(corners_of((1, 1)), corners)
    across, down = (float(np.linalg.norm(plane[:, side])) for side in (0, 1))
    proportion = abs(np.log(across / down))
    off = [abs(proportion - np.log(long / short)) for long, short in SHEETS]
    if min(off) > PROPORTION:
        return None
    long, short = SHEETS[int(np.argmin(off))]
    return (long, short) if across > down else (short, long)
