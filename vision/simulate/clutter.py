"""Place and paint objects beside places or over them."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np

from vision.image import Image, Pixels
from vision.mat import Mat
from vision.simulate.camera_geometry import Area, CameraGeometry, Points
from vision.simulate.difficulty import Difficulty
from vision.simulate.painting import paint_flat, paint_shadow, rounded_rectangle
from vision.simulate.things import Thing, some_thing

AROUND = 160.0
"""The distance in millimetres beyond the mat within which objects lie."""


def scatter_things(
    mat: Mat, difficulty: Difficulty, seed: int, area: Area, board: Points | None = None
) -> list[tuple[Thing, Points]]:
    """Return objects beside the places, with their corners in millimetres. None covers a place or a marker.

    area: the table in the camera's view. board: the corners of a board beside the mat.
    """
    luck = Random(f"{seed} clutter")
    kept = list(mat.areas(4.0)) + [marker.corners() for marker in mat.markers]
    kept += [] if board is None else [board]
    left, top, right, low = area
    taken = [(*hull.min(axis=0), *hull.max(axis=0)) for hull in kept]
    made = []
    for _ in range(luck.randint(*difficulty.clutter)):
        thing = some_thing(luck)
        for _ in range(40):
            x, y = luck.uniform(left - AROUND, right + AROUND), luck.uniform(top - AROUND, low + AROUND)
            corners = rectangle(thing.size, luck.uniform(0, 360)) + (x, y)
            (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
            if not any(x0 < r and x1 > le and y0 < lo and y1 > t for le, t, r, lo in taken):
                taken.append((x0, y0, x1, y1))
                made.append((thing, corners))
                break
    return made


def paint_thing(picture: Image, view: CameraGeometry, thing: Thing, corners: Points) -> None:
    """Paint an object with its shadow into a picture."""
    paint_shadow(picture, view, outline(thing, corners), 0.35, 1.0 + thing.high / 3, (thing.high / 4, thing.high / 3))
    size = (thing.picture.shape[1], thing.picture.shape[0])
    shape = rounded_rectangle(size, thing.radius * size[0] / thing.size[0])
    paint_flat(
        picture, view, corners, *_smaller(thing.picture, shape, thing.size[0] * view.scale(*corners.mean(axis=0)))
    )


def outline(thing: Thing, corners: Points) -> Points:
    """Return the outline that casts an object's shadow: its corners, or its circle if it is round."""
    if thing.radius < min(thing.size) / 2:
        return corners
    turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    across, down = (corners[1] - corners[0]) / 2, (corners[3] - corners[0]) / 2
    found: Points = corners.mean(axis=0) + np.cos(turns)[:, None] * across + np.sin(turns)[:, None] * down
    return found


def _smaller(picture: Image, shape: Pixels, width: float) -> tuple[Image, Pixels]:
    factor = width * 1.1 / picture.shape[1]
    if factor >= 1:
        return picture, shape
    size = (max(4, round(picture.shape[1] * factor)), max(4, round(picture.shape[0] * factor)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return small, cv2.resize(shape, size, interpolation=cv2.INTER_AREA)


def rectangle(size: tuple[float, float], degrees: float) -> Points:
    """Return the corners of a rectangle around 0, 0, rotated clockwise."""
    a, (w, h) = np.radians(degrees), size
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    found: Points = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 @ turn.T
    return found
