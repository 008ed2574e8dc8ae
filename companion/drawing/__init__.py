"""Drawings as data: shapes and letters in millimetres, and decks of cards made of them.

May import msgspec and fontTools alone; `vision.print` renders them. Enter at `Drawing` and `Design`.
"""

from companion.drawing.design import BLEED, TOKEN_BLEED, Design, DrawError, TokenDesign
from companion.drawing.letters import text, text_width
from companion.drawing.shapes import (
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
    "BLEED",
    "TOKEN_BLEED",
    "Clipped",
    "Contour",
    "Design",
    "DrawError",
    "Drawing",
    "Fill",
    "Mark",
    "Point",
    "Stroke",
    "TokenDesign",
    "arc",
    "circle",
    "ellipse",
    "path",
    "rectangle",
    "star",
    "text",
    "text_width",
    "transform",
]
