"""Letters as areas: outlines of Barlow Semi Condensed (the pages' lettering), in millimetres."""

from __future__ import annotations

from functools import cache
from importlib import resources
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from companion.drawing.shapes import Contour, Fill, Point, path

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

Weight = Literal[500, 700]
Anchor = Literal["start", "middle", "end"]

CAP = 0.7
"""The height of a capital letter or digit as a share of the font's size (Barlow, its OS/2 table)."""


def text(
    words: str,
    at: Point,
    size: float,
    colour: str = "#000000",
    weight: Weight = 700,
    anchor: Anchor = "start",
) -> Fill:
    """Return words as a mark.

    `at`: a point on their baseline, at their start, middle or end; `size`: the height of capitals and digits in
    millimetres. Raise `ValueError` for a letter that the font lacks.
    """
    x, y = at
    x -= {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * text_width(words, size, weight)
    scale = size / CAP
    contours: list[Contour] = []
    for letter in words:
        shapes, advance = _glyph(letter, weight)
        contours += [tuple([(x + px * scale, y - py * scale) for px, py in shape]) for shape in shapes]
        x += advance * scale
    return Fill(tuple(contours), colour)


def text_width(words: str, size: float, weight: Weight = 700) -> float:
    """Return the width of words in millimetres; `size` is the height of their capitals."""
    advances = sum(_glyph(letter, weight)[1] for letter in words)
    return advances * size / CAP


def break_lines(words: str, size: float, wide: float, weight: Weight = 700) -> list[str]:
    """Return words in lines of at most this width; a single word that is wider has a line of its own."""
    lines = [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size, weight) > wide:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def balance_lines(words: str, size: float, wide: float, weight: Weight = 700) -> list[str]:
    """Return words in as few lines as fit the width, of about equal length."""
    count = len(break_lines(words, size, wide, weight))
    while wide > size and len(break_lines(words, size, wide - size, weight)) == count:
        wide -= size
    return break_lines(words, size, wide, weight)


@cache
def _font(weight: Weight) -> TTFont:
    """Return the font's glyphs. WOFF, not WOFF2: fontTools reads it without another package."""
    from fontTools.ttLib import TTFont

    name = f"fonts/barlow-semi-condensed-latin-{weight}-normal.woff"
    with resources.as_file(resources.files(__package__).joinpath(name)) as file:
        return TTFont(file, lazy=False)


@cache
def _glyph(letter: str, weight: Weight) -> tuple[tuple[Contour, ...], float]:
    """Return a letter's contours and its advance, for a font of size 1, y upwards."""
    from fontTools.pens.recordingPen import DecomposingRecordingPen

    font = _font(weight)
    name = font.getBestCmap().get(ord(letter))
    if name is None:
        raise ValueError(f"The lettering has no sign {letter!r}.")
    glyphs = font.getGlyphSet()
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)
    unit = 1 / font["head"].unitsPerEm
    return tuple(_contours(pen.value, unit)), glyphs[name].width * unit


SHOWN = 10.0
"""Curves are flattened for letters of a font of this size in millimetres, the largest in common use."""


def _contours(record: list[tuple[str, tuple[tuple[float, float], ...]]], unit: float) -> list[Contour]:
    """Return a pen's record as contours for a font of size 1."""
    made: list[Contour] = []
    start: Point = (0.0, 0.0)
    parts: list[tuple[Point, ...]] = []
    for what, given in record:
        points = tuple([(px * unit * SHOWN, py * unit * SHOWN) for px, py in given if px is not None])
        match what:
            case "moveTo":
                start, parts = points[0], []
            case "lineTo" | "curveTo":
                parts.append(points)
            case "qCurveTo":
                parts += _quadratics(points)
            case "closePath" | "endPath":
                made.append(tuple([(px / SHOWN, py / SHOWN) for px, py in path(start, *parts)]))
            case _:
                raise ValueError(f"A letter is drawn by {what}, which is not known here.")
    return made


def _quadratics(points: tuple[Point, ...]) -> list[tuple[Point, ...]]:
    """Return a TrueType curve as quadratic Bézier curves: the end between two controls is implicit."""
    *controls, end = points
    ends = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairwise(controls)]
    return [(control, stop) for control, stop in zip(controls, [*ends, end], strict=True)]
