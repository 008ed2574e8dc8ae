"""The forms of tokens in millimetres around their middle, and their shared parts: inks, plates with figures."""

from __future__ import annotations

import math

from companion.drawing import Clipped, Contour, Fill, Mark, Stroke, circle, rectangle, text, text_width, transform

INK, PAPER, GOLD, NAVY, WINE = "#1b2130", "#faf5e8", "#f7d774", "#14284a", "#6b1f2a"
MONEY_RADIUS = 10.0
"""Radius of a money token: 20 mm across, like a small coin."""
AUCTION_RADIUS = 13.0
"""Millimetres from the middle of an auction token to its corners; larger than money, because there are only six."""
SEQUENCE_SIDE = 20.0
"""Side of a sequence token."""
PURPOSE_SIZE = (32.0, 22.0)
"""Width and height of a purpose token: a condition needs a picture of some length."""
CORNER = 3.0
"""Radius of a purpose token's corners, which distinguishes its outline from a card's."""
Marks = tuple[Mark, ...]


def round_form(beyond: float = 0.0) -> Contour:
    """Return a money token's outline, moved out by `beyond`."""
    return circle(0, 0, MONEY_RADIUS + beyond)


def hexagon(beyond: float = 0.0) -> Contour:
    """Return an auction token's outline with a corner to the right, moved out by `beyond`."""
    radius = AUCTION_RADIUS + beyond / math.cos(math.radians(30))
    return tuple([(radius * math.cos(a), radius * math.sin(a)) for a in (math.radians(60 * n) for n in range(6))])


def square(beyond: float = 0.0) -> Contour:
    """Return a sequence token's outline, moved out by `beyond`."""
    return middle_rectangle(SEQUENCE_SIDE + 2 * beyond, SEQUENCE_SIDE + 2 * beyond, beyond)


def tablet(beyond: float = 0.0) -> Contour:
    """Return a purpose token's outline, moved out by `beyond`."""
    wide, high = PURPOSE_SIZE
    return middle_rectangle(wide + 2 * beyond, high + 2 * beyond, CORNER + beyond)


def middle_rectangle(wide: float, high: float, radius: float = 0.0, y: float = 0.0) -> Contour:
    """Return a rectangle around (0, y)."""
    return rectangle(-wide / 2, y - high / 2, wide, high, radius)


def ground(form: Contour, colour: str) -> Fill:
    """Return an area of one colour."""
    return Fill((form,), colour)


def plate(words: str, y: float, size: float, edge: str, paper: str = PAPER, room: float = 1.7) -> Marks:
    """Return a figure on a plate around (0, y), with digits of this height in millimetres."""
    wide, high = text_width(words, size) + 2 * room, size + 1.7
    return (
        Fill((middle_rectangle(wide + 1.0, high + 1.0, 1.7, y),), edge),
        Fill((middle_rectangle(wide, high, 1.3, y),), paper),
        text(words, (0, y + size / 2), size, INK, anchor="middle"),
    )


def edged(form: Contour, colour: str, width: float) -> Marks:
    """Return an area of one colour with an ink edge."""
    return Fill((form,), colour), Stroke(form, width, INK, closed=True)


def discs(x: float, y: float, *rings: tuple[float, str]) -> Marks:
    """Return overlapping discs around a point, each with a radius and a colour."""
    return tuple([Fill((circle(x, y, radius),), colour) for radius, colour in rings])


def around(marks: Marks, count: int, first: float = 0.0) -> Marks:
    """Return marks repeated around (0, 0), the first one turned by `first` degrees."""
    return tuple([mark for n in range(count) for mark in transform(marks, turn=first + 360 * n / count)])


def inside(form: Contour, *marks: Mark) -> Clipped:
    """Return marks clipped to a form."""
    return Clipped(form, marks)


def is_dark(colour: str) -> bool:
    """Return whether a colour is darker than a middle grey, by the luma of ITU-R BT.601."""
    red, green, blue = bytes.fromhex(colour[1:])
    return 0.299 * red + 0.587 * green + 0.114 * blue < 110
