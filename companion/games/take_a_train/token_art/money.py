"""Money: the value below its train on one face, inside a driving wheel on the other.

Each value has its own colour, lightness and rim: none resembles another upside down or in grey.
"""

from __future__ import annotations

from random import Random

import msgspec

from companion.drawing import TOKEN_BLEED, Contour, Fill, Mark, Stroke, circle, rectangle, star, transform
from companion.drawing.pictures.frame import WIDTH
from companion.drawing.pictures.locomotives import locomotive
from companion.drawing.pictures.scenery import RAIL, mix
from companion.drawing.pictures.wagons import wagon
from companion.games.take_a_train.token_art import forms
from companion.games.take_a_train.token_art.forms import GOLD, PAPER, Marks

RIM = 7.3
"""Radius within the rim, in millimetres."""
MIDDLE = 8.45
"""Radius of the circle of a rim's marks."""
EDGE = 9.35
"""Radius of the outermost line: it stays whole under a punch of 19 mm."""
DIGITS = {2: 6.2, 3: 5.6, 4: 4.7}
"""Height of a value's digits in millimetres, by the number of digits: the plate's corners stay within the rim."""
ROOM = 1.0
"""Millimetres beside the digits on their plate."""
LOW = 2.0
"""Height of a value below its train."""
SMALL = 0.2
"""The scale, relative to a card, of a picture above a value."""


class MoneyLook(msgspec.Struct, frozen=True):
    """The look of a value."""

    rim: str
    marks: str
    ground: str
    plate: str
    mark: Contour
    count: int
    """Marks on the rim."""
    spokes: int


MONEY_LOOKS = {
    50: MoneyLook("#eddfae", "#5d4a1c", "#fbf5dc", PAPER, circle(0, -MIDDLE, 0.6), 5, 5),
    100: MoneyLook("#3c90ca", "#f2faff", "#9dd3f2", PAPER, rectangle(-0.45, -MIDDLE - 0.8, 0.9, 1.6), 10, 8),
    500: MoneyLook("#c04a1c", "#ffd9a0", "#f08a4b", PAPER, star(0, -MIDDLE, 1.2, 0.6, 3, 90), 6, 6),
    1000: MoneyLook("#0a4029", "#8fd8a3", "#1b6b45", "#e3f4e3", circle(0, -MIDDLE, 0.62), 14, 12),
    5000: MoneyLook("#160628", "#f2c230", "#3a1667", GOLD, star(0, -MIDDLE, 0.85, 0.36, 5), 9, 9),
}
"""The looks of the values, from light to dark in steps of lightness that everyone can distinguish."""


def money_faces(value: int) -> tuple[Marks, Marks]:
    """Return both faces of a value."""
    look = MONEY_LOOKS[value]
    return (
        (*_rim(look), forms.inside(circle(0, 0, RIM), *_scene(value, look)), *_value(value, look, LOW)),
        (*_rim(look), *_wheel(look), *_value(value, look, 0.0)),
    )


def _rim(look: MoneyLook) -> Marks:
    mark = Fill((look.mark,), look.marks)
    return (
        forms.ground(forms.round_form(TOKEN_BLEED), look.rim),
        *forms.around((mark,), look.count),
        Stroke(circle(0, 0, EDGE), 0.25, look.marks, closed=True),
        *forms.discs(0, 0, (RIM + 0.35, look.marks), (RIM, look.ground)),
    )


def _value(value: int, look: MoneyLook, y: float) -> Marks:
    words = str(value)
    return forms.plate(words, y, DIGITS[len(words)], look.rim, look.plate, ROOM)


def _scene(value: int, look: MoneyLook) -> Marks:
    """Return a vehicle on the plate's upper edge, in front of rays."""
    ray = Fill((((0.0, -1.0), (-1.4, -12.0), (1.4, -12.0)),), mix(look.ground, "#ffffff", 0.3))
    foot = LOW - DIGITS[len(str(value))] / 2 - 1.35
    return (*forms.around((ray,), 9), *transform(_vehicle(value), -WIDTH / 2 * SMALL, foot - RAIL * SMALL, scale=SMALL))


def _vehicle(value: int) -> Marks:
    """Return the vehicle above a value, on the rail of a card."""
    luck = Random(f"money-{value}")
    match value:
        case 50:
            return wagon("food", 6, "#4f7d32", "#e9efc6", luck)
        case 100:
            return wagon("passenger", 6, "#b3322b", "#fbe9b8", luck)
        case 500:
            return locomotive("diesel", 6, "#f4e3c1", luck)
        case 1000:
            return locomotive("steam", 5, "#d8a441", luck)
        case _:
            return locomotive("electric", 3, "#eef1f5", luck)


def _wheel(look: MoneyLook) -> Marks:
    """Return a driving wheel whose number of spokes shows its value."""
    spoke: tuple[Mark, ...] = (Stroke(((0, 0), (0, -RIM + 1.1)), 0.75, look.rim),)
    return (
        Stroke(circle(0, 0, RIM - 1.2), 1.0, look.rim, closed=True),
        *forms.around(spoke, look.spokes),
        *forms.discs(0, 0, (3.2, look.rim), (RIM - 3.6, look.plate)),
    )
