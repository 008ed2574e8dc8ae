"""The wagons of Game of Trains from the side, one form for each ability, with animals that travel on them.

Knows forms; refuses to know numbers. Small things (who looks where, a lamp, a stripe) are luck's, so that no two wagons
of a form are alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import msgspec

from vision.cards.animals import animal
from vision.cards.scenery import mixed
from vision.cards.signs import padlock
from vision.cards.wagons import FLOOR, FROM, IRON, TO, running_gear
from vision.drawing import Clipped, Contour, Fill, Mark, Stroke, circle, ellipse, moved, path, rectangle, star

MIDDLE = (FROM + TO) / 2
WOOD = "#8a5a33"


class Livery(msgspec.Struct, frozen=True):
    """Colours of a wagon, and who travels on it."""

    body: str
    trim: str
    beast: str
    other: str
    """A second animal, for wagons with several."""


def carriage(ability: str, livery: Livery, luck: Random) -> tuple[Mark, ...]:
    """Return a wagon on the rail, coupled to what is beyond both edges of the card."""
    return (*FORMS[ability](livery, luck), *running_gear(luck, livery.trim))


def _deck(colour: str, thick: float = 2.0) -> Mark:
    """Return the floor of a flat wagon."""
    return Fill((rectangle(FROM - 0.5, FLOOR - thick, TO - FROM + 1, thick, 0.5),), colour)


def seesaw(look: Livery, luck: Random) -> tuple[Mark, ...]:
    """Return a seesaw on a flat wagon; two animals go up and down."""
    lean = luck.choice((-11, -7, 7, 11)) + luck.uniform(-2, 2)
    board: tuple[Mark, ...] = (
        *animal(look.beast, -17, -6.6, 6.4, luck.uniform(-8, 8)),
        *animal(look.other, 17, -6.6, 6.4, luck.uniform(-8, 8)),
        *[Stroke(((x, -0.6), (x, -4.4)), 1.1, IRON) for x in (-9.8, 9.8)],
        Fill((rectangle(-24.5, -1.2, 49, 2.6, 1.2),), look.trim),
        Fill((rectangle(-24.5, -1.2, 49, 1.0, 0.5),), mixed(look.trim, "#ffffff", 0.5)),
        *[Fill((rectangle(x - 1.2, -1.2, 2.4, 2.6),), look.body) for x in (-22, -11, 11, 22)],
    )
    return (
        Fill((((MIDDLE - 6.5, FLOOR - 2), (MIDDLE, 48.6), (MIDDLE + 6.5, FLOOR - 2)),), look.body),
        Fill(
            (((MIDDLE - 3.2, FLOOR - 2), (MIDDLE, 51.4), (MIDDLE + 3.2, FLOOR - 2)),), mixed(look.body, "#000000", 0.3)
        ),
        *moved(board, MIDDLE, 48.2, lean * 0.6),
        Fill((circle(MIDDLE, 48.4, 1.7),), IRON),
        Fill((circle(MIDDLE, 48.4, 0.8),), look.trim),
        _deck(look.body, 2.4),
        *[Fill((circle(x, FLOOR - 1.2, 0.45),), look.trim) for x in _spaced(9, 55, 5.1)],
    )


def carousel(look: Livery, luck: Random) -> tuple[Mark, ...]:
    """Return a merry-go-round with a striped roof; three animals ride on it."""
    brim, top = 39.6, 29.8 + luck.uniform(-0.6, 0.6)
    marks: list[Mark] = [Fill((rectangle(FROM + 2, 39, TO - FROM - 4, FLOOR - 39),), mixed(look.body, "#1b2130", 0.55))]
    marks += [Fill((star(luck.uniform(10, 53), luck.uniform(41.5, 46), 0.7, 0.3, 4),), look.trim) for _ in range(9)]
    for n, x in enumerate((13.5, MIDDLE, 49.5)):
        up = luck.uniform(-1.6, 1.6)
        marks += [Stroke(((x, 39.5), (x, FLOOR)), 1.1, look.trim)]
        marks += animal(look.other if n == 1 else look.beast, x, 49.4 + up, 5.7, luck.uniform(-7, 7))
    wide = (TO - FROM + 4) / 10
    for n in range(10):
        x = FROM - 2 + n * wide
        peak = (MIDDLE + (x - MIDDLE) * 0.12, top), (MIDDLE + (x + wide - MIDDLE) * 0.12, top)
        colour = look.trim if n % 2 else look.body
        marks.append(Fill(((peak[0], peak[1], (x + wide, brim), (x, brim)),), colour))
        marks.append(Fill((path((x, brim), ((x + wide / 2, brim + 4.2), (x + wide, brim))),), colour))
    flag = luck.choice(("#d22f27", "#ffffff", "#f2c230"))
    marks += [
        Stroke(((MIDDLE, top), (MIDDLE, top - 5)), 0.6, IRON),
        Fill((((MIDDLE, top - 5.2), (MIDDLE + 4.6, top - 3.9), (MIDDLE, top - 2.6)),), flag),
        _deck(look.body, 2.6),
        Fill((rectangle(FROM - 0.5, FLOOR - 2.6, TO - FROM + 1, 0.8),), look.trim),
    ]
    return tuple(marks)


def sailer(look: Livery, luck: Random) -> tuple[Mark, ...]:
    """Return a boat on wheels whose sails the wind fills to the right."""
    mast = 26.5 + luck.uniform(-1.5, 1.5)
    sail = path(
        (mast + 0.8, 24.6),
        ((mast + 20, 29), (mast + 25, 42), (mast + 22, 48.2)),
        ((mast + 12, 46.5), (mast + 0.8, 48.2)),
    )
    jib = path((mast - 0.8, 27.5), ((mast - 6, 37), (mast - 16, 47.6)), ((mast - 7, 46.4), (mast - 0.8, 47.6)))
    hull: Contour = ((FROM - 1, 49.6), (TO + 2, 48.4), (TO - 4, FLOOR), (FROM + 3, FLOOR))
    stripes = [Fill((rectangle(mast, y, 40, 2.6),), look.body) for y in (29, 35.4, 41.8)]
    rider = luck.uniform(mast + 9, mast + 14)
    return (
        Stroke(((mast, 23.4), (mast, FLOOR)), 1.1, WOOD),
        Fill((jib,), mixed(look.body, "#ffffff", 0.35)),
        Clipped(sail, (Fill((sail,), look.trim), *stripes, Fill((star(mast + 10.5, 38.2, 4.6, 2.0, 5),), "#ffffff"))),
        Fill((((mast, 22.4), (mast + 6, 23.6), (mast, 25)),), luck.choice(("#d22f27", "#f2c230", "#2b59ab"))),
        *animal(look.beast, 13.0 + luck.uniform(-1.5, 1.5), 47.4, 5.6, luck.uniform(-10, 4)),
        *animal(look.other, rider + 10, 47.6, 4.9, luck.uniform(-4, 10)),
        Fill((hull,), look.body),
        Fill((((FROM - 0.6, 51.0), (TO + 1.2, 49.9), (TO + 0.2, 51.6), (FROM + 0.1, 52.4)),), look.trim),
        *[Fill((circle(x, 55.0, 1.25), circle(x, 55.0, 0.7)), look.trim) for x in (16, 25, 34, 43)],
    )


def rocket(look: Livery, luck: Random) -> tuple[Mark, ...]:
    """Return a rocket that lies on its cradle and points to the left; animals look out of its portholes."""
    body = path(
        (FROM - 3, 46.6),
        ((FROM + 4, 38.4), (20, 37.6)),
        ((50, 38.2),),
        ((50, 55.0),),
        ((20, 55.6),),
        ((FROM + 4, 54.8), (FROM - 3, 46.6)),
    )
    nose = Fill((rectangle(FROM - 4, 36, 13.5, 22),), "#d9483b")
    flame = [
        Fill((path((52, 43.5 + d), ((60, 42 + d), (66 - d, 46.6)), ((60, 51.5 - d), (52, 49.8 - d))),), c)
        for d, c in ((0.0, "#ee7d2b"), (1.0, "#f7c843"), (2.0, "#fff3c4"))
    ]
    windows: list[Mark] = []
    for x, name in ((21.5, look.beast), (32.5, look.other), (43, look.beast)):
        windows += [Fill((circle(x, 46.4, 5.0),), look.body), Fill((circle(x, 46.4, 4.3),), "#cfe9f4")]
        windows += animal(name, x, 46.8, 3.7, luck.uniform(-9, 9))
    return (
        *flame,
        Fill(
            (((42, 39.6), (53, 30.4), (55, 39.8), (50.5, 42)), ((42, 53.6), (52, 60), (54.5, 54), (50.5, 51))),
            look.body,
        ),
        Clipped(
            body,
            (
                Fill((body,), look.trim),
                Fill((rectangle(FROM - 4, 51.4, 60, 6),), mixed(look.trim, "#1b2130", 0.2)),
                nose,
                Fill((rectangle(FROM + 9.5, 36, 1.4, 22),), look.body),
                Fill((rectangle(48.4, 36, 3, 22),), look.body),
            ),
        ),
        *windows,
        *[Fill((((x - 3.5, FLOOR), (x - 2, 54.6), (x + 2, 54.6), (x + 3.5, FLOOR)),), IRON) for x in (17, 42)],
        _deck(look.body, 1.8),
        Fill((star(luck.uniform(24, 40), 39.9, 0.9, 0.4, 5),), look.body),
    )


def tipper(look: Livery, luck: Random) -> tuple[Mark, ...]:
    """Return a wagon that tips to the left; balls roll out of it, and an animal minds the lever."""
    tub: Contour = ((-17, -9), (15, -9), (11, 6.5), (-13, 6.5))
    balls: list[Mark] = []
    for n in range(17):
        x, y = -14 + 1.75 * n + luck.uniform(-0.8, 0.8), -9.4 - luck.uniform(0, 2.6)
        colour = ("#e04b3c", "#f2c230", "#3f9bd0", "#6aa83f", "#ffffff")[luck.randrange(5)]
        balls += [
            Fill((circle(x, y, 2.1),), mixed(colour, "#000000", 0.25)),
            Fill((circle(x - 0.2, y - 0.2, 1.7),), colour),
        ]
    inner = (
        *balls,
        Fill((tub,), look.body),
        Fill((rectangle(-18, -10, 34, 2.4, 1.0),), look.trim),
        *[Stroke(((x, -7.4), (x * 0.78, 6.4)), 1.1, mixed(look.body, "#101318", 0.35)) for x in (-11, -4, 3, 10)],
    )
    falling: list[Mark] = []
    for n in range(5):
        x, y = 6.0 - n * 1.2 + luck.uniform(-1, 1), 46.5 + 2.6 * n
        colour = ("#e04b3c", "#f2c230", "#3f9bd0", "#6aa83f", "#ffffff")[(n + luck.randrange(2)) % 5]
        falling += [
            Fill((circle(x, y, 2.0),), mixed(colour, "#000000", 0.25)),
            Fill((circle(x - 0.2, y - 0.2, 1.6),), colour),
        ]
    lever = luck.uniform(-12, 8)
    return (
        *falling,
        *moved(inner, 25.5, 48.6, -15 + luck.uniform(-3, 2)),
        Fill((((20, FLOOR), (26, 52.0), (32, FLOOR)),), IRON),
        *moved([Stroke(((0, 0), (0, -13)), 0.9, IRON), Fill((circle(0, -13.4, 1.4),), "#d9483b")], 43.6, FLOOR, lever),
        *animal(look.beast, 51.0, 47.6, 6.3, luck.uniform(-8, 8)),
        Fill((rectangle(45.5, 52.2, 11, FLOOR - 52.2, 0.8),), look.body),
        Fill((rectangle(45.5, 52.2, 11, 1.2),), look.trim),
        _deck(look.body, 1.6),
    )


def crane(look: Livery, luck: Random) -> tuple[Mark, ...]:
    """Return a crane that lifts a crate off the wagon's middle; an animal sits in its cab."""
    hang = 40.8 + luck.uniform(-2.2, 2.2)
    tip = (MIDDLE, 26.0)
    foot = (49.5, 44.0)
    boom: list[Mark] = [Stroke((foot, tip), 2.4, look.trim), Stroke(((53, 44.0), (MIDDLE + 2, 25.4)), 0.7, IRON)]
    for n in range(1, 8):
        t = n / 8
        x, y = foot[0] + (tip[0] - foot[0]) * t, foot[1] + (tip[1] - foot[1]) * t
        boom.append(Stroke(((x - 1, y - 0.6), (x + 0.8, y + 0.9)), 0.6, look.body))
    sway = luck.uniform(-5, 5)
    crate = (
        Stroke(((0, -12), (0, -6.8)), 0.5, IRON),
        Stroke(((0, -7), (-5.4, -3.6)), 0.5, IRON),
        Stroke(((0, -7), (5.4, -3.6)), 0.5, IRON),
        *animal(look.other, 0.0, -4.4, 3.9),
        Fill((rectangle(-6.4, -3.8, 12.8, 9.4, 0.4),), "#c99a5b"),
        Fill((rectangle(-6.4, -1.0, 12.8, 0.6), rectangle(-6.4, 2.2, 12.8, 0.6)), "#8f6532"),
        Stroke(((-5.8, -3.2), (5.8, 5)), 0.9, "#8f6532"),
    )
    return (
        *boom,
        Stroke((tip, (MIDDLE, hang - 6)), 0.5, IRON),
        *moved(crate, MIDDLE, hang + 3.5, sway),
        Fill((rectangle(41, 42.4, 16, FLOOR - 42.4, 1.4),), look.body),
        Fill((rectangle(39.6, 40.6, 18.6, 2.4, 1.0),), mixed(look.body, "#1b2130", 0.5)),
        Fill((rectangle(42.8, 44.4, 12.4, 8.2, 0.8),), "#cfe9f4"),
        *animal(look.beast, 49, 48.8, 3.9, luck.uniform(-8, 8)),
        Fill((rectangle(42.8, 52.4, 12.4, 0.8),), look.trim),
        *[
            Fill((rectangle(x, FLOOR - 4.2 - 4.2 * row, 6.2, 4.0, 0.3),), c)
            for (x, row), c in zip(((7, 0), (13.6, 0), (10.2, 1)), ("#c99a5b", look.trim, look.body), strict=True)
        ],
        _deck(look.body, 1.8),
        *[
            Fill((((x, FLOOR - 1.8), (x + 2, FLOOR - 1.8), (x + 0.8, FLOOR), (x - 1.2, FLOOR)),), "#f2c230")
            for x in _spaced(9, 54, 4.4)
        ],
    )


