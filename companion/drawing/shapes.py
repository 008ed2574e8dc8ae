"""Marks and contours, which make up a drawing, in millimetres; x goes to the right, y down. Colours are `#rrggbb`.

Later marks cover earlier ones (there is no transparency). Curves are flattened into short lines as they are made (off
by less than `FINENESS`), so that painters handle only lines. An example:

    marks = (Fill((rectangle(0, 0, 40, 20),), "#ffffff"), text("LINE 1", (20, 12), 6, anchor="middle"))
    to_pdf([PdfSheet(Drawing(210, 297), ((Drawing(40, 20, marks), 15.0, 15.0),))], Path("sheet.pdf"))
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

import msgspec

Point: TypeAlias = tuple[float, float]
Contour: TypeAlias = tuple[Point, ...]
"""Points joined by straight lines, in millimetres."""

FINENESS = 0.008
"""How far a broken line may be from its curve, in millimetres: a fifth of a dot at 600 dots an inch."""


class Fill(msgspec.Struct, frozen=True, tag=True):
    """Areas of one colour, by the even-odd rule: a contour within another is a hole."""

    contours: tuple[Contour, ...]
    colour: str


class Stroke(msgspec.Struct, frozen=True, tag=True):
    """A line with round ends and corners."""

    points: Contour
    width: float
    colour: str
    closed: bool = False


class Clipped(msgspec.Struct, frozen=True, tag=True):
    """Marks clipped to the contour."""

    contour: Contour
    marks: tuple[Mark, ...]


Mark: TypeAlias = Fill | Stroke | Clipped


class Drawing(msgspec.Struct, frozen=True):
    """Marks on an area, painted in order and clipped to it."""

    width: float
    height: float
    marks: tuple[Mark, ...] = ()


# --- contours -------------------------------------------------------------------------------------


def rectangle(x: float, y: float, width: float, height: float, radius: float = 0.0) -> Contour:
    """Return a rectangle from its upper left corner, with round corners if wanted."""
    if not radius:
        return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    r, right, low = radius, x + width, y + height
    return (
        *arc(right - r, y + r, r, -90, 0),
        *arc(right - r, low - r, r, 0, 90),
        *arc(x + r, low - r, r, 90, 180),
        *arc(x + r, y + r, r, 180, 270),
    )


def circle(x: float, y: float, radius: float) -> Contour:
    """Return a circle by its centre."""
    return ellipse(x, y, radius, radius)


def ellipse(x: float, y: float, across: float, down: float) -> Contour:
    """Return an ellipse by its centre and its two half axes."""
    return tuple([(x + across * c, y + down * s) for c, s in _unit_circle(_steps(max(across, down), 360))])


def arc(x: float, y: float, radius: float, start: float, end: float) -> Contour:
    """Return a part of a circle, its ends included; angles in degrees, 0 to the right, clockwise."""
    steps = _steps(radius, abs(end - start))
    turns = (math.radians(start + (end - start) * n / steps) for n in range(steps + 1))
    return tuple([(x + radius * math.cos(a), y + radius * math.sin(a)) for a in turns])


def star(x: float, y: float, outer: float, inner: float, points: int = 5, turn: float = -90.0) -> Contour:
    """Return a star by its centre; its first point is `turn` degrees clockwise from the right."""
    return tuple(
        [
            (x + r * math.cos(a), y + r * math.sin(a))
            for n in range(2 * points)
            for r, a in [(inner if n % 2 else outer, math.radians(turn + 180 * n / points))]
        ]
    )


def path(start: Point, *parts: tuple[Point, ...]) -> Contour:
    """Return a contour from its start through parts: (end,) is a line, (control, end) a quadratic and
    (control, control, end) a cubic Bézier curve."""
    points = [start]
    for part in parts:
        match part:
            case (end,):
                points.append(end)
            case (a, end):
                last = points[-1]
                first, second = _point_between(last, a, 2 / 3), _point_between(end, a, 2 / 3)
                points += _cubic(last, first, second, end)
            case (a, b, end):
                points += _cubic(points[-1], a, b, end)
            case _:
                raise ValueError(f"A part of a path has one, two or three points, not {len(part)}.")
    return tuple(points)


@lru_cache(maxsize=256)
def _unit_circle(steps: int) -> tuple[Point, ...]:
    """Return the points of a circle of radius 1; a deck has 70,000 circles of a few sizes."""
    turns = (2 * math.pi * n / steps for n in range(steps))
    return tuple([(math.cos(a), math.sin(a)) for a in turns])


def _steps(radius: float, degrees: float) -> int:
    """Return the number of lines for an arc."""
    if radius <= FINENESS:
        return 4
    return max(4, math.ceil(math.radians(degrees) / (2 * math.acos(1 - FINENESS / radius))))


def _cubic(a: Point, b: Point, c: Point, d: Point) -> list[Point]:
    """Return the points of a cubic Bézier curve after its start."""
    bend = max(math.hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1]),
               math.hypot(b[0] - 2 * c[0] + d[0], b[1] - 2 * c[1] + d[1]))  # fmt: skip
    steps = max(1, math.ceil(math.sqrt(0.75 * bend / FINENESS)))
    made = []
    for n in range(1, steps + 1):
        t = n / steps
        s = 1 - t
        w, x, y, z = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
        made.append((w * a[0] + x * b[0] + y * c[0] + z * d[0], w * a[1] + x * b[1] + y * c[1] + z * d[1]))
    return made


def _point_between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


# --- moving ---------------------------------------------------------------------------------------


def transform(
    marks: Iterable[Mark], x: float = 0.0, y: float = 0.0, turn: float = 0.0, scale: float = 1.0, mirror: bool = False
) -> tuple[Mark, ...]:
    """Return marks mirrored left to right, scaled and turned clockwise by degrees, all about (0, 0), then shifted."""
    a = math.radians(turn)
    c, s = math.cos(a) * scale, math.sin(a) * scale
    m = -1.0 if mirror else 1.0
    return tuple([_map_mark(mark, (c * m, -s, x, s * m, c, y), scale) for mark in marks])


def _map_mark(mark: Mark, by: tuple[float, ...], scale: float) -> Mark:
    match mark:
        case Fill(contours, colour):
            return Fill(tuple([_map_contour(contour, by) for contour in contours]), colour)
        case Stroke(points, width, colour, closed):
            return Stroke(_map_contour(points, by), width * scale, colour, closed)
        case Clipped(contour, marks):
            return Clipped(_map_contour(contour, by), tuple([_map_mark(inner, by, scale) for inner in marks]))


def _map_contour(contour: Contour, by: tuple[float, ...]) -> Contour:
    a, b, x, c, d, y = by
    return tuple([(a * px + b * py + x, c * px + d * py + y) for px, py in contour])
