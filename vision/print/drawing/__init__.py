"""Shapes and letters in millimetres, drawn as vectors into a PDF and as pixels from the same strokes.

A `Drawing` is a width, a height and marks; x goes to the right, y down, from the upper left corner, in millimetres.
Marks are painted one over the other and cover what is below (there is no transparency):

- `Fill(contours, colour)`: areas by the even-odd rule, so that a contour within another is a hole;
- `Stroke(points, width, colour, closed)`: a line with round ends and corners;
- `Clipped(contour, marks)`: marks, of which only what lies within the contour shows.

`rectangle`, `circle`, `ellipse`, `star`, `arc` and `path` make contours, `text` makes a `Fill` out of letters, `moved`
turns, scales and shifts marks. `to_pdf(sheets, path)` writes vectors (needs no OpenCV), `to_pixels(drawing, px_per_mm)`
paints an anti-aliased picture (needs it). Colours are `#rrggbb`.

    marks = (Fill((rectangle(0, 0, 40, 20),), "#ffffff"), text("LINE 1", 20, 12, 6, anchor="middle"))
    to_pdf([Sheet(Drawing(210, 297), ((Drawing(40, 20, marks), 15.0, 15.0),))], Path("sheet.pdf"))
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
    moved,
    path,
    rectangle,
    star,
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
    "moved",
    "path",
    "rectangle",
    "star",
    "text",
    "text_width",
    "to_pdf",
    "to_pixels",
]  # fmt: skip
