"""Auction tokens: a sign for each kind, as on the pages; one back without an upper end."""

from __future__ import annotations

import math

from companion.drawing import TOKEN_BLEED, Contour, Fill, Stroke, arc, circle, path, rectangle, text, transform
from companion.drawing.pictures.scenery import mix
from companion.games.take_a_train.events import Kind
from companion.games.take_a_train.token_art import forms
from companion.games.take_a_train.token_art.forms import GOLD, INK, NAVY, PAPER, Marks

AUCTION_COLOURS: dict[Kind, str] = {
    "pass": "#f2d34b",
    "blind": "#23304a",
    "double_blind": "#a33a5c",
    "preemption": "#7fbf6a",
    "open": "#ee8a2e",
    "twist": "#1f7f93",
}
"""The ground of each kind: six hues that also differ in lightness."""
DISC = 8.6
"""Radius of the disc behind a sign."""


def auction_face(kind: Kind) -> Marks:
    """Return the face of a kind of auction."""
    colour = AUCTION_COLOURS[kind]
    ray = Fill((((0.0, 0.0), (-1.7, -17.0), (1.7, -17.0)),), mix(colour, "#ffffff", 0.22))
    return (
        forms.ground(forms.hexagon(TOKEN_BLEED), colour),
        forms.inside(forms.hexagon(TOKEN_BLEED), *forms.around((ray,), 12, 15.0)),
        Stroke(forms.hexagon(-1.1), 0.5, mix(colour, "#ffffff", 0.75), closed=True),
        *forms.discs(0, 0, (DISC + 0.8, INK), (DISC, PAPER)),
        *SIGNS[kind](),
    )


def auction_back() -> Marks:
    """Return the back of all kinds: a wheel with sixfold symmetry."""
    spoke = Fill((((-1.5, -3.0), (-0.45, -8.4), (0.45, -8.4), (1.5, -3.0)),), GOLD)
    ray = Fill((((0.0, 0.0), (-2.2, -17.0), (2.2, -17.0)),), "#2f5590")
    return (
        forms.ground(forms.hexagon(TOKEN_BLEED), NAVY),
        forms.inside(forms.hexagon(TOKEN_BLEED), *forms.around((ray,), 6)),
        Stroke(forms.hexagon(-1.1), 0.5, GOLD, closed=True),
        *forms.discs(0, 0, (9.4, GOLD), (8.8, NAVY), (8.3, GOLD), (7.1, NAVY)),
        *forms.around((spoke,), 6, 30.0),
        *forms.discs(0, 0, (3.3, GOLD), (2.3, NAVY), (1.1, GOLD)),
    )


# --- signs ----------------------------------------------------------------------------------------


FINGERS = ((-0.44, -0.6, -0.08), (0.06, -0.66, -0.1), (0.53, -0.56, -0.08))
"""The lines between a fist's fingers: position, start and end."""


def fist(x: float, y: float, size: float, skin: str, cuff: str) -> Marks:
    """Return a closed fist around a point, about 2.4 times `size` high."""
    hand = path(
        (-1.0, 0.9),
        ((-1.05, 0.3), (-1.1, -0.1), (-1.0, -0.45)),
        ((-0.98, -0.85), (-0.5, -0.95), (-0.44, -0.66)),
        ((-0.42, -1.08), (0.02, -1.12), (0.06, -0.72)),
        ((0.1, -1.02), (0.52, -1.0), (0.53, -0.62)),
        ((0.6, -0.84), (0.98, -0.78), (0.98, -0.4)),
        ((1.04, 0.1), (0.98, 0.5), (0.85, 0.9)),
    )
    lines = (
        *[Stroke(((x, top), (x, low)), 0.13, INK) for x, top, low in FINGERS],
        Stroke(path((-0.98, 0.22), ((-0.3, 0.1), (0.28, 0.12)), ((0.62, 0.3), (0.2, 0.5)), ((-0.1, 0.55), (-0.2, 0.7))),
               0.15, INK),
    )  # fmt: skip
    sleeve = rectangle(-1.0, 0.85, 1.86, 0.55, 0.12)
    marks = (*forms.edged(sleeve, cuff, 0.14), *forms.edged(hand, skin, 0.16), *lines)
    return transform(marks, x, y, scale=size)


