"""Working wagons: a tipper, a crane, a coach, an armoured wagon."""

from __future__ import annotations

import math
from random import Random

from companion.drawing import Contour, Fill, Mark, Stroke, circle, ellipse, path, rectangle, transform
from companion.drawing.pictures.animals import animal
from companion.drawing.pictures.scenery import mix
from companion.drawing.pictures.wagons import FLOOR, FROM, IRON, TO
from companion.games.game_of_trains.deck.livery import MIDDLE, Livery, deck, space_evenly
from companion.games.game_of_trains.deck.signs import padlock


def tipper(look: Livery, luck: Random) -> tuple[Mark, ...]:
    """Return a wagon that tips to the left; balls roll out of it, and an animal minds the lever."""
    tub: Contour = ((-17, -9), (15, -9), (11, 6.5), (-13, 6.5))
    balls: list[Mark] = []
    for n in range(17):
        x, y = -14 + 1.75 * n + luck.uniform(-0.8, 0.8), -9.4 - luck.uniform(0, 2.6)
        colour = ("#e04b3c", "#f2c230", "#3f9bd0", "#6aa83f", "#f1e9d8")[luck.randrange(5)]
        balls += [
            Fill((circle(x, y, 2.1),), mix(colour, "#000000", 0.25)),
            Fill((circle(x - 0.2, y - 0.2, 1.7),), colour),
        ]
    inner = (
        *balls,
        Fill((tub,), look.body),
        Fill((rectangle(-18, -10, 34, 2.4, 1.0),), look.trim),
        *[Stroke(((x, -7.4), (x * 0.78, 6.4)), 1.1, mix(look.body, "#101318", 0.35)) for x in (-11, -4, 3, 10)],
    )
    falling: list[Mark] = []
    for n in range(5):
        x, y = 6.0 - n * 1.2 + luck.uniform(-1, 1), 46.5 + 2.6 * n
        colour = ("#e04b3c", "#f2c230", "#3f9bd0", "#6aa83f", "#f1e9d8")[(n + luck.randrange(2)) % 5]
        falling += [
            Fill((circle(x, y, 2.0),), mix(colour, "#000000", 0.25)),
            Fill((circle(x - 0.2, y - 0.2, 1.6),), colour),
        ]
    lever = luck.uniform(-12, 8)
    return (
        *falling,
        *transform(inner, 25.5, 48.6, -15 + luck.uniform(-3, 2)),
        Fill((((20, FLOOR), (26, 52.0), (32, FLOOR)),), IRON),
        *transform(
            [Stroke(((0, 0), (0, -13)), 0.9, IRON), Fill((circle(0, -13.4, 1.4),), "#d9483b")], 43.6, FLOOR, lever
        ),
        *animal(look.beast, 51.0, 47.6, 6.3, luck.uniform(-8, 8)),
        Fill((rectangle(45.5, 52.2, 11, FLOOR - 52.2, 0.8),), look.body),
        Fill((rectangle(45.5, 52.2, 11, 1.2),), look.trim),
        deck(look.body, 1.6),
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
        *transform(crate, MIDDLE, hang + 3.5, sway),
        Fill((rectangle(41, 42.4, 16, FLOOR - 42.4, 1.4),), look.body),
        Fill((rectangle(39.6, 40.6, 18.6, 2.4, 1.0),), mix(look.body, "#1b2130", 0.5)),
        Fill((rectangle(42.8, 44.4, 12.4, 8.2, 0.8),), "#cfe9f4"),
        *animal(look.beast, 49, 48.8, 3.9, luck.uniform(-8, 8)),
        Fill((rectangle(42.8, 52.4, 12.4, 0.8),), look.trim),
        *[
            Fill((rectangle(x, FLOOR - 4.2 - 4.2 * row, 6.2, 4.0, 0.3),), c)
            for (x, row), c in zip(((7, 0), (13.6, 0), (10.2, 1)), ("#c99a5b", look.trim, look.body), strict=True)
        ],
        deck(look.body, 1.8),
        *[
            Fill((((x, FLOOR - 1.8), (x + 2, FLOOR - 1.8), (x + 0.8, FLOOR), (x - 1.2, FLOOR)),), "#f2c230")
            for x in space_evenly(9, 54, 4.4)
        ],
    )


def pullman(look: Livery, luck: Random) -> tuple[Mark, ...]:
    """Return a coach with a platform and a lamp at its right end; animals look out of its windows."""
    end = 49.5
    marks: list[Mark] = [
        Fill(
            (path((FROM - 2, 40.6), ((FROM, 36.0), (16, 36.0)), ((45, 36.0),), ((58, 36.0), (60, 40.6))),),
            mix(look.body, "#1b2130", 0.5),
        ),
        Fill((rectangle(18, 33.6, 19, 3.0, 0.8),), look.body),
        *[Fill((rectangle(x, 34.4, 2.2, 1.2),), "#ffe9a8") for x in space_evenly(19.4, 35, 3.4)],
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
        deck(mix(look.body, "#1b2130", 0.4), 0.9),
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
        marks.append(Fill((rectangle(x, 39.8, 1.6, FLOOR - 42.4),), mix(look.body, "#101318", 0.4)))
        marks += [Fill((circle(x + 0.8, y, 0.45),), look.trim) for y in space_evenly(41.4, FLOOR - 3.4, 2.5)]
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
        Fill((circle(MIDDLE, 47.4, 8.6),), mix(look.body, "#ffffff", 0.35)),
        *spokes,
        *padlock(MIDDLE, 47.4, 5.6, "#f2c230", IRON),
    ]
    return (*marks, Fill((ellipse(MIDDLE, 36.6, luck.uniform(3, 8), 0.5),), look.trim))
