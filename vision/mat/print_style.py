"""The style of a printed mat: colours, lines and margins."""

from __future__ import annotations

from collections.abc import Iterable

from companion.drawing import Mark, Stroke, rectangle
from vision.mat.mat import Mat, MatSheet
from vision.mat.tiling import RIM

FAINT, FAINTER, INK, BLACK = "#c3ccd6", "#dde3ea", "#5d6b7a", "#000000"
"""Colours of outlines and names, of shapes behind them, of small print and bars, and of markers."""
LINE = 0.35
"""The width of an outline in millimetres."""
ROUND = 3.0
"""The radius of the outlines' corners in millimetres, as on most cards."""


def outline(x: float, y: float, width: float, height: float, colour: str = FAINT) -> Mark:
    """Return a place's outline."""
    return Stroke(rectangle(x, y, width, height, ROUND), LINE, colour, closed=True)


def within(sheet: MatSheet, x: float, y: float) -> bool:
    """Whether a point of the mat is printed on a sheet, outside its margins."""
    return RIM <= x - sheet.x <= sheet.width - RIM and RIM <= y - sheet.y <= sheet.height - RIM


def printed_whole(mat: Mat, points: Iterable[tuple[float, float]]) -> bool:
    """Whether these points of the mat are all printed on one sheet."""
    corners = list(points)
    return any(all(within(sheet, x, y) for x, y in corners) for sheet in mat.sheets)