def pullman(look: Livery, luck: Random) -> tuple[Mark, ...]:
    """Return a coach with a platform and a lamp at its right end; animals look out of its windows."""
    end = 49.5
    marks: list[Mark] = [
        Fill(
            (path((FROM - 2, 40.6), ((FROM, 36.0), (16, 36.0)), ((45, 36.0),), ((58, 36.0), (60, 40.6))),),
            mixed(look.body, "#1b2130", 0.5),
        ),
        Fill((rectangle(18, 33.6, 19, 3.0, 0.8),), look.body),
        *[Fill((rectangle(x, 34.4, 2.2, 1.2),), "#ffe9a8") for x in _spaced(19.4, 35, 3.4)],
        Fill((rectangle(FROM - 0.5, 40.2, end - FROM + 0.5, FLOOR - 40.2),), look.body),
        Fill(
            (rectangle(FROM - 0.5, 40.2, end - FROM + 0.5, 1.1), rectangle(FROM - 0.5, 53.6, end - FROM + 0.5, 0.9)),
            look.trim,
        ),
    ]
    inside = [look.beast, look.other, look.beast]
    luck.shuffle(inside)
    for x, name in zip((13.2, 27.0, 40.8), inside, strict=True):
        marks += [
            Fill((rectangle(x - 5.9, 42.3, 11.8, 10.4, 1.8),), look.trim),
            Fill((rectangle(x - 5.2, 43.0, 10.4, 9.0, 1.3),), "#fff1c9"),
            *animal(name, x, 48.0, 4.5, luck.uniform(-9, 9)),
            Fill(
                (
                    path((x - 5.2, 43.0), ((x - 2.6, 44.6), (x - 5.2, 48)), ((x - 5.2, 43.0),)),
                    path((x + 5.2, 43.0), ((x + 2.6, 44.6), (x + 5.2, 48)), ((x + 5.2, 43.0),)),
                ),
                "#b8324a",
            ),
        ]
    marks += [Fill((rectangle(x, 40, 0.9, FLOOR - 40),), IRON) for x in (57.4,)]
    marks += [Stroke(((x, 50.4), (x, FLOOR)), 0.6, IRON) for x in (51.2, 53.3, 55.4)]
    marks += [
        Fill((rectangle(49.6, 49.8, 8.6, 0.9),), look.trim),
        Fill((circle(57.8, 45.6, 1.9),), "#3a1512"),
        Fill((circle(57.8, 45.6, 1.4),), "#ff5b45"),
        Fill((circle(57.4, 45.2, 0.5),), "#ffd0c4"),
    ]
    shield = luck.uniform(16, 34)
    return (
        *marks,
        Fill((rectangle(shield, 55.0, 7, 1.6, 0.5),), look.trim),
        _deck(mixed(look.body, "#1b2130", 0.4), 0.9),
    )


