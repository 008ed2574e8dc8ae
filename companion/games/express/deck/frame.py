"""The common frame of Express cards: corners with value and sign, and stripes whose pattern identifies a group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from companion.drawing import Clipped, Contour, Fill, Mark, Stroke, circle, path, rectangle, text, text_width, transform
from companion.drawing.pictures.brush import Marks
from companion.drawing.pictures.frame import HEIGHT, OUT, WIDTH
from companion.drawing.pictures.scenery import LOW, TOP
from companion.games.express.deck.signs import place_sign
from companion.games.express.profile import Card

TICKET = (15.4, 19.2)
"""Width and height of a corner in millimetres, within a quarter of either side."""
DIGITS = 7.0
"""Height of a corner's digits in millimetres."""
STRIPE = 2.8
"""Height of a stripe in millimetres."""
VALUED = ("freight", "passenger", "maintenance")
"""Groups whose cards have a value."""

Pattern = Literal["rivets", "windows", "diamonds", "planks", "arrows", "hazard", "zigzag", "rings"]
Corner = Literal["round", "arched", "pointed", "cut", "torn"]


class GroupLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Colours, pattern and form of a group, as in deck.toml."""

    band: str
    tone: str
    edge: str
    pattern: Pattern
    corner: Corner


class BackLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Colours of the back, as in deck.toml."""

    ground: str
    line: str
    second: str


def corner_form(form: Corner, inset: float) -> Contour:
    """Return the outline of the upper left corner, with its right and lower edges moved in by `inset`."""
    w, h, out = TICKET[0] - inset, TICKET[1] - inset, -OUT
    match form:
        case "round":
            return rectangle(out, out, w + OUT, h + OUT, 2.4)
        case "arched":
            return path((out, out), ((w, out),), ((w, h - 9),), ((w, h), (w - 9, h)), ((out, h),))
        case "pointed":
            return ((out, out), (w, out), (w, h - 3.6), (w / 2, h), (out, h - 3.6 + 3.6 * out / w))
        case "cut":
            return ((out, out), (w, out), (w, h - 5), (w - 5, h), (out, h))
        case "torn":
            teeth = [(w - (w - out) * n / 8, h - (2.6 if n % 2 else 0)) for n in range(9)]
            return ((out, out), (w, out), *teeth)


def corner_tickets(card: Card, own: GroupLook, ink: str, paper: str) -> Marks:
    """Return all four corners; the lower ones are upside down, for people on the opposite side."""
    ground = (Fill((corner_form(own.corner, 0),), own.edge), Fill((corner_form(own.corner, 0.7),), paper))
    upper: list[Mark] = []
    for right in (False, True):
        middle = WIDTH - (TICKET[0] - 0.7) / 2 if right else (TICKET[0] - 0.7) / 2
        upper += transform(ground, WIDTH, 0, mirror=True) if right else ground
        upper += content(card, middle, ink)
    return (*upper, *transform(upper, WIDTH, HEIGHT, 180))


def content(card: Card, middle: float, ink: str) -> Marks:
    """Return a corner's value with the sign below it; on a card without a value, only the sign, larger."""
    if card.group not in VALUED:
        return place_sign(card.id, middle, 8.6, 6.0)
    said = "?" if card.value is None else str(card.value)
    size = min(DIGITS, DIGITS * 11.0 / text_width(said, DIGITS))
    return (text(said, (middle, 1.8 + DIGITS), size, ink, anchor="middle"), *place_sign(card.id, middle, 13.9, 3.7))


def stripes(own: GroupLook, paper: str) -> Marks:
    """Return the stripes between bands and picture, in the pattern of the group."""
    marks: list[Mark] = []
    for y in (TOP, LOW):
        ground = rectangle(-OUT, y - STRIPE / 2, WIDTH + 2 * OUT, STRIPE)
        marks.append(Clipped(ground, (Fill((ground,), own.edge), *transform(PATTERNS[own.pattern](paper), 0, y))))
    return tuple(marks)


def along(step: float, draw: Callable[[float], Mark]) -> Marks:
    """Return marks in even steps over the whole width of a card including its cut edges."""
    return tuple([draw(-OUT + step * n) for n in range(int((WIDTH + 2 * OUT) / step) + 2)])


PATTERNS: dict[Pattern, Callable[[str], Marks]] = {
    "rivets": lambda paper: along(2.6, lambda x: Fill((circle(x, 0, 0.6),), paper)),
    "windows": lambda paper: along(4.6, lambda x: Fill((rectangle(x, -0.65, 3.2, 1.3, 0.3),), paper)),
    "diamonds": lambda paper: along(3.6, lambda x: Fill((((x - 1.3, 0), (x, -1.0), (x + 1.3, 0), (x, 1.0)),), paper)),
    "planks": lambda paper: along(2.0, lambda x: Fill((rectangle(x, -2, 0.9, 4),), paper)),
    "arrows": lambda paper: along(3.4, lambda x: Stroke(((x, -0.9), (x - 0.9, 0), (x, 0.9)), 0.6, paper)),
    "hazard": lambda paper: along(4.0, lambda x: Fill((((x, 2), (x + 2, 2), (x + 4, -2), (x + 2, -2)),), "#f2c230")),
    "zigzag": lambda paper: along(3.0, lambda x: Fill((((x, 1.4), (x + 1.5, -1.2), (x + 3, 1.4)),), "#1b2130")),
    "rings": lambda paper: along(3.2, lambda x: Stroke(circle(x, 0, 0.8), 0.5, paper, closed=True)),
}
"""The pattern of each group's stripes, around the height 0."""
