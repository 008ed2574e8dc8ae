"""The plain ground on which tokens are photographed: a sheet of paper, which tells their size."""

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
"""Long and short side in millimetres: A4 (ISO 216), and letter (ANSI/ASME Y14.1)."""
SEARCHED = 1000
"""Pixels along the longer side of the picture in which a sheet is looked for."""
LEAST_AREA = 0.15
"""The part of the picture that a sheet takes at least: a smaller one shows tokens too small."""
RIM = 0.004
"""A corner nearer to the picture's edge than this part of its shorter side is cut off, or is the picture's own."""
BRIGHT = 3
"""So many of the black-and-white pictures show what is bright, as paper is; the others show any edges."""
STRAIGHT = 0.8
"""The part of a sheet's outline that follows straight sides: a token or a finger may cover the rest."""
FOCUS = 0.75
"""Focal length as a part of the picture's longer side. A phone's 26 mm (of film 36 mm wide) is 0.72, the Raspberry Pi's
Camera Module 3 has 0.74 (66° across)."""
PROPORTION = 0.06
"""How far the logarithm of the sides' proportion may be from a sheet's: A4's and letter's are 0.09 apart."""
EDGE = 3.0
"""Millimetres along the edge of the paper that are not looked at: its curl and its shadow."""


class PlainGround(msgspec.Struct, frozen=True, eq=False):
    """A straight picture of the ground."""

    picture: Image
    """BGR, `PX` pixels per millimetre."""
    scale: float
    """Pixels per millimetre of the photograph, where it has the fewest."""


def find_sheet(picture: Image) -> PlainGround | None:
    """Return the sheet of paper in a photograph; None where no whole sheet of A4 or letter is in it."""
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
    """Return the ground within four corners, clockwise from its upper left; `size`: of it in millimetres."""
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
    """Return how wide and high in millimetres the sheet within these corners is; None: it is no sheet.

    A camera of the focal length `FOCUS` sees the plane of the sheet as a homography whose first two columns, freed of
    the lens, are as long as the sheet's sides.
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
