"""The chart of a finished game: every side's score after each move, as lines of an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.engine import Player

WIDTH, HEIGHT = 640, 280
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 16, 28
MARK = 15
"""The distance between the marks of partners."""
STEPS = (1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 25000)
"""Distances between two lines of the scale, in the game's unit: dollars, wagons."""
LINES = 7
"""Lines of the scale at most."""


class Curve(NamedTuple):
    """One side's score as a line: points of an SVG polyline, and where the mark of each of its players stands."""

    players: tuple[Player, ...]
    points: str
    ends: tuple[tuple[float, float], ...]


class ChartMark(NamedTuple):
    """A line of the scale."""

    amount: int
    y: float


class Chart(NamedTuple):
    """A drawing, in SVG units."""

    width: int
    height: int
    left: int
    right: int
    curves: tuple[Curve, ...]
    marks: tuple[ChartMark, ...]


def chart(history: Sequence[Sequence[int]], players: Sequence[Player], sides: Sequence[Sequence[int]]) -> Chart | None:
    """Return the chart of every side's score, one row of seats per moment; None where there is nothing to draw."""
    if len(history) < 2:
        return None
    top, low = max(max(map(max, history)), 0), min(min(map(min, history)), 0)
    top += top == low  # a game in which nobody ever scored
    step = next((s for s in STEPS if (top - low) / s <= LINES), STEPS[-1])
    top, low = -(-top // step) * step, low // step * step
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(moment: int, amount: int) -> tuple[float, float]:
        return round(LEFT + wide * moment / (len(history) - 1), 1), round(TOP + high * (top - amount) / (top - low), 1)

    curves = []
    for side in sides:
        seat = side[0]
        points = [place(moment, row[seat]) for moment, row in enumerate(history) if has_corner(history, moment, seat)]
        (x, y), back = points[-1], len(side) - 1
        ends = tuple([(x - MARK * (back - at), y) for at in range(len(side))])
        curves.append(Curve(tuple([players[seat] for seat in side]), " ".join(f"{x},{y}" for x, y in points), ends))
    marks = tuple(ChartMark(amount, place(0, amount)[1]) for amount in range(low, top + 1, step))
    return Chart(WIDTH, HEIGHT, LEFT, WIDTH - RIGHT, tuple(curves), marks)


def has_corner(history: Sequence[Sequence[int]], moment: int, seat: int) -> bool:
    """Whether the line has a corner there: at its ends, and on both sides of a change."""
    if moment in (0, len(history) - 1):
        return True
    before, now, after = (history[at][seat] for at in (moment - 1, moment, moment + 1))
    return now != before or now != after
