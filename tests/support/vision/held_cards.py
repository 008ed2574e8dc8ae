"""Requirements of a printable card, measured on its picture and its marks."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from companion.drawing import Clipped, Drawing, Fill, Mark
from vision.image import Image

QUARTERS = {
    "upper": np.s_[:65, :], "lower": np.s_[-65:, :], "left": np.s_[:, :47], "right": np.s_[:, -47:],
}  # fmt: skip
"""The quarters of a card along its edges, at half of CARD's size."""


def nearest(pictures: Mapping[str, Image], quarter: str) -> tuple[tuple[str, str], float]:
    """Return the two cards with the most similar quarter, and the share of its pixels that differ.

    Pictures are at half of CARD's size.
    """
    strips = {name: picture[QUARTERS[quarter]].astype(np.int16) for name, picture in pictures.items()}
    apart = {
        (one, other): float((np.abs(strips[one] - strips[other]).max(axis=2) > 24).mean())
        for one, other in combinations(strips, 2)
    }
    least = min(apart, key=lambda pair: apart[pair])
    return least, apart[least]


def turned_differs(picture: Image) -> float:
    """Return the share of pixels in which a card differs from itself upside down."""
    return float((cv2.absdiff(picture, cv2.rotate(picture, cv2.ROTATE_180)).max(axis=2) > 48).mean())


def corners(picture: Image) -> npt.NDArray[np.intp]:
    """Return the number of corners in each quarter of a card's height."""
    found = cv2.goodFeaturesToTrack(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), 2000, 0.02, 4)
    return np.histogram(found[:, 0, 1], bins=4, range=(0, picture.shape[0]))[0]


def covered(drawing: Drawing) -> bool:
    """Return whether fills reach all four corners of a drawing."""
    corners = [(0.1, 0.1), (drawing.width - 0.1, 0.1), (0.1, drawing.height - 0.1),
               (drawing.width - 0.1, drawing.height - 0.1)]  # fmt: skip
    areas = [np.array(c, np.float32) for c in contours(drawing.marks)]
    return all(any(cv2.pointPolygonTest(area, corner, False) >= 0 for area in areas) for corner in corners)


def contours(marks: tuple[Mark, ...]) -> list[tuple[tuple[float, float], ...]]:
    """Return all filled contours."""
    found = []
    for mark in marks:
        if isinstance(mark, Fill):
            found += list(mark.contours)
        elif isinstance(mark, Clipped):
            found += contours(mark.marks)
    return found
