"""Pictures written as text, one shape per line: `box 0 0.9 1.8 1.7 wood 0.1`, `line 0.2 ink -0.6,0.6 0.6,-0.6`.

The first word names a shape of `SHAPES`, the others are its arguments: numbers, colours (a name of the brush, or
#rrggbb), and points: `x,y`, an arc as `x,y,radius,from,to` in degrees, or a curve as its points, joined by semicolons.
`@x,y,turn` at the end moves and turns the shape.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.drawing.pictures import brush
from companion.drawing.pictures.brush import Marks
from companion.drawing.shapes import Contour, Fill, Mark, Point, Stroke, arc, path, star, transform

COLOURS: dict[str, str] = {name.lower(): colour for name, colour in vars(brush).items() if name.isupper()}
"""The colours of the brush by name."""


def bent(*points: Contour) -> Contour:
    """Return an outline: a single point is joined by a straight line, and a group of points makes a curve."""
    (start,), *bends = points
    return path(start, *bends)


def along(*points: Contour) -> Contour:
    """Return the points of a line, including those of arcs."""
    return tuple([point for some in points for point in some])


SHAPES: dict[str, Callable[..., Mark]] = {
    "box": brush.box,
    "disc": brush.disc,
    "ring": brush.ring,
    "line": lambda width, colour, *points: Stroke(along(*points), width, colour),
    "area": lambda colour, *points: Fill((along(*points),), colour),
    "trace": lambda width, colour, *points: Stroke(bent(*points), width, colour),
    "loop": lambda width, colour, *points: Stroke(bent(*points), width, colour, closed=True),
    "curve": lambda colour, *points: Fill((bent(*points),), colour),
    "star": lambda x, y, outer, inner, count, colour: Fill((star(x, y, outer, inner, int(count)),), colour),
}
"""The shapes that can be written, as the brush draws them; `curve`, `trace` and `loop` bend."""


def drawn(text: str) -> Marks:
    """Return the shapes of a text; raise `KeyError` for an unknown shape and `ValueError` for an unknown word."""
    marks: list[Mark] = []
    for kind, *words in [line.split() for line in text.strip().splitlines()]:
        shape = SHAPES[kind](*[argument(word) for word in words if word[0] != "@"])
        placed = [numbers(word[1:]) for word in words if word[0] == "@"]
        marks += [mark for x, y, turn in placed for mark in transform((shape,), x, y, turn)] if placed else (shape,)
    return tuple(marks)


def argument(word: str) -> float | str | Contour:
    """Return a word's value: a colour, a number, or points."""
    if word in COLOURS:
        return COLOURS[word]
    if "," in word:
        return tuple([point for each in word.split(";") for point in points(numbers(each))])
    return word if word[0] == "#" else float(word)


def points(figures: list[float]) -> tuple[Point, ...]:
    """Return the point of two numbers, or the points of an arc of five."""
    return arc(*figures) if len(figures) > 2 else ((figures[0], figures[1]),)


def numbers(word: str) -> list[float]:
    """Return comma-separated numbers."""
    return list(map(float, word.split(",")))