def vault(look: Livery, luck: Random) -> tuple[Mark, ...]:
    """Return an armoured wagon with a padlock, rivets, and animals behind its bars."""
    marks: list[Mark] = [
        Fill(
            (
                path(
                    (FROM - 1, 39.6), ((FROM + 1, 34.6), (18, 34.4)), ((45, 34.4),), ((62 - FROM, 34.6), (TO + 1, 39.6))
                ),
            ),
            IRON,
        ),
        Fill((rectangle(FROM - 0.5, 38.4, TO - FROM + 1, FLOOR - 38.4, 1.0),), look.body),
        Fill(
            (rectangle(FROM - 0.5, 38.4, TO - FROM + 1, 1.4), rectangle(FROM - 0.5, FLOOR - 2.6, TO - FROM + 1, 1.2)),
            look.trim,
        ),
    ]
    for x in (FROM + 0.4, 20.6, 42.4, TO - 2.0):
        marks.append(Fill((rectangle(x, 39.8, 1.6, FLOOR - 42.4),), mixed(look.body, "#101318", 0.4)))
        marks += [Fill((circle(x + 0.8, y, 0.45),), look.trim) for y in _spaced(41.4, FLOOR - 3.4, 2.5)]
    for x, name in ((14.0, look.beast), (49.2, look.other)):
        marks += [Fill((rectangle(x - 5.4, 42.0, 10.8, 9.6, 1.0),), "#1a2030")]
        marks += animal(name, x, 47.2, 4.6, luck.uniform(-9, 9))
        marks += [Fill((rectangle(x + d - 0.35, 42.0, 0.7, 9.6),), "#c3cad4") for d in (-3.4, 0.0, 3.4)]
        marks.append(Fill((rectangle(x - 5.4, 52.4, 10.8, 1.4, 0.5),), look.trim))
    turn = luck.uniform(0, 90)
    spokes = [
        Stroke(
            (
                (MIDDLE, 47.4),
                (
                    MIDDLE + 8.6 * math.cos(math.radians(turn + 45 * n)),
                    47.4 + 8.6 * math.sin(math.radians(turn + 45 * n)),
                ),
            ),
            0.8,
            look.trim,
        )
        for n in range(8)
    ]
    marks += [
        Fill((circle(MIDDLE, 47.4, 9.4),), IRON),
        Fill((circle(MIDDLE, 47.4, 8.6),), mixed(look.body, "#ffffff", 0.35)),
        *spokes,
        *padlock(MIDDLE, 47.4, 5.6, "#f2c230", IRON),
    ]
    return (*marks, Fill((ellipse(MIDDLE, 36.6, luck.uniform(3, 8), 0.5),), look.trim))


def _spaced(start: float, end: float, step: float) -> list[float]:
    return [start + n * step for n in range(int((end - start) / step) + 1)]


Form = Callable[[Livery, Random], tuple[Mark, ...]]
FORMS: dict[str, Form] = {
    "swap_adjacent": seesaw,
    "swap_one_between": carousel,
    "move_right_2": sailer,
    "move_left_2": rocket,
    "remove_left": tipper,
    "remove_middle": crane,
    "remove_right": pullman,
    "protect": vault,
}
"""The form of each ability's wagon."""
