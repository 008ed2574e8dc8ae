"""A drawing as a picture: painted at a multiple of its size with hard edges, then made small by averaging.

Knows pixels; refuses to know what is drawn. OpenCV is imported when it is first needed, so that printing needs none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.drawing.shapes import Clipped, Contour, Drawing, Fill, Mark, Stroke

if TYPE_CHECKING:
    from vision.image import Image

FINER = 4
"""How many times finer than the picture it is painted: 16 shades at every edge."""
SHIFT = 4
"""Bits of a pixel's fraction that OpenCV is given."""


def to_pixels(drawing: Drawing, px_per_mm: float, size: tuple[int, int] | None = None, paper: str = "#ffffff") -> Image:
    """Return a drawing as a BGR picture, `px_per_mm` pixels a millimetre.

    `size`: width and height in pixels where they must be just so (the drawing is stretched by less than a pixel).
    """
    import cv2
    import numpy as np

    width, height = size or (round(drawing.width * px_per_mm), round(drawing.height * px_per_mm))
    if width < 1 or height < 1:
        raise ValueError(f"A picture of {width} by {height} pixels cannot be drawn.")
    canvas = np.empty((height * FINER, width * FINER, 3), np.uint8)
    canvas[:] = bgr(paper)
    scale = (width * FINER / drawing.width, height * FINER / drawing.height)
    _paint(canvas, drawing.marks, scale)
    small: Image = cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return small


def bgr(colour: str) -> tuple[int, int, int]:
    """Return `#rrggbb` as blue, green and red from 0 to 255."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return blue, green, red


def _paint(canvas: Image, marks: tuple[Mark, ...], scale: tuple[float, float]) -> None:
    import cv2
    import numpy as np

    for mark in marks:
        match mark:
            case Fill(contours, colour):
                cv2.fillPoly(canvas, [_fixed(c, scale) for c in contours], bgr(colour), cv2.LINE_8, SHIFT)
            case Stroke(points, width, colour, closed):
                # OpenCV draws thick lines with round ends, whole pixels wide: fine enough at a multiple of the size
                thick = max(1, round(width * scale[0]))
                cv2.polylines(canvas, [_fixed(points, scale)], closed, bgr(colour), thick, cv2.LINE_8, SHIFT)
            case Clipped(contour, inner):
                within = np.zeros(canvas.shape[:2], np.uint8)
                cv2.fillPoly(within, [_fixed(contour, scale)], (1,), cv2.LINE_8, SHIFT)
                above = canvas.copy()
                _paint(above, inner, scale)
                np.copyto(canvas, above, where=within[:, :, None].astype(bool))


def _fixed(contour: Contour, scale: tuple[float, float]) -> Image:
    """Return a contour in OpenCV's fixed-point pixels, whose whole numbers are the pixels' centres."""
    import numpy as np

    points = (np.asarray(contour, np.float64) * scale - 0.5) * (1 << SHIFT)
    return np.rint(points).astype(np.int32)
