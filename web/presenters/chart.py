"""The chart of a finished game: every side's score after each move, as lines of an SVG.

Lines are in thousandths of the picture and stretch with it. Marks and figures have positions in hundredths and a fixed
size, so that they can be read on a phone and from across the room.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.engine import Player

WIDTH, HEIGHT = 1000, 1000
TOP, BOTTOM = 70, 50
APART = 8.0
"""The least distance between marks at the ends of two lines, in hundredths of the height. It is the size of a mark."""
PARTNER = 5.0
"""The distance between the marks of partners, in hundredths of the width."""
STEPS = (1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 25000)
"""Distances between two lines of the scale, in the game's unit: dollars, wagons."""
LINES = 7
"""The most lines of the scale."""


class Curve(NamedTuple):
    """One side's score as a line: points of an SVG polyline, and the positions of its players' marks.

    `last` is the height of the line's end, in hundredths: marks that would cover others are moved up or down.
    """

    players: tuple[Player, ...]
    points: str
    ends: tuple[tuple[float, float], ...]
    last: float


class ChartMark(NamedTuple):
    """A line of the scale."""

    amount: int
    y: float


class Chart(NamedTuple):
    """A drawing; `turn` is the position of the decisive move, -1 for none."""

    width: int
    height: int
    curves: tuple[Curve, ...]
    marks: tuple[ChartMark, ...]
    turn: float = -1.0


def chart(
    history: Sequence[Sequence[int]], players: Sequence[Player], sides: Sequence[Sequence[int]], turn: int = 0
) -> Chart | None:
    """Return the chart, with one row of `history` per moment; None if there is nothing to draw. `turn` is the
    decisive moment, or 0 for none.
    """
    if len(history) < 2:
        return None
    top, low = max(max(map(max, history)), 0), min(min(map(min, history)), 0)
    top += top == low  # no side ever scored
    step = next((s for s in STEPS if (top - low) / s <= LINES), STEPS[-1])
    top, low = -(-top // step) * step, low // step * step
    high = HEIGHT - TOP - BOTTOM

    def place(moment: int, amount: int) -> tuple[float, float]:
        return round(WIDTH * moment / (len(history) - 1), 1), round(TOP + high * (top - amount) / (top - low), 1)

    lasts = [round(100 * place(0, history[-1][side[0]])[1] / HEIGHT, 1) for side in sides]
    curves = []
    for side, last, height in zip(sides, lasts, apart(lasts), strict=True):
        seat = side[0]
        points = [place(moment, row[seat]) for moment, row in enumerate(history) if has_corner(history, moment, seat)]
        ends = tuple([(100.0 - PARTNER * (len(side) - 1 - at), height) for at in range(len(side))])
        line = " ".join([f"{x},{y}" for x, y in points])
        curves.append(Curve(tuple([players[seat] for seat in side]), line, ends, last))
    marks = tuple(ChartMark(amount, 100 * place(0, amount)[1] / HEIGHT) for amount in range(low, top + 1, step))
    return Chart(WIDTH, HEIGHT, tuple(curves), marks, 100 * place(turn, 0)[0] / WIDTH if turn else -1.0)


def apart(heights: Sequence[float]) -> tuple[float, ...]:
    """Return heights without overlapping marks, in the same order and within the picture."""
    order = sorted(range(len(heights)), key=lambda at: heights[at])
    placed = list(heights)
    above = -APART
    for at in order:
        above = placed[at] = max(placed[at], above + APART)
    below = 100.0
    for at in reversed(order):
        below = placed[at] = min(placed[at], below - APART / 2 if below == 100.0 else below - APART)
    return tuple([round(each, 1) for each in placed])


def has_corner(history: Sequence[Sequence[int]], moment: int, seat: int) -> bool:
    """Whether the line has a corner there: at its ends, and on both sides of a change."""
    if moment in (0, len(history) - 1):
        return True
    before, now, after = (history[at][seat] for at in (moment - 1, moment, moment + 1))
    return now != before or now != after
