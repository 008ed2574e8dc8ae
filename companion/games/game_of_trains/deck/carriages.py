"""The wagons of Game of Trains from the side, one form for each ability, with travelling animals.

Small details (a glance, a lamp, a stripe) are random, so that no two wagons of a form are equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import msgspec

from companion.drawing import Clipped, Fill, Mark, circle, ellipse, path, rectangle, star, transform
from companion.drawing.pictures.animals import animal
from companion.drawing.pictures.brush import Marks, area, block, disc, line
from companion.drawing.pictures.scenery import mix
from companion.drawing.pictures.wagons import FLOOR, FROM, IRON, TO, running_gear
from companion.games.game_of_trains.deck.signs import padlock

MIDDLE = (FROM + TO) / 2
"""Millimetres from the left: the middle of a wagon."""
NIGHT, RED, YELLOW = "#1b2130", "#d22f27", "#f2c230"
BALLS = ("#e04b3c", YELLOW, "#3f9bd0", "#6aa83f", "#f1e9d8")


class Livery(msgspec.Struct, frozen=True):
    """Colours of a wagon, and its passengers."""

    body: str
    trim: str
    beast: str
    other: str
    """A second animal, for wagons with several."""


def deck(colour: str, thick: float = 2.0) -> Mark:
    """Return the floor of a flat wagon."""
    return block(FROM - 0.5, FLOOR - thick, TO - FROM + 1, thick, colour, 0.5)


def space_evenly(start: float, end: float, step: float) -> list[float]:
    """Return evenly spaced positions."""
    return [start + n * step for n in range(int((end - start) / step) + 1)]


# --- wagons to play on ----------------------------------------------------------------------------


def seesaw(look: Livery, luck: Random) -> Marks:
    """Return a seesaw on a flat wagon, with two animals."""
    lean = luck.choice((-11, -7, 7, 11)) + luck.uniform(-2, 2)
    board: Marks = (
        *animal(look.beast, -17, -6.6, 6.4, luck.uniform(-8, 8)),
        *animal(look.other, 17, -6.6, 6.4, luck.uniform(-8, 8)),
        *[line(1.1, IRON, (x, -0.6), (x, -4.4)) for x in (-9.8, 9.8)],
        block(-24.5, -1.2, 49, 2.6, look.trim, 1.2),
        block(-24.5, -1.2, 49, 1.0, mix(look.trim, "#ffffff", 0.5), 0.5),
        *[block(x - 1.2, -1.2, 2.4, 2.6, look.body) for x in (-22, -11, 11, 22)],
    )
    shade = mix(look.body, "#000000", 0.3)
    return (
        area(look.body, (MIDDLE - 6.5, FLOOR - 2), (MIDDLE, 48.6), (MIDDLE + 6.5, FLOOR - 2)),
        area(shade, (MIDDLE - 3.2, FLOOR - 2), (MIDDLE, 51.4), (MIDDLE + 3.2, FLOOR - 2)),
        *transform(board, MIDDLE, 48.2, lean * 0.6), disc(MIDDLE, 48.4, 1.7, IRON),
        disc(MIDDLE, 48.4, 0.8, look.trim), deck(look.body, 2.4),
        *[disc(x, FLOOR - 1.2, 0.45, look.trim) for x in space_evenly(9, 55, 5.1)],
    )  # fmt: skip


def carousel(look: Livery, luck: Random) -> Marks:
    """Return a merry-go-round with a striped roof and three riding animals."""
    brim, top = 39.6, 29.8 + luck.uniform(-0.6, 0.6)
    marks: list[Mark] = [block(FROM + 2, 39, TO - FROM - 4, FLOOR - 39, mix(look.body, NIGHT, 0.55))]
    marks += [area(look.trim, *star(luck.uniform(10, 53), luck.uniform(41.5, 46), 0.7, 0.3, 4)) for _ in range(9)]
    for name, x in ((look.beast, 13.5), (look.other, MIDDLE), (look.beast, 49.5)):
        up = luck.uniform(-1.6, 1.6)
        marks += (line(1.1, look.trim, (x, 39.5), (x, FLOOR)), *animal(name, x, 49.4 + up, 5.7, luck.uniform(-7, 7)))
    wide = (TO - FROM + 4) / 10
    for n in range(10):
        x, colour = FROM - 2 + n * wide, look.trim if n % 2 else look.body
        peak = (MIDDLE + (x - MIDDLE) * 0.12, top), (MIDDLE + (x + wide - MIDDLE) * 0.12, top)
        marks.append(area(colour, *peak, (x + wide, brim), (x, brim)))
        marks.append(area(colour, *path((x, brim), ((x + wide / 2, brim + 4.2), (x + wide, brim)))))
    flag = luck.choice((RED, "#ffffff", YELLOW))
    return (
        *marks, line(0.6, IRON, (MIDDLE, top), (MIDDLE, top - 5)),
        area(flag, (MIDDLE, top - 5.2), (MIDDLE + 4.6, top - 3.9), (MIDDLE, top - 2.6)),
        deck(look.body, 2.6), block(FROM - 0.5, FLOOR - 2.6, TO - FROM + 1, 0.8, look.trim),
    )  # fmt: skip


def sailer(look: Livery, luck: Random) -> Marks:
    """Return a boat on wheels, its sails filled by a wind to the right."""
    mast = 26.5 + luck.uniform(-1.5, 1.5)
    sail = path((mast + 0.8, 24.6), ((mast + 20, 29), (mast + 25, 42), (mast + 22, 48.2)),
                ((mast + 12, 46.5), (mast + 0.8, 48.2)))  # fmt: skip
    jib = path((mast - 0.8, 27.5), ((mast - 6, 37), (mast - 16, 47.6)), ((mast - 7, 46.4), (mast - 0.8, 47.6)))
    stripes = [block(mast, y, 40, 2.6, look.body) for y in (29, 35.4, 41.8)]
    emblem = area("#ffffff", *star(mast + 10.5, 38.2, 4.6, 2.0, 5))
    rider = luck.uniform(mast + 9, mast + 14)
    return (
        line(1.1, "#8a5a33", (mast, 23.4), (mast, FLOOR)),
        area(mix(look.body, "#ffffff", 0.35), *jib),
        Clipped(sail, (area(look.trim, *sail), *stripes, emblem)),
        area(luck.choice((RED, YELLOW, "#2b59ab")), (mast, 22.4), (mast + 6, 23.6), (mast, 25)),
        *animal(look.beast, 13.0 + luck.uniform(-1.5, 1.5), 47.4, 5.6, luck.uniform(-10, 4)),
        *animal(look.other, rider + 10, 47.6, 4.9, luck.uniform(-4, 10)),
        area(look.body, (FROM - 1, 49.6), (TO + 2, 48.4), (TO - 4, FLOOR), (FROM + 3, FLOOR)),
        area(look.trim, (FROM - 0.6, 51.0), (TO + 1.2, 49.9), (TO + 0.2, 51.6), (FROM + 0.1, 52.4)),
        *[Fill((circle(x, 55.0, 1.25), circle(x, 55.0, 0.7)), look.trim) for x in (16, 25, 34, 43)],
    )


def rocket(look: Livery, luck: Random) -> Marks:
    """Return a rocket on its cradle that points to the left, with animals at its portholes."""
    body = path((FROM - 3, 46.6), ((FROM + 4, 38.4), (20, 37.6)), ((50, 38.2),), ((50, 55.0),), ((20, 55.6),),
                ((FROM + 4, 54.8), (FROM - 3, 46.6)))  # fmt: skip
    flame = [area(c, *path((52, 43.5 + d), ((60, 42 + d), (66 - d, 46.6)), ((60, 51.5 - d), (52, 49.8 - d))))
             for d, c in ((0.0, "#ee7d2b"), (1.0, "#f7c843"), (2.0, "#fff3c4"))]  # fmt: skip
    fins = ((42, 39.6), (53, 30.4), (55, 39.8), (50.5, 42)), ((42, 53.6), (52, 60), (54.5, 54), (50.5, 51))
    skin = (
        area(look.trim, *body), block(FROM - 4, 51.4, 60, 6, mix(look.trim, NIGHT, 0.2)),
        block(FROM - 4, 36, 13.5, 22, "#d9483b"), block(FROM + 9.5, 36, 1.4, 22, look.body),
        block(48.4, 36, 3, 22, look.body),
    )  # fmt: skip
    windows: list[Mark] = []
    for x, name in ((21.5, look.beast), (32.5, look.other), (43, look.beast)):
        windows += (disc(x, 46.4, 5.0, look.body), disc(x, 46.4, 4.3, "#cfe9f4"))
        windows += animal(name, x, 46.8, 3.7, luck.uniform(-9, 9))
    return (
        *flame, Fill(fins, look.body), Clipped(body, skin), *windows,
        *[area(IRON, (x - 3.5, FLOOR), (x - 2, 54.6), (x + 2, 54.6), (x + 3.5, FLOOR))
          for x in (17, 42)], deck(look.body, 1.8),
        area(look.body, *star(luck.uniform(24, 40), 39.9, 0.9, 0.4, 5)),
    )  # fmt: skip


# --- working wagons ----------------------------------------------------------------------------------


def ball(x: float, y: float, radius: float, inner: float, colour: str) -> Marks:
    """Return a ball with its shade."""
    return disc(x, y, radius, mix(colour, "#000000", 0.25)), disc(x - 0.2, y - 0.2, inner, colour)


def tipper(look: Livery, luck: Random) -> Marks:
    """Return a wagon that tips balls out to the left, with an animal at the lever."""
    load: list[Mark] = []
    for n in range(17):
        x, y = -14 + 1.75 * n + luck.uniform(-0.8, 0.8), -9.4 - luck.uniform(0, 2.6)
        load += ball(x, y, 2.1, 1.7, BALLS[luck.randrange(5)])
    tub = (area(look.body, (-17, -9), (15, -9), (11, 6.5), (-13, 6.5)), block(-18, -10, 34, 2.4, look.trim, 1.0))
    ribs = [line(1.1, mix(look.body, "#101318", 0.35), (x, -7.4), (x * 0.78, 6.4)) for x in (-11, -4, 3, 10)]
    falling: list[Mark] = []
    for n in range(5):
        x, y = 6.0 - n * 1.2 + luck.uniform(-1, 1), 46.5 + 2.6 * n
        falling += ball(x, y, 2.0, 1.6, BALLS[(n + luck.randrange(2)) % 5])
    lever = luck.uniform(-12, 8)
    return (
        *falling, *transform((*load, *tub, *ribs), 25.5, 48.6, -15 + luck.uniform(-3, 2)),
        area(IRON, (20, FLOOR), (26, 52.0), (32, FLOOR)),
        *transform((line(0.9, IRON, (0, 0), (0, -13)), disc(0, -13.4, 1.4, "#d9483b")), 43.6, FLOOR,
          lever), *animal(look.beast, 51.0, 47.6, 6.3, luck.uniform(-8, 8)),
        block(45.5, 52.2, 11, FLOOR - 52.2, look.body, 0.8), block(45.5, 52.2, 11, 1.2, look.trim),
        deck(look.body, 1.6),
    )  # fmt: skip


def crane(look: Livery, luck: Random) -> Marks:
    """Return a crane that lifts a crate off the wagon's middle, with an animal in its cab."""
    hang = 40.8 + luck.uniform(-2.2, 2.2)
    tip, foot = (MIDDLE, 26.0), (49.5, 44.0)
    boom: list[Mark] = [line(2.4, look.trim, foot, tip), line(0.7, IRON, (53, 44.0), (MIDDLE + 2, 25.4))]
    for n in range(1, 8):
        x, y = foot[0] + (tip[0] - foot[0]) * n / 8, foot[1] + (tip[1] - foot[1]) * n / 8
        boom.append(line(0.6, look.body, (x - 1, y - 0.6), (x + 0.8, y + 0.9)))
    sway = luck.uniform(-5, 5)
    crate = (
        line(0.5, IRON, (0, -12), (0, -6.8)),
        *[line(0.5, IRON, (0, -7), (x, -3.6)) for x in (-5.4, 5.4)],
        *animal(look.other, 0.0, -4.4, 3.9), block(-6.4, -3.8, 12.8, 9.4, "#c99a5b", 0.4),
        Fill((rectangle(-6.4, -1.0, 12.8, 0.6), rectangle(-6.4, 2.2, 12.8, 0.6)), "#8f6532"),
        line(0.9, "#8f6532", (-5.8, -3.2), (5.8, 5)),
    )  # fmt: skip
    load = ((7, 0, "#c99a5b"), (13.6, 0, look.trim), (10.2, 1, look.body))
    low = FLOOR - 1.8
    return (
        *boom, line(0.5, IRON, tip, (MIDDLE, hang - 6)),
        *transform(crate, MIDDLE, hang + 3.5, sway),
        block(41, 42.4, 16, FLOOR - 42.4, look.body, 1.4),
        block(39.6, 40.6, 18.6, 2.4, mix(look.body, NIGHT, 0.5), 1.0),
        block(42.8, 44.4, 12.4, 8.2, "#cfe9f4", 0.8),
        *animal(look.beast, 49, 48.8, 3.9, luck.uniform(-8, 8)),
        block(42.8, 52.4, 12.4, 0.8, look.trim),
        *[block(x, FLOOR - 4.2 - 4.2 * row, 6.2, 4.0, colour, 0.3) for x, row, colour in load],
        deck(look.body, 1.8),
        *[area(YELLOW, (x, low), (x + 2, low), (x + 0.8, FLOOR), (x - 1.2, FLOOR))
          for x in space_evenly(9, 54, 4.4)],
    )  # fmt: skip


