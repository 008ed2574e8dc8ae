"""The ability of a wagon of Game of Trains as a picture without words: small wagons, and arrows that move them.

Each sign lies around (0, 0), at most 38 mm wide and 14 mm high. Affected wagons are strong, others pale, and empty
places are outlines; arrows run above the wagons.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from companion.drawing import Fill, Mark, circle, path
from companion.drawing.pictures.brush import Marks, area, block, disc, line

PALE, RED = "#c9c1ae", "#d22f27"
GROUND = 6.6
"""Height of the rail below a sign's wagons."""

Sign = Callable[[str, str, str], Marks]
"""Draws a sign from its hue, the ink and the paper."""


def sign(ability: str, hue: str, ink: str, paper: str) -> Marks:
    """Return an ability's sign in its hue."""
    return SIGNS[ability](hue, ink, paper)


def wheels(x: float, apart: float, y: float, radius: float, colour: str) -> Marks:
    """Return the two wheels of a wagon."""
    return disc(x - apart, y, radius, colour), disc(x + apart, y, radius, colour)


def car(x: float, hue: str, ink: str, wide: float = 8.2) -> Marks:
    """Return an affected wagon."""
    left = x - wide / 2
    return (
        block(left - 0.5, -0.7, wide + 1.0, 6.2, ink, 1.3),
        block(left + 0.2, 0.0, wide - 0.4, 4.8, hue, 0.8),
        *wheels(x, wide * 0.27, 5.5, 1.25, ink),
    )


def pale(x: float, wide: float = 8.2) -> Marks:
    """Return an unaffected wagon."""
    return block(x - wide / 2, -0.2, wide, 5.2, PALE, 1.0), *wheels(x, wide * 0.27, 5.5, 1.1, PALE)


