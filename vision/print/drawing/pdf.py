"""Drawings as vectors on sheets of paper: a PDF in millimetres, by fpdf2. Needs no OpenCV.

Every drawing is written as a page's own operators (`m`, `l`, `f*`, `S`), made once and reused at every position. fpdf2
manages the document: pages, sizes, compression and title.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from companion.drawing.shapes import Clipped, Contour, Drawing, Fill, Mark, Stroke

POINTS = 72 / 25.4
"""A PDF's points per millimetre."""


class PdfSheet(msgspec.Struct, frozen=True):
    """One side of a sheet of paper: a drawing of the paper's size, with smaller ones placed on it."""

    drawing: Drawing
    placed: tuple[tuple[Drawing, float, float], ...] = ()
    """Drawings with the position of their upper left corner in millimetres. They cover the sheet's own marks."""


def to_pdf(sheets: Iterable[PdfSheet], path: Path, title: str = "") -> None:
    """Write sheets in order to a PDF file. Each drawing is made only once."""
    import fpdf

    document = fpdf.FPDF(unit="mm")
    document.set_margin(0)
    document.set_auto_page_break(False)
    document.set_title(title)
    document.set_creator("table-companion")
    # readers that fit pages to the paper would make cards too small
    document.viewer_preferences = fpdf.ViewerPreferences(print_scaling="None")
    written: dict[int, tuple[Drawing, str]] = {}
    for sheet in sheets:
        page = sheet.drawing
        document.add_page(format=(page.width, page.height))
        # from here on in millimetres from the upper left corner, y down, with round ends and corners
        parts = [f"q {POINTS:.6f} 0 0 {-POINTS:.6f} 0 {page.height * POINTS:.4f} cm 1 J 1 j", operators(page.marks)]
        for drawing, x, y in sheet.placed:
            if id(drawing) not in written:
                area = f"0 0 {_n(drawing.width)} {_n(drawing.height)} re W n"
                written[id(drawing)] = drawing, f"{area}\n{operators(drawing.marks)}"
            parts.append(f"q 1 0 0 1 {_n(x)} {_n(y)} cm {written[id(drawing)][1]} Q")
        # fpdf2's own paths take ten times as long to write, and lack even-odd clipping
        document._out("\n".join([*parts, "Q"]))
    document.output(str(path))


def operators(marks: Iterable[Mark]) -> str:
    """Return marks as operators of a PDF's page, in millimetres."""
    made = []
    for mark in marks:
        match mark:
            case Fill(contours, colour):
                made.append(f"{_colour(colour)} rg {' '.join([_closed_path(c) for c in contours])} f*")
            case Stroke(points, width, colour, closed):
                line = _closed_path(points) if closed else _open_path(points)
                made.append(f"{_colour(colour)} RG {_n(width)} w {line} S")
            case Clipped(contour, inner):
                made.append(f"q {_closed_path(contour)} W n {operators(inner)} Q")
    return "\n".join(made)


def _open_path(points: Contour) -> str:
    return " l ".join([f"{_n(x)} {_n(y)}" for x, y in points]).replace(" l ", " m ", 1) + " l"


def _closed_path(contour: Contour) -> str:
    return f"{_open_path(contour)} h"


def _n(number: float) -> str:
    """Return a number to a hundredth of a millimetre, a quarter of a dot at 600 dots per inch."""
    return f"{number:.2f}".rstrip("0").rstrip(".") or "0"


def _colour(colour: str) -> str:
    return " ".join([f"{part / 255:.3f}" for part in bytes.fromhex(colour.removeprefix("#"))])