def pullman(look: Livery, luck: Random) -> Marks:
    """Return a coach with a platform and a lamp at its right end, and animals at its windows."""
    end = 49.5
    roof = path((FROM - 2, 40.6), ((FROM, 36.0), (16, 36.0)), ((45, 36.0),), ((58, 36.0), (60, 40.6)))
    sides = [rectangle(FROM - 0.5, y, end - FROM + 0.5, high) for y, high in ((40.2, 1.1), (53.6, 0.9))]
    marks: list[Mark] = [
        area(mix(look.body, NIGHT, 0.5), *roof), block(18, 33.6, 19, 3.0, look.body, 0.8),
        *[block(x, 34.4, 2.2, 1.2, "#ffe9a8") for x in space_evenly(19.4, 35, 3.4)],
        block(FROM - 0.5, 40.2, end - FROM + 0.5, FLOOR - 40.2, look.body), Fill(tuple(sides), look.trim),
    ]  # fmt: skip
    inside = [look.beast, look.other, look.beast]
    luck.shuffle(inside)
    for x, name in zip((13.2, 27.0, 40.8), inside, strict=True):
        marks += (block(x - 5.9, 42.3, 11.8, 10.4, look.trim, 1.8), block(x - 5.2, 43.0, 10.4, 9.0, "#fff1c9", 1.3))
        marks += animal(name, x, 48.0, 4.5, luck.uniform(-9, 9))
        left = path((x - 5.2, 43.0), ((x - 2.6, 44.6), (x - 5.2, 48)), ((x - 5.2, 43.0),))
        right = path((x + 5.2, 43.0), ((x + 2.6, 44.6), (x + 5.2, 48)), ((x + 5.2, 43.0),))
        marks.append(Fill((left, right), "#b8324a"))
    shield = luck.uniform(16, 34)
    return (
        *marks, block(57.4, 40, 0.9, FLOOR - 40, IRON),
        *[line(0.6, IRON, (x, 50.4), (x, FLOOR)) for x in (51.2, 53.3, 55.4)],
        block(49.6, 49.8, 8.6, 0.9, look.trim), disc(57.8, 45.6, 1.9, "#3a1512"),
        disc(57.8, 45.6, 1.4, "#ff5b45"), disc(57.4, 45.2, 0.5, "#ffd0c4"),
        block(shield, 55.0, 7, 1.6, look.trim, 0.5), deck(mix(look.body, NIGHT, 0.4), 0.9),
    )  # fmt: skip


