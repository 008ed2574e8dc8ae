"""Detect ArUco markers with OpenCV 4.6 (functions) or 4.7 and later (objects)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.image import Image

OBJECTS = hasattr(cv2.aruco, "ArucoDetector")
"""Whether this OpenCV has marker objects. Version 4.6 has only functions."""
OLD: Any = cv2.aruco
"""The module with the functions of 4.6, which later versions and their stubs lack."""
DICTIONARY = cv2.aruco.DICT_5X5_1000
"""The dictionary: a thousand markers that differ in at least five squares, so that misreading one is practically
impossible. At 2 px/mm, below which no card can be read, a square still has 5 pixels, so a dictionary of 4 × 4
squares would gain nothing."""
MODULES = 7
"""The number of squares along a marker's side, including its black border."""
LARGEST = 2400
"""The maximum longer side, in pixels, of a picture for detection. Larger pictures are scaled down."""
CONTRAST = 25
"""The minimum difference in brightness between a marker's border and the white around it, in levels of 255."""
WINDOW = 0.35
"""Half the window for refining corners, in modules."""


def modules(number: int) -> npt.NDArray[np.bool_]:
    """Return a marker's squares, 7 × 7, True for black."""
    draw = cv2.aruco.generateImageMarker if OBJECTS else OLD.drawMarker
    picture = draw(_dictionary(), number, MODULES)
    black: npt.NDArray[np.bool_] = np.asarray(picture) < 128
    return black


def detect(picture: Image) -> dict[int, npt.NDArray[np.float64]]:
    """Return the corners of a picture's markers in pixels, by number, clockwise from the marker's own top left.

    A number that occurs twice is left out, because one of the two must be wrong.
    """
    grey = picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    factor = max(1.0, max(grey.shape[:2]) / LARGEST)
    small = grey
    if factor > 1:
        size = (round(grey.shape[1] / factor), round(grey.shape[0] / factor))
        small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    corners, numbers = _detect_raw(small)
    found: dict[int, npt.NDArray[np.float64]] = {}
    twice = set[int]()
    scale = np.array([grey.shape[1] / small.shape[1], grey.shape[0] / small.shape[0]])
    for number, quad in zip(numbers, corners, strict=True):
        if number in found:
            twice.add(number)
        found[number] = (np.asarray(quad, dtype=np.float64).reshape(4, 2) + 0.5) * scale - 0.5
    for number in twice:
        del found[number]
    return {number: _refine(grey, quad) for number, quad in found.items()}


def is_still_there(picture: Image, corners: npt.NDArray[np.float64], off: float) -> bool:
    """Whether a marker still lies at its corners, within `off` pixels. This is a hundred times faster than
    detection."""
    (left, top), (right, bottom) = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
    pad = int((right - left) / MODULES) + 4
    x0, y0, x1, y1 = int(left) - pad, int(top) - pad, int(right) + pad + 1, int(bottom) + pad + 1
    if x0 < 0 or y0 < 0 or x1 > picture.shape[1] or y1 > picture.shape[0]:
        return False
    part = picture[y0:y1, x0:x1]
    grey = part if part.ndim == 2 else np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    here = corners - (x0, y0)
    middle = here.mean(axis=0)
    within, around = (middle + (here - middle) * (1 + by / MODULES) for by in (-1, 1))
    dark, light = (grey[points[:, 1].astype(int), points[:, 0].astype(int)] for points in (within, around))
    if int(light.min()) - int(dark.max()) < CONTRAST:
        return False
    fine = _refine(np.ascontiguousarray(grey), here)
    return bool(np.linalg.norm(fine - here, axis=1).max() <= off)


def _refine(grey: Image, quad: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return a marker's corners with subpixel precision."""
    side = float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).min())
    half = int(np.clip(round(side / MODULES * WINDOW * 2), 2, 15))
    points = quad.astype(np.float32).reshape(-1, 1, 2)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.01)
    fine = cv2.cornerSubPix(grey, points, (half, half), (-1, -1), criteria).reshape(4, 2).astype(np.float64)
    moved: npt.NDArray[np.bool_] = np.linalg.norm(fine - quad, axis=1) > half
    fine[moved] = quad[moved]
    return fine


def _detect_raw(grey: Image) -> tuple[list[npt.NDArray[np.float32]], list[int]]:
    if OBJECTS:
        corners, numbers, _ = _detector().detectMarkers(grey)
    else:
        corners, numbers, _ = OLD.detectMarkers(grey, _dictionary(), parameters=_parameters())
    found = [] if numbers is None else [int(number) for number in np.asarray(numbers).ravel()]
    return [np.asarray(each, np.float32) for each in corners], found


@lru_cache(maxsize=1)
def _detector() -> cv2.aruco.ArucoDetector:
    return cv2.aruco.ArucoDetector(_dictionary(), _parameters())


@lru_cache(maxsize=1)
def _parameters() -> cv2.aruco.DetectorParameters:
    parameters: cv2.aruco.DetectorParameters
    parameters = cv2.aruco.DetectorParameters() if OBJECTS else OLD.DetectorParameters_create()
    parameters.minMarkerPerimeterRate = 0.02
    parameters.adaptiveThreshWinSizeMin = 5
    parameters.adaptiveThreshWinSizeMax = 45
    parameters.adaptiveThreshWinSizeStep = 20
    return parameters


@lru_cache(maxsize=1)
def _dictionary() -> cv2.aruco.Dictionary:
    found: cv2.aruco.Dictionary
    found = (cv2.aruco.getPredefinedDictionary if OBJECTS else OLD.Dictionary_get)(DICTIONARY)
    return found
