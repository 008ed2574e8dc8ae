"""Shapes of one colour, from which games make their own pictures: in millimetres around the middle of the ground."""

from __future__ import annotations

from companion.drawing import Fill, Mark, Point, Stroke, circle, rectangle
from companion.drawing.pictures.paint import BLUE, BRICK, EARTH, GLASS, GOLD, GREEN, INK, PAPER, RED, STEEL, STONE, WOOD

__all__ = [
    "BLUE", "BRICK", "EARTH", "GLASS", "GOLD", "GREEN", "INK", "PAPER", "RED", "STEEL", "STONE", "WOOD", "Marks",
    "area", "block", "box", "clock", "disc", "line", "ring", "traveller", "windows",
]  # fmt: skip
Marks = tuple[Mark, ...]


def box(x: float, y: float, width: float, height: float, colour: str, radius: float = 0.0) -> Fill:
    """Return a box that stands on the height `y`, `x` being its middle."""
    return Fill((rectangle(x - width / 2, y - height, width, height, radius),), colour)


def block(x: float, y: float, width: float, height: float, colour: str, radius: float = 0.0) -> Fill:
    """Return a box by its upper left corner."""
    return Fill((rectangle(x, y, width, height, radius),), colour)


def disc(x: float, y: float, radius: float, colour: str) -> Fill:
    """Return a filled circle."""
    return Fill((circle(x, y, radius),), colour)


def area(colour: str, *points: Point) -> Fill:
    """Return a polygon."""
    return Fill((points,), colour)


def line(width: float, colour: str, *points: Point) -> Stroke:
    """Return a line through points."""
    return Stroke(points, width, colour)


def ring(x: float, y: float, radius: float, width: float, colour: str) -> Stroke:
    """Return a circle's line."""
    return Stroke(circle(x, y, radius), width, colour, closed=True)


def windows(x: float, y: float, columns: int, rows: int, step: Point, size: Point, colour: str = GLASS) -> Marks:
    """Return windows in rows, the lowest standing on the height `y`, their middle at `x`."""
    return tuple(
        [
            box(x + (column - (columns - 1) / 2) * step[0], y - row * step[1], *size, colour)
            for row in range(rows)
            for column in range(columns)
        ]
    )


def clock(x: float, y: float, radius: float) -> Marks:
    """Return a station's clock."""
    return (
        disc(x, y, radius, INK),
        disc(x, y, radius * 0.82, PAPER),
        line(radius * 0.16, INK, (x, y - radius * 0.6), (x, y), (x + radius * 0.42, y + radius * 0.2)),
    )


def traveller(x: float, y: float, size: float, coat: str, cap: str = INK) -> Marks:
    """Return a person who stands on the height `y`."""
    return (
        area(coat, (x - size * 0.42, y), (x - size * 0.3, y - size * 0.95), (x + size * 0.3, y - size * 0.95),
             (x + size * 0.42, y)),
        disc(x, y - size * 1.2, size * 0.3, "#e0a878"),
        box(x, y - size * 1.3, size * 0.66, size * 0.26, cap, size * 0.1),
        box(x + size * 0.16, y - size * 1.26, size * 0.6, size * 0.09, cap),
    )  # fmt: skip
