"""What a wagon of Game of Trains can do, as a picture without words: small wagons, and arrows that move them.

Each sign lies around (0, 0), at most 38 mm wide and 14 mm high. A wagon that is meant is strong, one that stays is
pale, a place where one will stand is an outline; arrows run above the wagons.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from companion.drawing import Contour, Fill, Mark, Stroke, circle, path, rectangle

PALE, CROSS = "#c9c1ae", "#d22f27"
GROUND = 6.6
"""Height of the rail on which a sign's wagons stand."""

Sign = Callable[[str, str, str], tuple[Mark, ...]]
"""A sign is drawn from its hue, the ink and the paper."""


def sign(ability: str, hue: str, ink: str, paper: str) -> tuple[Mark, ...]:
    """Return an ability's sign in its hue."""
    return SIGNS[ability](hue, ink, paper)


def car(x: float, hue: str, ink: str, wide: float = 8.2) -> tuple[Mark, ...]:
    """Return a wagon that is meant."""
    left = x - wide / 2
    return (
        Fill((rectangle(left - 0.5, -0.7, wide + 1.0, 6.2, 1.3),), ink),
        Fill((rectangle(left + 0.2, 0.0, wide - 0.4, 4.8, 0.8),), hue),
        *[Fill((circle(x + s * wide * 0.27, 5.5, 1.25),), ink) for s in (-1, 1)],
    )


def pale(x: float, wide: float = 8.2) -> tuple[Mark, ...]:
    """Return a wagon that only stands there."""
    return (
        Fill((rectangle(x - wide / 2, -0.2, wide, 5.2, 1.0),), PALE),
        *[Fill((circle(x + s * wide * 0.27, 5.5, 1.1),), PALE) for s in (-1, 1)],
    )


