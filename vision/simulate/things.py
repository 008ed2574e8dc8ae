"""Other objects on a table, seen from above: phones, cups, paper money, and cards of other games. All are drawn."""

from __future__ import annotations

from functools import cache
from random import Random

import msgspec

from companion.drawing import Clipped, Drawing, Fill, Mark, Stroke, circle, ellipse, path, rectangle, star, text
from vision.image import CARD, Image
from vision.print.drawing.raster import to_pixels

PX_PER_MM = 3.4
"""Pixels per millimetre of drawn objects."""


class Thing(msgspec.Struct, frozen=True, eq=False):
    """An object on the table."""

    name: str
    picture: Image
    size: tuple[float, float]
    """Width and height in millimetres."""
    radius: float
    """The radius of its corners in millimetres."""
    high: float
    """Its height above the table in millimetres, which is also the width of its shadow."""


def phone(luck: Random) -> tuple[Drawing, float, float]:
    """Return a phone with a dark screen or a page."""
    marks: list[Mark] = [
        Fill((rectangle(0, 0, 74, 152),), luck.choice(("#1a1c20", "#2e3440", "#c9ccd2"))),
        Fill((rectangle(2.6, 2.6, 68.8, 146.8, 6),), "#08090c"),
    ]
    if luck.random() < 0.6:
        marks.append(Fill((rectangle(3.4, 4, 67.2, 144, 5),), luck.choice(("#f2f4f8", "#16324f", "#e9efe3"))))
        for n in range(9):
            wide = luck.uniform(20, 58)
            marks.append(
                Fill((rectangle(8, 16 + 13 * n, wide, 5.5, 2),), luck.choice(("#9aa6b8", "#d24b3a", "#2b59ab")))
            )
    marks.append(Fill((circle(37, 6.5, 1.6),), "#202226"))
    return Drawing(74, 152, tuple(marks)), 9.0, 8.0


def cup(luck: Random) -> tuple[Drawing, float, float]:
    """Return a cup on its saucer."""
    glaze = luck.choice(("#f4f1ea", "#2f5d8a", "#b3322b", "#dfe8e2"))
    drink = luck.choice(("#3b2012", "#7a4a24", "#b97a3b", "#9fb65a"))
    marks: tuple[Mark, ...] = (
        Fill((circle(70, 70, 70),), glaze),
        Stroke(circle(70, 70, 64), 1.4, "#c9b47a", closed=True),
        Fill((circle(70, 70, 47),), "#d8d5ce"),
        Stroke(((104, 70), (126, 66), (126, 78), (104, 76)), 7, glaze),
        Fill((circle(70, 70, 41),), glaze),
        Fill((circle(70, 70, 36),), drink),
        Fill((ellipse(60, 58, 12, 6),), "#a58468"),
    )
    return Drawing(140, 140, marks), 70.0, 14.0


def note(luck: Random) -> tuple[Drawing, float, float]:
    """Return a note of play money."""
    value, colour, light = luck.choice(
        (
            ("50", "#7a8f3c", "#e6ecc8"),
            ("100", "#3c6e8f", "#d3e5ee"),
            ("500", "#8f3c5a", "#f0d5de"),
            ("1000", "#a5742a", "#f3e3c4"),
        )
    )
    marks: list[Mark] = [Fill((rectangle(0, 0, 118, 58),), light)]
    marks += [
        Stroke(path((0, 6 * n), ((40, 6 * n - 14), (78, 6 * n + 14), (118, 6 * n - 3))), 0.5, colour) for n in range(11)
    ]
    marks += [
        Stroke(rectangle(3, 3, 112, 52, 3), 1.2, colour, closed=True),
        Fill((circle(59, 29, 17),), light),
        Stroke(circle(59, 29, 17), 1.2, colour, closed=True),
        text(value, (59, 34), 11, colour, anchor="middle"),
        text(value, (8, 15), 8, colour),
        text(value, (110, 51), 8, colour, anchor="end"),
    ]
    return Drawing(118, 58, tuple(marks)), 1.0, 0.3


THINGS = (phone, cup, note, note)


def foreign(number: int) -> Drawing:
    """Return a card of another game, 63 × 88 mm, with a creature, a text box and symbols that depend on the number."""
    luck = Random(f"foreign {number}")
    frame, paper, ink = (f"#{luck.randrange(1 << 24):06x}", "#efe8d6", "#241f1c")
    art = rectangle(6, 13, 51, 36, 1.5)
    inside: list[Mark] = [Fill((rectangle(0, 0, 63, 88),), f"#{luck.randrange(1 << 24):06x}")]
    for _ in range(34):
        x, y, r = luck.uniform(4, 59), luck.uniform(12, 50), luck.uniform(1.5, 8)
        shape = luck.choice((circle(x, y, r), star(x, y, r, r * 0.5, luck.randint(3, 7)), rectangle(x, y, r, r * 0.7)))
        inside.append(Fill((shape,), f"#{luck.randrange(1 << 24):06x}"))
    words = "".join(luck.choice("ABCDEFGHIKLMNOPRSTUVW") for _ in range(luck.randint(6, 11)))
    marks: list[Mark] = [
        Fill((rectangle(0, 0, 63, 88),), "#16130f"),
        Fill((rectangle(2.5, 2.5, 58, 83, 2),), frame),
        Fill((rectangle(5, 5, 53, 6.4, 1.5),), paper),
        text(words, (7, 10), 3.4, ink),
        Clipped(art, tuple(inside)),
        Fill((rectangle(6, 51.5, 51, 27, 1.5),), paper),
        text(f"{luck.randint(1, 9)}/{luck.randint(1, 9)}", (56, 84.2), 3.6, ink, anchor="end"),
        *[
            Fill((circle(54 - 5.2 * n, 8.2, 2.1),), f"#{luck.randrange(1 << 24):06x}")
            for n in range(luck.randint(1, 4))
        ],
    ]
    for n in range(5):
        line = "".join(luck.choice("abcdefghiklmnoprstuvw  ") for _ in range(luck.randint(12, 26)))
        marks.append(text(line.strip(), (8.5, 57 + 4.6 * n), 2.2, ink, 500))
    return Drawing(63, 88, tuple(marks))


FOREIGN = 8
"""The number of cards of other games."""


FOREIGN_NAMES = {f"foreign-{n}": n for n in range(1, FOREIGN + 1)}
"""Their names, which no deck has, with their numbers."""


@cache
def foreign_card(name: str) -> Image:
    """Return a card of another game as pixels of CARD's size. Raise `KeyError` for an unknown name."""
    return to_pixels(foreign(FOREIGN_NAMES[name]), CARD[0] / 63, CARD)


def some_thing(luck: Random) -> Thing:
    """Return a random everyday object."""
    if luck.random() < 0.25:
        name = f"foreign-{luck.randint(1, FOREIGN)}"
        return Thing(name, foreign_card(name), (63, 88), 3.0, 0.3)
    make = luck.choice(THINGS)
    drawing, radius, high = make(luck)
    picture = to_pixels(drawing, PX_PER_MM)
    return Thing(make.__name__, picture, (drawing.width, drawing.height), radius, high)