SKIN = "#eab68c"
"""The colour of a fist in front."""


def double_blind() -> Marks:
    """Two fists, the second above and behind the first."""
    return (*fist(2.9, -2.4, 3.3, "#c98d63", "#a33a5c"), *fist(-2.1, 1.0, 3.7, SKIN, "#a33a5c"))


def pass_on() -> Marks:
    """An arrow that stops at a bar, because a seat that passes is out."""
    arrow: Contour = ((3.8, 0.0), (-1.3, -4.9), (-1.3, -2.0), (-6.4, -2.0), (-6.4, 2.0), (-1.3, 2.0), (-1.3, 4.9))
    return (
        Fill((rectangle(4.6, -5.2, 2.0, 10.4, 0.6),), INK),
        *forms.edged(arrow, "#f2c230", 0.7),
    )


def preemption() -> Marks:
    """A podium for the first three, with the middle step the highest."""
    steps = ((-2.2, -1.6, 4.4, 7.2, "#4f9a3c", "1"), (-6.6, 1.0, 4.4, 4.6, "#9fce8f", "2"),
             (2.2, 2.4, 4.4, 3.2, "#c9e2bf", "3"))  # fmt: skip
    marks: Marks = ()
    for x, y, wide, high, colour, number in steps:
        figure = text(number, (x + wide / 2, y + high - 0.6), min(3.4, high - 1.3), INK, anchor="middle")
        marks += (*forms.edged(rectangle(x, y, wide, high), colour, 0.5), figure)
    crown: Contour = ((-2.3, -2.7), (-2.7, -6.3), (-1.2, -4.7), (0, -7.0), (1.2, -4.7), (2.7, -6.3), (2.3, -2.7))
    return (*marks, *forms.edged(crown, "#f2c230", 0.45))


def speak() -> Marks:
    """A loudhailer."""
    horn: Contour = ((-4.6, -1.7), (-1.9, -1.7), (3.2, -4.8), (3.2, 4.8), (-1.9, 1.7), (-4.6, 1.7))
    grip: Contour = ((-3.9, 1.7), (-1.9, 1.7), (-1.2, 5.2), (-3.3, 5.2))
    waves = tuple([Stroke(arc(2.4, 0, r, -38, 38), 0.9, INK) for r in (3.0, 5.0)])
    return (
        Fill((grip,), INK),
        *forms.edged(horn, "#ee8a2e", 0.55),
        Fill((rectangle(-6.2, -1.5, 1.9, 3.0, 0.7),), INK),
        *waves,
    )


def twist() -> Marks:
    """Two arrows that circle a face-down card."""
    half: Marks = (Stroke(arc(0, 0, 5.9, 200, 318), 1.5, "#1f7f93"), Fill((_head(5.9, 338, 2.6),), "#1f7f93"))
    return (
        *forms.around(half, 2),
        Fill((rectangle(-2.0, -2.8, 4.0, 5.6, 0.6),), INK),
        Fill((rectangle(-1.5, -2.3, 3.0, 4.6, 0.4),), "#8fd0dc"),
        Fill((circle(0, 0, 0.9),), INK),
    )


def _head(radius: float, turn: float, size: float) -> Contour:
    """Return an arrow's head with its tip on a circle, clockwise."""
    tip, foot = math.radians(turn), math.radians(turn - 26)
    x, y = radius * math.cos(foot), radius * math.sin(foot)
    out = (math.cos(foot), math.sin(foot))
    return (
        (radius * math.cos(tip), radius * math.sin(tip)),
        (x + out[0] * size * 0.8, y + out[1] * size * 0.8),
        (x - out[0] * size * 0.8, y - out[1] * size * 0.8),
    )


SIGNS = {
    "pass": pass_on,
    "blind": lambda: fist(0, -0.9, 5.0, SKIN, "#23304a"),
    "double_blind": double_blind,
    "preemption": preemption,
    "open": speak,
    "twist": twist,
}
"""The sign of each kind."""
