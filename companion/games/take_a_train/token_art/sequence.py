"""Sequence tokens: the number large, a queue of wagons, and the price of an exchange; both faces are alike."""

from __future__ import annotations

from companion.drawing import TOKEN_BLEED, Fill, Stroke, circle, rectangle, text, text_width, transform
from companion.games.take_a_train.token_art.forms import INK, PAPER, Marks, ground, is_dark, middle_rectangle, square

DIGIT, PRICE = 6.8, 2.5
"""Heights of a token's number and of its price in millimetres."""
SEQUENCE_COLOURS = ("#fde725", "#8ecbee", "#f08a3c", "#2f9a5a", "#b3265a", "#1d2a6b")
"""Colours of tokens 1 to 6: different hues, from light to dark in even steps."""


def sequence_face(number: int, price: int | None) -> Marks:
    """Return a token: its number, a bar below a 6, wagons in a queue, the price of an exchange (None: unknown)."""
    colour = SEQUENCE_COLOURS[number - 1]
    ink = PAPER if is_dark(colour) else INK
    said = "?" if price is None else str(price)
    start = 1.5 - text_width(said, PRICE) / 2
    marks: Marks = (
        ground(square(TOKEN_BLEED), colour),
        Stroke(middle_rectangle(18.4, 18.4, 1.4), 0.3, ink, closed=True),
        Fill((middle_rectangle(17.0, 9.9, 1.4, -0.3),), ink),
        Fill((middle_rectangle(16.2, 9.1, 1.1, -0.3),), PAPER),
        *_queue(number, ink),
        text(str(number), (0, (2.4 if number == 6 else 3.2)), DIGIT, INK, anchor="middle"),
        text(said, (start, 8.15), PRICE, ink),
        *exchange(start - 2.1, 6.9, ink),
    )
    return (*marks, Stroke(((-1.9, 3.35), (1.9, 3.35)), 0.6, INK)) if number == 6 else marks


def exchange(x: float, y: float, colour: str) -> Marks:
    """Return two arrows that point past each other, for an exchange."""
    arrow = (
        Stroke(((-1.2, -0.62), (0.6, -0.62)), 0.45, colour),
        Fill((((0.4, -1.35), (1.5, -0.62), (0.4, 0.1)),), colour),
    )
    return transform((*arrow, *transform(arrow, turn=180)), x, y)


def _queue(number: int, colour: str) -> Marks:
    """Return as many coupled wagons as the number says."""
    marks: Marks = (Stroke(((-(number - 1) * 1.3, -6.55), ((number - 1) * 1.3, -6.55)), 0.3, colour),)
    for n in range(number):
        x = (n - (number - 1) / 2) * 2.6
        marks += (Fill((rectangle(x - 1.05, -8.3, 2.1, 1.7, 0.3),), colour),
                  Fill((circle(x - 0.55, -6.3, 0.42), circle(x + 0.55, -6.3, 0.42)), colour))  # fmt: skip
    return marks