def vault(look: Livery, luck: Random) -> Marks:
    """Return an armoured wagon with a padlock, rivets, and animals behind its bars."""
    left, wide = FROM - 0.5, TO - FROM + 1
    roof = path((FROM - 1, 39.6), ((FROM + 1, 34.6), (18, 34.4)), ((45, 34.4),), ((62 - FROM, 34.6), (TO + 1, 39.6)))
    marks: list[Mark] = [
        area(IRON, *roof), block(left, 38.4, wide, FLOOR - 38.4, look.body, 1.0),
        Fill((rectangle(left, 38.4, wide, 1.4), rectangle(left, FLOOR - 2.6, wide, 1.2)), look.trim),
    ]  # fmt: skip
    for x in (FROM + 0.4, 20.6, 42.4, TO - 2.0):
        marks.append(block(x, 39.8, 1.6, FLOOR - 42.4, mix(look.body, "#101318", 0.4)))
        marks += [disc(x + 0.8, y, 0.45, look.trim) for y in space_evenly(41.4, FLOOR - 3.4, 2.5)]
    for x, name in ((14.0, look.beast), (49.2, look.other)):
        marks.append(block(x - 5.4, 42.0, 10.8, 9.6, "#1a2030", 1.0))
        marks += animal(name, x, 47.2, 4.6, luck.uniform(-9, 9))
        marks += [block(x + d - 0.35, 42.0, 0.7, 9.6, "#c3cad4") for d in (-3.4, 0.0, 3.4)]
        marks.append(block(x - 5.4, 52.4, 10.8, 1.4, look.trim, 0.5))
    turn = luck.uniform(0, 90)
    spokes = [math.radians(turn + 45 * n) for n in range(8)]
    return (
        *marks, disc(MIDDLE, 47.4, 9.4, IRON),
        disc(MIDDLE, 47.4, 8.6, mix(look.body, "#ffffff", 0.35)),
        *[line(0.8, look.trim, (MIDDLE, 47.4),
          (MIDDLE + 8.6 * math.cos(a), 47.4 + 8.6 * math.sin(a))) for a in spokes],
        *padlock(MIDDLE, 47.4, 5.6, YELLOW, IRON),
        area(look.trim, *ellipse(MIDDLE, 36.6, luck.uniform(3, 8), 0.5)),
    )  # fmt: skip


FORMS: dict[str, Callable[[Livery, Random], Marks]] = {
    "swap_adjacent": seesaw, "swap_one_between": carousel, "move_right_2": sailer, "move_left_2": rocket,
    "remove_left": tipper, "remove_middle": crane, "remove_right": pullman, "protect": vault,
}  # fmt: skip
"""The form of each ability's wagon."""


def carriage(ability: str, livery: Livery, luck: Random) -> Marks:
    """Return a wagon on the rail, coupled beyond both edges of the card."""
    return (*FORMS[ability](livery, luck), *running_gear(luck, livery.trim))
