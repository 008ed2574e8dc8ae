"""Sequence tokens: the number large, a queue of wagons, and the price of an exchange; both faces alike."""

from __future__ import annotations

from companion.drawing import Fill, Stroke, circle, rectangle, text
from companion.drawing.pictures.scenery import mix
from companion.games.take_a_train.token_art.forms import BLEED, INK, PAPER, Marks, ground, middle_rectangle, square

SEQUENCE_COLOURS = ("#fde725", "#7ad151", "#22a884", "#2a788e", "#414487", "#440154")
"""Of tokens 1 to 6, from light to dark: six steps of viridis (matplotlib, CC0), which all eyes tell apart."""


def sequence_face(number: int, price: int | None) -> Marks:
    """Return a token: its number, a bar below a 6, wagons in a queue, the price of an exchange (None: not known)."""
    colour = SEQUENCE_COLOURS[number - 1]
    light = mix(colour, "#ffffff", 0.8)
    marks: Marks = (
        ground(square(BLEED), colour),
        Fill((middle_rectangle(17.2, 17.2, 2.2),), INK),
        Fill((middle_rectangle(16.4, 16.4, 1.9),), PAPER),
        Fill((rectangle(-8.2, -8.2, 16.4, 3.6, 1.4),), colour),
        *_queue(number, light),
        text(str(number), (0, 4.0), 7.6, INK, anchor="middle"),
        text("?" if price is None else str(price), (0, 7.6), 2.3, mix(colour, INK, 0.5), anchor="middle"),
    )
    return (*marks, Stroke(((-2.0, 4.9), (2.0, 4.9)), 0.7, INK)) if number == 6 else marks


def _queue(number: int, light: str) -> Marks:
    """Return as many wagons as the number says."""
    marks: Marks = ()
    for n in range(number):
        x = (n - (number - 1) / 2) * 2.6
        marks += (Fill((rectangle(x - 1.1, -7.7, 2.2, 1.6, 0.3),), light),
                  Fill((circle(x - 0.6, -5.8, 0.42), circle(x + 0.6, -5.8, 0.42)), light))  # fmt: skip
    return marks
