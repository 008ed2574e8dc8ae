"""Prepare pictures for comparison: a card's frame, views in Lab, and homographies."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.image import CARD, Image, Matrix, Pixels

Floats = Pixels
"""Any array of float32. Its shape is stated where it is used."""
Flags = npt.NDArray[np.bool_]
"""Any array of booleans."""

SHORT = CARD[0]
"""The shorter side in pixels of a card's *frame*, the plane of its pose: 372 × 520 for 63 × 88 mm."""
WHITE = 250
"""The level from which a pixel is burnt out and carries no information, if all three channels reach it."""


def frame_of(width: int, height: int) -> tuple[int, int]:
    """Return width and height of a card's frame from those of its picture."""
    scale = SHORT / min(width, height)
    return max(SHORT, round(width * scale)), max(SHORT, round(height * scale))


def corners_of(frame: tuple[int, int]) -> Floats:
    """Return a frame's four corners, 4 × 2, clockwise from the upper left."""
    width, height = frame
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)


def grey_of(picture: Image) -> Image:
    """Return a picture in grey. A grey one is returned unchanged."""
    if picture.ndim == 2:
        return picture
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)


def colour_of(picture: Image) -> Image:
    """Return a picture with three channels, from grey, colour or colour with transparency."""
    if picture.ndim == 2 or picture.shape[2] == 1:
        return cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    return picture[:, :, :3]


def lab(picture: Image) -> Floats:
    """Return a picture in CIE Lab, h × w × 3: L from 0 to 100, a and b around 0."""
    return cv2.cvtColor(picture.astype(np.float32) / np.float32(255), cv2.COLOR_BGR2Lab)


def darkest(picture: Pixels) -> Pixels:
    """Return each pixel's darkest channel in a colour picture."""
    return np.minimum(np.minimum(picture[:, :, 0], picture[:, :, 1]), picture[:, :, 2])


def brightest(picture: Pixels) -> Pixels:
    """Return each pixel's brightest channel in a colour picture. NumPy's `max` over so short an axis takes ten times
    as long."""
    return np.maximum(np.maximum(picture[:, :, 0], picture[:, :, 1]), picture[:, :, 2])


def median(values: Pixels) -> float:
    """Return the median of one or more numbers. `numpy.median` takes twice as long for so few."""
    half = values.size // 2
    ordered = np.partition(values, half, axis=None)
    return float(ordered[half] if values.size % 2 else (float(ordered[:half].max()) + float(ordered[half])) / 2)


def resize(picture: Image, width: int, height: int) -> Image:
    """Return a picture resized, with averaging when it shrinks."""
    shrinks = width * height < picture.shape[0] * picture.shape[1]
    how = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
    return cv2.resize(picture, (max(1, width), max(1, height)), interpolation=how)


def project(matrix: Matrix, points: Floats) -> Floats:
    """Return points (N × 2) transformed by a homography."""
    ones = np.ones((len(points), 1))
    sent = np.concatenate([points, ones], axis=1) @ matrix.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return (sent[:, :2] / sent[:, 2:]).astype(np.float32)


def homography(source: Floats, target: Floats) -> Matrix:
    """Return the homography that maps four points to four others."""
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
    return np.asarray(matrix, np.float64)


def scaling_matrix(x: float, y: float) -> Matrix:
    """Return the homography that scales by x and y."""
    return np.diag([x, y, 1.0])
