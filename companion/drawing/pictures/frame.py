"""What all cards share: two bands with a pattern of silhouettes, four corner tickets, ribbons, and the scene in
between.

A card tucked under another shows a quarter of itself, along any edge. Therefore all four corners name the card, in
digits more than 5 mm high with the sign below; and its upper and lower ends differ.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec

from companion.drawing import Clipped, Drawing, Fill, Mark, Stroke, rectangle, text, text_width, transform
from companion.drawing.pictures import scenery
from companion.drawing.pictures.goods import place_picture, silhouette

WIDTH, HEIGHT = 63.0, 88.0
"""Millimetres of a card."""
OUT = 3.0
"""Millimetres by which bands extend over the edges: the widest bleed."""
TICKET = (15.4, 19.2)
"""Millimetres: width and height of a corner's ticket, within a quarter of either side."""
DIGITS = 6.0
"""Height of a corner's digits in millimetres."""


Shape = Callable[[str, float, float, float, float, str], tuple[Mark, ...]]
"""Draws a named thing: at a place, in a size, turned, in a colour."""


class CardLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Colours and sign of one kind of card, as in deck.toml."""

    band: str
    tone: str
    goods: str
    body: str
    trim: str


def window(marks: tuple[Mark, ...], top: float, high: float) -> Drawing:
    """Return a strip of a card as a separate drawing: its whole width, from a height on."""
    return Drawing(WIDTH, high, transform(marks, 0, -top))


def bands(look: CardLook, luck: Random) -> tuple[Mark, ...]:
    """Return the upper and lower band with scattered silhouettes, different on every card."""
    return strewn_bands(silhouette, look.goods, look.band, look.tone, luck)


def strewn_bands(shape: Shape, name: str, band: str, tone: str, luck: Random) -> tuple[Mark, ...]:
    """Return the upper and lower band with scattered shapes of one name in a tone of their own."""
    marks: list[Mark] = []
    for y, height in ((-OUT, scenery.TOP + OUT), (scenery.LOW, HEIGHT - scenery.LOW + OUT)):
        area = rectangle(-OUT, y, WIDTH + 2 * OUT, height)
        things: list[Mark] = [Fill((area,), band)]
        for x, at, size, turn in strewn(luck, -OUT, y, WIDTH + OUT, y + height):
            things += shape(name, x, at, size, turn, tone)
        marks.append(Clipped(area, tuple(things)))
    return tuple(marks)


def strewn(
    luck: Random, left: float, top: float, right: float, low: float, sizes: tuple[float, float] = (1.5, 3.1)
) -> list[tuple[float, float, float, float]]:
    """Return positions, radii and turns of things scattered over an area without touching."""
    made: list[tuple[float, float, float, float]] = []
    for _ in range(400):
        x, y, r = luck.uniform(left, right), luck.uniform(top, low), luck.uniform(*sizes)
        if all((x - a) ** 2 + (y - b) ** 2 > (r + c + 0.35) ** 2 for a, b, c, _ in made):
            made.append((x, y, r, luck.uniform(0, 360)))
    return made


def ticket(words: str, sign: str, ink: str, paper: str, edge: str, right: bool) -> tuple[Mark, ...]:
    """Return an upper corner's ticket: digits, and the sign below them."""
    w, h = TICKET
    size = min(DIGITS, DIGITS * (w - 2.2) / text_width(words, DIGITS))
    plain: tuple[Mark, ...] = (
        Fill((rectangle(-OUT, -OUT, w + OUT, h + OUT, 2.4),), edge),
        Fill((rectangle(-OUT, -OUT, w + OUT - 0.7, h + OUT - 0.7, 2.0),), paper),
    )
    if right:
        plain = transform(plain, WIDTH, 0, mirror=True)
    middle = WIDTH - (w - 0.4) / 2 if right else (w - 0.4) / 2
    return (
        *plain,
        text(words, (middle, 2.3 + DIGITS), size, ink, anchor="middle"),
        *place_picture(sign, middle, 13.6, 3.9),
    )


