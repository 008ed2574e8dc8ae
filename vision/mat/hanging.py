"""Advise how to hang the camera so that the table can be read, from the table's place in the picture."""

from __future__ import annotations

import cv2
import numpy as np

from companion.messages import HangingAdvice
from vision.image import Image
from vision.mat.mat import Mat, Points
from vision.mat.pose import MatPose, straighten

FOCAL = 0.78
"""A usual camera's focal length in widths of its picture (65° field of view), for estimating distances."""
RIM = 46.0
"""Millimetres from a coaster's middle to the farthest corner of its marker, at any angle."""
FULL = 0.96
"""The share of the picture that a fitting table fills."""
ROOM = 0.9
"""The share of the picture below which a table could be shown larger."""
BETTER = 0.92
"""The factor by which a quarter turn must reduce the filled share to be worth the trouble."""
SLOPE = 0.8
"""The minimum size of the table's far side relative to its near side. A table 70 cm long reaches it from 70 cm above
at 13° of tilt."""
LOOK = 0.25
"""Pixels per millimetre for finding reflections."""
BURNT = 250
"""The minimum level, of 255, of the darkest channel in a reflection."""
WIDE = 3
"""The minimum width of a reflection in pixels at `LOOK`."""
LARGE = 2500.0
"""The minimum area in mm² of a reflection that hides print on a card."""
SIDES = ("top", "right", "bottom", "left")
"""The sides clockwise, so that rotating a picture advances in the list."""


def advise(pose: MatPose, mat: Mat, needed: float) -> tuple[HangingAdvice, ...]:
    """Return what to change, the most urgent first, or nothing if the table can be read well.

    needed: pixels per millimetre for reading everything. Distances are in centimetres for a usual lens.
    """
    size = np.array(pose.picture, np.float64)
    corners = table_corners(mat)
    middle = corners.mean(axis=0)
    away = corners - middle
    rim = RIM if mat.outline else 0.0
    pixels = pose.project(middle + away + np.sign(away) * rim)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    wide = high - low
    fill, turned = float((wide / size).max()), float((wide / size[::-1]).max())
    height = FOCAL * size.max() / scale_at(pose, middle) / 10
    found = []
    if fill > 1:
        if turned < fill * BETTER:
            found.append(HangingAdvice("hang_turn"))
        else:
            found.append(HangingAdvice("hang_higher", {"cm": _round(height * (fill / FULL - 1))}))
    elif (low < 0).any() or (high > size).any():
        beyond = dict(zip(SIDES, (-low[1], high[0] - size[0], high[1] - size[1], -low[0]), strict=True))
        side = max(SIDES, key=lambda each: beyond[each])
        aside = beyond[side] / scale_at(pose, middle) / 10
        found.append(HangingAdvice("hang_aside", {"side": side, "cm": _round(aside)}))
    elif pose.scale < needed:
        found.append(_larger(pose.scale, needed, fill, turned, height))
    small = _small_side(pose, corners)
    if small:
        found.append(HangingAdvice("hang_straight", {"side": small}))
    return tuple(found)


def _larger(scale: float, needed: float, fill: float, turned: float, height: float) -> HangingAdvice:
    """Return advice that shows the table with more pixels."""
    if turned < fill * BETTER:
        return HangingAdvice("hang_turn")
    if fill < ROOM:
        factor = min(FULL / fill, 1.05 * needed / scale)
        return HangingAdvice("hang_lower", {"cm": _round(height * (1 - 1 / factor))})
    return HangingAdvice("hang_smaller", {"percent": round(100 * (1 - scale / needed))})


def _small_side(pose: MatPose, corners: Points) -> str:
    """Return the side of the picture where the table appears much smaller than at the opposite side, or ""."""
    ends = pose.project(corners)
    sides = np.linalg.norm(np.roll(ends, -1, axis=0) - ends, axis=1)
    small = int((sides / np.roll(sides, 2)).argmin())  # relative to the opposite side
    if sides[small] >= SLOPE * sides[(small + 2) % 4]:
        return ""
    return _side(*(ends[small] + ends[(small + 1) % 4]) / 2 - ends.mean(axis=0))


def _side(x: float, y: float) -> str:
    """Return the side of the picture in the direction of a vector."""
    return ("right" if x > 0 else "left") if abs(x) > abs(y) else ("bottom" if y > 0 else "top")


def reflection(picture: Image, pose: MatPose, mat: Mat) -> tuple[HangingAdvice, ...]:
    """Return where a lamp reflects from the table, if it does."""
    view = straighten(picture, pose, LOOK, mat.size)
    burnt = (view.min(axis=2) >= BURNT).astype(np.uint8)
    for x, y in mat.outline:  # coasters are white
        cv2.circle(burnt, (round(x * LOOK), round(y * LOOK)), round(1.8 * RIM * LOOK), 0, cv2.FILLED)
    things = cv2.morphologyEx(burnt, cv2.MORPH_OPEN, np.ones((WIDE, WIDE), np.uint8))
    count, _, stats, middles = cv2.connectedComponentsWithStats(things)
    if count < 2:
        return ()
    worst = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    if stats[worst, cv2.CC_STAT_AREA] < LARGE * LOOK**2:
        return ()
    ((x, y),) = pose.project(np.array([middles[worst]]) / LOOK) / pose.picture - 0.5
    if max(abs(x), abs(y)) < 1 / 6:
        return (HangingAdvice("hang_glare_middle"),)
    return (HangingAdvice("hang_glare", {"side": _side(x, y)}),)


def table_corners(mat: Mat) -> Points:
    """Return the corners of the area that must be in the picture, in millimetres, clockwise from the upper left."""
    wide, high = mat.size
    return np.array(mat.outline or ((0, 0), (wide, 0), (wide, high), (0, high)), np.float64)


def scale_at(pose: MatPose, point: Points) -> float:
    """Return the pixels per millimetre at a point of the table."""
    here, right, down = pose.project(point + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    return float(np.sqrt(abs(np.linalg.det(np.array([right - here, down - here])))))


def _round(centimetres: float) -> int:
    """Return a distance rounded to what players can measure by eye."""
    step = 1 if centimetres < 10 else 5
    return max(1, step * round(centimetres / step))
