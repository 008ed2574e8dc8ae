"""Wagons to play on: a seesaw, a merry-go-round, a boat on wheels, a rocket."""

from __future__ import annotations

from random import Random

from companion.drawing import Clipped, Contour, Fill, Mark, Stroke, circle, path, rectangle, star, transform
from companion.drawing.pictures.animals import animal
from companion.drawing.pictures.scenery import mix
from companion.drawing.pictures.wagons import FLOOR, FROM, IRON, TO
from companion.games.game_of_trains.deck.livery import MIDDLE, Livery, deck, space_evenly

WOOD = "#8a5a33"


def seesaw(look: Livery, luck: Random) -> tuple[Mark, ...]:
    """Return a seesaw on a flat wagon; two animals go up and down."""
    lean = luck.choice((-11, -7, 7, 11)) + luck.uniform(-2, 2)
    board: tuple[Mark, ...] = (
        *animal(look.beast, -17, -6.6, 6.4, luck.uniform(-8, 8)),
        *animal(look.other, 17, -6.6, 6.4, luck.uniform(-8, 8)),
        *[Stroke(((x, -0.6), (x, -4.4)), 1.1, IRON) for x in (-9.8, 9.8)],
        Fill((rectangle(-24.5, -1.2, 49, 2.6, 1.2),), look.trim),
        Fill((rectangle(-24.5, -1.2, 49, 1.0, 0.5),), mix(look.trim, "#ffffff", 0.5)),
        *[Fill((rectangle(x - 1.2, -1.2, 2.4, 2.6),), look.body) for x in (-22, -11, 11, 22)],
    )
    return (
        Fill((((MIDDLE - 6.5, FLOOR - 2), (MIDDLE, 48.6), (MIDDLE + 6.5, FLOOR - 2)),), look.body),
        Fill((((MIDDLE - 3.2, FLOOR - 2), (MIDDLE, 51.4), (MIDDLE + 3.2, FLOOR - 2)),), mix(look.body, "#000000", 0.3)),
        *transform(board, MIDDLE, 48.2, lean * 0.6),
        Fill((circle(MIDDLE, 48.4, 1.7),), IRON),
        Fill((circle(MIDDLE, 48.4, 0.8),), look.trim),
        deck(look.body, 2.4),
        *[Fill((circle(x, FLOOR - 1.2, 0.45),), look.trim) for x in space_evenly(9, 55, 5.1)],
    )


def carousel(look: Livery, luck: Random) -> tuple[Mark, ...]:
    """Return a merry-go-round with a striped roof; three animals ride on it."""
    brim, top = 39.6, 29.8 + luck.uniform(-0.6, 0.6)
    marks: list[Mark] = [Fill((rectangle(FROM + 2, 39, TO - FROM - 4, FLOOR - 39),), mix(look.body, "#1b2130", 0.55))]
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
        deck(look.body, 2.6),
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
        Fill((jib,), mix(look.body, "#ffffff", 0.35)),
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
                Fill((rectangle(FROM - 4, 51.4, 60, 6),), mix(look.trim, "#1b2130", 0.2)),
                nose,
                Fill((rectangle(FROM + 9.5, 36, 1.4, 22),), look.body),
                Fill((rectangle(48.4, 36, 3, 22),), look.body),
            ),
        ),
        *windows,
        *[Fill((((x - 3.5, FLOOR), (x - 2, 54.6), (x + 2, 54.6), (x + 3.5, FLOOR)),), IRON) for x in (17, 42)],
        deck(look.body, 1.8),
        Fill((star(luck.uniform(24, 40), 39.9, 0.9, 0.4, 5),), look.body),
    )