def tickets(left: str, right: str, sign: str, ink: str, paper: str, edge: str) -> tuple[Mark, ...]:
    """Return the tickets of all four corners; the lower ones are upside down for people who sit opposite."""
    upper = (*ticket(left, sign, ink, paper, edge, False), *ticket(right, sign, ink, paper, edge, True))
    return (*upper, *transform(upper, WIDTH, HEIGHT, 180))


def ribbon(colour: str, notches: int, paper: str) -> tuple[Mark, ...]:
    """Return the ribbons at the scene's upper and lower edge; the upper one's notches are the steps of a value."""
    marks: list[Mark] = [
        Fill((rectangle(-OUT, y - 0.4, WIDTH + 2 * OUT, 2.6),), paper) for y in (scenery.TOP - 1.0, scenery.LOW - 1.0)
    ]  # fmt: skip
    marks += [Fill((rectangle(-OUT, y, WIDTH + 2 * OUT, 1.8),), colour) for y in (scenery.TOP - 1.0, scenery.LOW - 1.0)]
    for n in range(notches):
        x = WIDTH / 2 + (n - (notches - 1) / 2) * 4.2
        marks.append(Fill((rectangle(x - 0.8, scenery.TOP - 1.4, 1.6, 2.6),), paper))
    return tuple(marks)


def plate(words: str, ink: str, paper: str, edge: str, size: float = 10.5) -> tuple[Mark, ...]:
    """Return the large figure in the middle of the lower band, on a plate."""
    size = min(size, size * 25.0 / text_width(words, size))
    wide = max(22.0, text_width(words, size) + 4.0)
    return (
        Fill((rectangle((WIDTH - wide) / 2 - 0.7, scenery.LOW + 2.3, wide + 1.4, 15.6, 3.2),), edge),
        Fill((rectangle((WIDTH - wide) / 2, scenery.LOW + 3.0, wide, 14.2, 2.6),), paper),
        text(words, (WIDTH / 2, scenery.LOW + 10.1 + size / 2), size, ink, anchor="middle"),
    )


def pips(sign: str, count: int, paper: str, edge: str) -> tuple[Mark, ...]:
    """Return a number of small pictures in the middle of the upper band, in rows of up to five."""
    rows = [count] if count <= 5 else [(count + 1) // 2, count // 2]
    wide, high = 5.45 * max(rows[0], 2) + 1.2, 5.6 * len(rows) + 1.4
    top = 8.9 - high / 2
    marks: list[Mark] = [
        Fill((rectangle((WIDTH - wide) / 2 - 0.6, top - 0.6, wide + 1.2, high + 1.2, 2.4),), edge),
        Fill((rectangle((WIDTH - wide) / 2, top, wide, high, 1.9),), paper),
    ]
    for row, many in enumerate(rows):
        for n in range(many):
            x = WIDTH / 2 + (n - (many - 1) / 2) * 5.45
            marks += place_picture(sign, x, top + 3.5 + 5.6 * row, 2.35)
    return tuple(marks)


def tag(words: str, x: float, y: float, ink: str, colour: str) -> tuple[Mark, ...]:
    """Return a price tag that hangs on a string, its hole at (x, y)."""
    wide = text_width(words, 6.4) + 5.4
    hang = (
        Stroke(((0, 0), (-3.4, -3.2)), 0.5, ink),
        Fill((((-2, 0.0), (1.6, -5.0), (wide, -5.0), (wide, 5.0), (1.6, 5.0)),), ink),
        Fill((((-1.2, 0.0), (1.9, -4.4), (wide - 0.6, -4.4), (wide - 0.6, 4.4), (1.9, 4.4)),), colour),
        Fill((rectangle(-0.1, -0.6, 1.3, 1.3, 0.6),), ink),
        text(words, (2.6, 3.2), 6.4, ink),
    )
    return transform(hang, x, y, -4)
