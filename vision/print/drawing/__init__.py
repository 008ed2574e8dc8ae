"""Shapes and letters in millimetres, drawn as vectors into a PDF or as pixels.

May import nothing of vision. Enter at `Drawing` (marks and their meaning: `shapes`), `to_pdf` and `to_pixels`.
"""

from vision.print.drawing.letters import text, text_width
from vision.print.drawing.pdf import PdfSheet, to_pdf
from vision.print.drawing.pixels import to_pixels
from vision.print.drawing.shapes import (
    Clipped,
    Contour,
    Drawing,
    Fill,
    Mark,
    Point,
    Stroke,
    arc,
    circle,
    ellipse,
    path,
    rectangle,
    star,
    transform,
)

__all__ = [
    "Clipped",
    "Contour",
    "Drawing",
    "Fill",
    "Mark",
    "PdfSheet",
    "Point",
    "Stroke",
    "arc",
    "circle",
    "ellipse",
    "path",
    "rectangle",
    "star",
    "text",
    "text_width",
    "to_pdf",
    "to_pixels",
    "transform",
]  # fmt: skip