def vacant(x: float, ink: str, wide: float = 8.2) -> Marks:
    """Return the outline of a wagon, for its former or future place."""
    left, right, top, low = x - wide / 2 + 0.3, x + wide / 2 - 0.3, -0.2, 5.0
    marks: list[Mark] = []
    for a, b, steps in (((left, top), (right, top), 4), ((right, top), (right, low), 3),
                        ((right, low), (left, low), 4), ((left, low), (left, top), 3)):  # fmt: skip
        for n in range(steps):
            s, e = (n + 0.16) / steps, (n + 0.72) / steps
            dash = tuple([(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for t in (s, e)])
            marks.append(line(0.7, ink, *dash))
    return tuple(marks)


def rail(reach: float, ink: str) -> Mark:
    """Return the rail below a sign's wagons."""
    return line(0.5, ink, (-reach, GROUND + 0.4), (reach, GROUND + 0.4))


def leap(start: float, end: float, ink: str, both: bool = False, high: float = 7.0) -> Marks:
    """Return an arrow, perhaps with two heads, that leaps from above one wagon to above another."""
    low, side = -2.0, math.copysign(1.0, end - start)
    bend = path((start, low), ((start + side * 1.0, low - high), (end - side * 1.0, low - high), (end, low)))
    shown = [
        (x, y)
        for x, y in bend
        if math.hypot(x - end, y - low) >= 1.5 and math.hypot(x - start, y - low) >= (1.5 if both else 0.0)
    ]
    tail = _head(start, low, -side, ink) if both else disc(start, low, 1.0, ink)
    return line(1.35, ink, *shown), _head(end, low, side, ink), tail


def _head(x: float, y: float, side: float, ink: str) -> Mark:
    """Return an arrowhead that points down, leaning to a side."""
    lean = side * 0.3
    return area(ink, (x - 2.1, y - 2.1 - lean), (x + side * 0.25, y + 1.2), (x + 2.1, y - 2.1 + lean))


def swap_adjacent(hue: str, ink: str, paper: str) -> Marks:
    """Two neighbours change places."""
    return (rail(17.5, ink), *pale(-14.4, 7.4), *pale(14.4, 7.4), *car(-4.9, hue, ink), *car(4.9, paper, ink),
            *leap(-5.2, 5.2, ink, both=True, high=6.6))  # fmt: skip


def swap_one_between(hue: str, ink: str, paper: str) -> Marks:
    """Two wagons with one between them change places."""
    return rail(17.5, ink), *car(-10.4, hue, ink), *pale(0), *car(10.4, paper, ink), *leap(-10.4, 10.4, ink, both=True)


def move_right_2(hue: str, ink: str, paper: str) -> Marks:
    """A wagon leaps over two to the right."""
    return (rail(18.6, ink), *car(-14.2, hue, ink), *pale(-4.7, 7.6), *pale(4.7, 7.6), *vacant(14.2, ink),
            *leap(-14.2, 14.2, ink))  # fmt: skip


def move_left_2(hue: str, ink: str, paper: str) -> Marks:
    """A wagon leaps over two to the left."""
    return (rail(18.6, ink), *vacant(-14.2, ink), *pale(-4.7, 7.6), *pale(4.7, 7.6), *car(14.2, hue, ink),
            *leap(14.2, -14.2, ink))  # fmt: skip


def uncoupling(which: int, hue: str, ink: str, paper: str) -> Marks:
    """Uncouples the first, fourth or seventh wagon of seven (`which` is 0, 1 or 2)."""
    marks: list[Mark] = [rail(18.6, ink), *_small_wagons(-8.3, -5.9, 5.9, 8.3)]
    for n, x in enumerate((-14.2, 0.0, 14.2)):
        if n != which:
            marks += (block(x - 4.0, -4.2, 8.0, 9.3, PALE, 1.2), *wheels(x, 2.2, 5.6, 1.1, PALE))
            continue
        marks += (block(x - 4.6, -5.6, 9.2, 11.1, ink, 1.6), block(x - 3.9, -4.9, 7.8, 9.7, hue, 1.1))
        marks += wheels(x, 2.4, 5.5, 1.25, ink)
        for width, colour in ((3.2, paper), (2.0, RED)):
            marks += [line(width, colour, (x - s * 2.7, -2.8), (x + s * 2.7, 2.6)) for s in (-1, 1)]
    return tuple(marks)


def _small_wagons(*places: float) -> Marks:
    """Return small wagons, for counting."""
    marks: list[Mark] = []
    for x in places:
        wheels = Fill((circle(x - 0.5, 5.7, 0.6), circle(x + 0.5, 5.7, 0.6)), PALE)
        marks += (block(x - 1.0, 2.0, 2.0, 3.2, PALE, 0.5), wheels)
    return tuple(marks)


def padlock(x: float, y: float, size: float, hue: str, ink: str) -> Marks:
    """Return a closed padlock, `size` millimetres from its middle to its lower end."""
    s, side, top = size, 0.55 * size, y - 1.1 * size
    left, right = (x - side, y - 0.45 * s), (x + side, y - 0.45 * s)
    bow = path((x - side, y), (left,), ((x - side, top), (x + side, top), right), ((x + side, y),))
    return (
        line(0.44 * s, ink, *bow),
        line(0.2 * s, "#dfe4ea", *bow),
        block(x - 0.95 * s, y - 0.2 * s, 1.9 * s, 1.2 * s, ink, 0.26 * s),
        block(x - 0.83 * s, y - 0.08 * s, 1.66 * s, 0.96 * s, hue, 0.18 * s),
        disc(x, y + 0.28 * s, 0.2 * s, ink),
        line(0.18 * s, ink, (x, y + 0.3 * s), (x, y + 0.62 * s)),
    )


def protect(hue: str, ink: str, paper: str) -> Marks:
    """A padlock beside the first and the seventh wagon of seven, which like the fourth it can guard."""
    marks: list[Mark] = [rail(18.6, ink), *_small_wagons(-10.2, -7.8, 7.8, 10.2)]
    for x in (-15.0, 15.0):
        marks += [*car(x, hue, ink, 6.2), *padlock(x, -4.2, 2.5, hue, ink)]
    return *marks, *padlock(0, 0.6, 6.4, hue, ink)


SIGNS: dict[str, Sign] = {
    "swap_adjacent": swap_adjacent,
    "swap_one_between": swap_one_between,
    "move_right_2": move_right_2,
    "move_left_2": move_left_2,
    "remove_left": partial(uncoupling, 0),
    "remove_middle": partial(uncoupling, 1),
    "remove_right": partial(uncoupling, 2),
    "protect": protect,
}
"""The sign of each ability."""