def vacant(x: float, ink: str, wide: float = 8.2) -> tuple[Mark, ...]:
    """Return the outline of a wagon: here one will stand, or stood."""
    left, right, top, low = x - wide / 2 + 0.3, x + wide / 2 - 0.3, -0.2, 5.0
    marks: list[Mark] = []
    for a, b, steps in (((left, top), (right, top), 4), ((right, top), (right, low), 3),
                        ((right, low), (left, low), 4), ((left, low), (left, top), 3)):  # fmt: skip
        for n in range(steps):
            s, e = (n + 0.16) / steps, (n + 0.72) / steps
            dash = tuple([(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for t in (s, e)])
            marks.append(Stroke(dash, 0.7, ink))
    return tuple(marks)


def rail(reach: float, ink: str) -> Mark:
    """Return the rail below a sign's wagons."""
    return Stroke(((-reach, GROUND + 0.4), (reach, GROUND + 0.4)), 0.5, ink)


def leap(start: float, end: float, ink: str, both: bool = False, high: float = 7.0) -> tuple[Mark, ...]:
    """Return an arrow that leaps from above one wagon to above another, or one with two heads."""
    low, side = -2.0, math.copysign(1.0, end - start)
    bend = path((start, low), ((start + side * 1.0, low - high), (end - side * 1.0, low - high), (end, low)))
    marks: list[Mark] = [Stroke(_shorten(bend, 1.5, 1.5 if both else 0.0), 1.35, ink), *_head(end, low, side, ink)]
    if both:
        marks += _head(start, low, -side, ink)
    else:
        marks.append(Fill((circle(start, low, 1.0),), ink))
    return tuple(marks)


def _shorten(line: Contour, after: float, before: float) -> Contour:
    """Return a line without what its arrowheads cover."""
    (ax, ay), (bx, by) = line[0], line[-1]
    return tuple(
        [(x, y) for x, y in line if math.hypot(x - bx, y - by) >= after and math.hypot(x - ax, y - ay) >= before]
    )


def _head(x: float, y: float, side: float, ink: str) -> tuple[Mark, ...]:
    """Return an arrowhead that comes down to a point, leaning to a side."""
    tip = (x + side * 0.25, y + 1.2)
    return (Fill((((x - 2.1, y - 2.1 - side * 0.3), tip, (x + 2.1, y - 2.1 + side * 0.3)),), ink),)


def swap_adjacent(hue: str, ink: str, paper: str) -> tuple[Mark, ...]:
    """Two neighbours change places."""
    return (rail(17.5, ink), *pale(-14.4, 7.4), *pale(14.4, 7.4), *car(-4.9, hue, ink), *car(4.9, paper, ink),
            *leap(-5.2, 5.2, ink, both=True, high=6.6))  # fmt: skip


def swap_one_between(hue: str, ink: str, paper: str) -> tuple[Mark, ...]:
    """Two wagons with one between them change places."""
    return rail(17.5, ink), *car(-10.4, hue, ink), *pale(0), *car(10.4, paper, ink), *leap(-10.4, 10.4, ink, both=True)


def move_right_2(hue: str, ink: str, paper: str) -> tuple[Mark, ...]:
    """A wagon leaps over two to the right."""
    return (rail(18.6, ink), *car(-14.2, hue, ink), *pale(-4.7, 7.6), *pale(4.7, 7.6), *vacant(14.2, ink),
            *leap(-14.2, 14.2, ink))  # fmt: skip


def move_left_2(hue: str, ink: str, paper: str) -> tuple[Mark, ...]:
    """A wagon leaps over two to the left."""
    return (rail(18.6, ink), *vacant(-14.2, ink), *pale(-4.7, 7.6), *pale(4.7, 7.6), *car(14.2, hue, ink),
            *leap(14.2, -14.2, ink))  # fmt: skip


def _uncoupling_sign(which: int) -> Sign:
    """Return the sign of uncoupling: first, fourth or seventh wagon of seven (`which` is 0, 1 or 2)."""

    def made(hue: str, ink: str, paper: str) -> tuple[Mark, ...]:
        marks: list[Mark] = [rail(18.6, ink), *_small_wagons((-8.3, -5.9, 5.9, 8.3))]
        for n, x in enumerate((-14.2, 0.0, 14.2)):
            if n != which:
                marks += [Fill((rectangle(x - 4.0, -4.2, 8.0, 9.3, 1.2),), PALE)]
                marks += [Fill((circle(x + s * 2.2, 5.6, 1.1),), PALE) for s in (-1, 1)]
                continue
            marks += [
                Fill((rectangle(x - 4.6, -5.6, 9.2, 11.1, 1.6),), ink),
                Fill((rectangle(x - 3.9, -4.9, 7.8, 9.7, 1.1),), hue),
                *[Fill((circle(x + s * 2.4, 5.5, 1.25),), ink) for s in (-1, 1)],
            ]
            for width, colour in ((3.2, paper), (2.0, CROSS)):
                marks += [Stroke(((x - s * 2.7, -2.8), (x + s * 2.7, 2.6)), width, colour) for s in (-1, 1)]
        return tuple(marks)

    return made


def _small_wagons(places: tuple[float, ...]) -> tuple[Mark, ...]:
    """Return small wagons: those that are only counted."""
    return tuple(
        [
            mark
            for x in places
            for mark in (
                Fill((rectangle(x - 1.0, 2.0, 2.0, 3.2, 0.5),), PALE),
                Fill((circle(x - 0.5, 5.7, 0.6), circle(x + 0.5, 5.7, 0.6)), PALE),
            )
        ]
    )


def padlock(x: float, y: float, size: float, hue: str, ink: str) -> tuple[Mark, ...]:
    """Return a closed padlock, `size` millimetres from its middle to its lower end."""
    s = size
    bow = path(
        (x - 0.55 * s, y),
        ((x - 0.55 * s, y - 0.45 * s),),
        ((x - 0.55 * s, y - 1.1 * s), (x + 0.55 * s, y - 1.1 * s), (x + 0.55 * s, y - 0.45 * s)),
        ((x + 0.55 * s, y),),
    )
    return (
        Stroke(bow, 0.44 * s, ink),
        Stroke(bow, 0.2 * s, "#dfe4ea"),
        Fill((rectangle(x - 0.95 * s, y - 0.2 * s, 1.9 * s, 1.2 * s, 0.26 * s),), ink),
        Fill((rectangle(x - 0.83 * s, y - 0.08 * s, 1.66 * s, 0.96 * s, 0.18 * s),), hue),
        Fill((circle(x, y + 0.28 * s, 0.2 * s),), ink),
        Stroke(((x, y + 0.3 * s), (x, y + 0.62 * s)), 0.18 * s, ink),
    )


def protect(hue: str, ink: str, paper: str) -> tuple[Mark, ...]:
    """A padlock; beside it the first and the seventh wagon of seven, which like the fourth it can guard."""
    marks: list[Mark] = [rail(18.6, ink), *_small_wagons((-10.2, -7.8, 7.8, 10.2))]
    for x in (-15.0, 15.0):
        marks += [*car(x, hue, ink, 6.2), *padlock(x, -4.2, 2.5, hue, ink)]
    return *marks, *padlock(0, 0.6, 6.4, hue, ink)


SIGNS: dict[str, Sign] = {
    "swap_adjacent": swap_adjacent,
    "swap_one_between": swap_one_between,
    "move_right_2": move_right_2,
    "move_left_2": move_left_2,
    "remove_left": _uncoupling_sign(0),
    "remove_middle": _uncoupling_sign(1),
    "remove_right": _uncoupling_sign(2),
    "protect": protect,
}
"""The sign of each ability."""
