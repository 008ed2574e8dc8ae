"""Paint a drawing as a picture: at a multiple of its size with hard edges, then reduced by averaging.

OpenCV is imported when first needed, so that printing does without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.drawing.shapes import Clipped, Contour, Drawing, Fill, Mark, Point, Stroke

if TYPE_CHECKING:
    from vision.image import Image

FINER = 4
"""The supersampling factor: 16 shades at every edge."""
BAND = 768
"""The number of rows to paint at a time, because a whole supersampled mat would fill a small computer's memory."""
SHIFT = 4
"""The fractional bits of pixel coordinates for OpenCV."""


def to_pixels(drawing: Drawing, px_per_mm: float, size: tuple[int, int] | None = None, paper: str = "#ffffff") -> Image:
    """Return a drawing as a BGR picture at `px_per_mm` pixels per millimetre.

    size: exact width and height in pixels, if required. The drawing is then stretched by less than a pixel.
    """
    import cv2
    import numpy as np

    width, height = size or (round(drawing.width * px_per_mm), round(drawing.height * px_per_mm))
    if width < 1 or height < 1:
        raise ValueError(f"A picture of {width} by {height} pixels cannot be drawn.")
    small = np.empty((height, width, 3), np.uint8)
    scale = (width * FINER / drawing.width, height * FINER / drawing.height)
    for top in range(0, height, BAND):
        low = min(height, top + BAND)
        canvas = np.empty(((low - top) * FINER, width * FINER, 3), np.uint8)
        cv2.rectangle(canvas, (0, 0), (canvas.shape[1], canvas.shape[0]), bgr(paper), cv2.FILLED)
        _paint(canvas, drawing.marks, scale, (0, top * FINER))
        cv2.resize(canvas, (width, low - top), small[top:low], interpolation=cv2.INTER_AREA)
    return small


def bgr(colour: str) -> tuple[int, int, int]:
    """Return `#rrggbb` as blue, green and red from 0 to 255."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return blue, green, red


def _paint(canvas: Image, marks: tuple[Mark, ...], scale: Point, origin: tuple[int, int]) -> None:
    """Paint marks on a canvas whose upper left pixel is `origin` in the whole drawing."""
    import cv2
    import numpy as np

    for mark in marks:
        match mark:
            case Fill(contours, colour):
                cv2.fillPoly(canvas, [_fixed_point(c, scale, origin) for c in contours], bgr(colour), cv2.LINE_8, SHIFT)
            case Stroke(points, width, colour, closed):
                # OpenCV draws thick lines with round ends and whole pixel widths, which is fine enough when
                # supersampled
                thick = max(1, round(width * scale[0]))
                cv2.polylines(
                    canvas, [_fixed_point(points, scale, origin)], closed, bgr(colour), thick, cv2.LINE_8, SHIFT
                )
            case Clipped(contour, inner):
                at = np.asarray(contour) * scale - origin
                (x0, y0), (x1, y1) = np.floor(at.min(axis=0)).astype(int), np.ceil(at.max(axis=0)).astype(int) + 1
                x0, y0 = max(0, int(x0)), max(0, int(y0))
                part = canvas[y0 : max(y0, int(y1)), x0 : max(x0, int(x1))]
                if part.size:
                    _paint_within(part, contour, inner, scale, (origin[0] + x0, origin[1] + y0))


def _paint_within(
    part: Image, contour: Contour, marks: tuple[Mark, ...], scale: Point, origin: tuple[int, int]
) -> None:
    """Paint marks on a part of a canvas, only within a contour."""
    import cv2
    import numpy as np

    within = np.zeros(part.shape[:2], np.uint8)
    cv2.fillPoly(within, [_fixed_point(contour, scale, origin)], (1,), cv2.LINE_8, SHIFT)
    layer = part.copy()
    _paint(layer, marks, scale, origin)
    cv2.copyTo(layer, within, part)


def _fixed_point(contour: Contour, scale: Point, origin: tuple[int, int]) -> Image:
    """Return a contour in OpenCV's fixed-point pixels, whose integers are pixel centres."""
    import numpy as np

    points = (np.asarray(contour, np.float64) * scale - (origin[0] + 0.5, origin[1] + 0.5)) * (1 << SHIFT)
    return np.rint(points).astype(np.int32)
