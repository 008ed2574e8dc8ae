"""Pictures of the trains, tracks and signals of Trains, each at the height 0 with its middle at 0."""

from __future__ import annotations

import math
from random import Random

from companion.drawing import Fill, Mark, arc, path, transform
from companion.drawing.pictures.brush import Marks, area, box, disc, line, ring, windows
from companion.drawing.pictures.frame import WIDTH
from companion.drawing.pictures.goods import place_picture
from companion.drawing.pictures.locomotives import diesel, electric, steam
from companion.drawing.pictures.paint import BLUE, BRICK, EARTH, GLASS, GOLD, GREEN, INK, PAPER, RED, STEEL, STONE, WOOD
from companion.drawing.pictures.scenery import RAIL
from companion.drawing.pictures.wagons import wagon


def on_rails(marks: tuple[Mark, ...]) -> Marks:
    """Return a vehicle of the shared pictures, moved to the height 0."""
    return transform(marks, -WIDTH / 2, -RAIL)


def normal_train() -> Marks:
    """A small steam engine."""
    return on_rails(steam(2, "#4a6b3a", GOLD, Random("normal")))


def express_train() -> Marks:
    """A great steam engine with its tender."""
    return on_rails(steam(6, "#274b7a", PAPER, Random("express")))


def limited_express_train() -> Marks:
    """An electric engine."""
    return on_rails(electric(5, "#a02c3c", GOLD, Random("limited")))


def early_train() -> Marks:
    """A diesel engine in front of the rising sun."""
    rays = [line(1.1, GOLD, (17 * math.cos(a), -10 + 17 * math.sin(a)), (34 * math.cos(a), -10 + 34 * math.sin(a)))
            for a in [math.radians(-15 - 15 * n) for n in range(11)]]  # fmt: skip
    return (
        *rays,
        disc(0, -10, 14.5, GOLD),
        disc(0, -10, 12.6, "#f58a3c"),
        *on_rails(diesel(2, "#5b3b7e", PAPER, Random("early"))),
    )


def freight_train() -> Marks:
    """A hopper with coal."""
    return on_rails(wagon("coal", 4, "#6d4b34", GOLD, Random("freight")))


def mail_train() -> Marks:
    """A van with a great letter on its side."""
    letter = (box(0, 0, 19, 11, INK, 0.6), box(0, -0.6, 17.8, 9.8, PAPER, 0.4),
        line(0.7, BRICK, (-8.7, -10), (0, -4.6), (8.7, -10)),
              disc(6.4, -2.8, 1.7, RED))  # fmt: skip
    return (*on_rails(wagon("food", 2, "#7a2d2d", GOLD, Random("mail"))), *transform(letter, 0, -7.4))


def bullet_train() -> Marks:
    """A train with a long nose and trailing wind."""
    nose = path((-28, -3.4), ((-25, -7.6), (-14, -15.4), (-4, -15.4)), ((34, -15.4),), ((34, -3.4),))
    glass = path((-15.6, -10.4), ((-12, -13.2), (-6.6, -13.4)), ((-6.6, -10.4),))
    return (
        Fill((nose,), "#e9eef2"), Fill((glass,), INK),
        area(BLUE, (-26, -5.4), (34, -7.6), (34, -5.4)), box(4, -1.4, 60, 2.2, "#4a5560"),
        *windows(14.6, -9.6, 6, 1, (6, 0), (4, 3.2), "#2f4a60"),
        *[line(0.7, PAPER, (-2 + 3 * n, -18 - 2.4 * n), (26, -18 - 2.4 * n)) for n in range(4)],
        *[disc(x, -1.8, 1.9, INK) for x in (-12, -2, 18, 28)],
    )  # fmt: skip


def tourist_train() -> Marks:
    """A saloon carriage below a star."""
    return (*on_rails(wagon("luxury", 3, "#1f6d5c", GOLD, Random("tourist"))), *place_picture("star", 0, -24, 4.6))


def collaboration() -> Marks:
    """Two engines in different colours on one track, and two linked rings."""
    engines = [mark for side, colour in ((-1, RED), (1, BLUE)) for mark in (
        box(18 * side, -2, 20, 11, colour, 2.4), box(15 * side, -6.6, 8, 4.6, GLASS, 0.6),
        box(18 * side, -12.6, 21, 1.6, INK, 0.7),
        *[disc(18 * side + x, -2.2, 2.3, INK) for x in (-6, 6)])]  # fmt: skip
    return (*engines, *[ring(x, -20, 4.6, 1.9, INK) for x in (-3, 3)], ring(-3, -20, 4.6, 1.1, RED),
        ring(3, -20, 4.6, 1.1, BLUE),
            area(GOLD, (-6, -5), (0, -9), (6, -5), (0, -1)))  # fmt: skip


def lay_rails() -> Marks:
    """A track that ends in the meadow, with a hammer beside it."""
    sleepers = [box(0, -3.0 * n, 22 - 2.1 * n, 1.7 - 0.1 * n, "#6b5140") for n in range(7)]
    rails = [line(1.5, STEEL, (8 * side, 0), (2.6 * side, -20)) for side in (-1, 1)]
    hammer = (box(0, 8, 1.8, 19, WOOD, 0.6), box(0, -8, 9, 4.6, INK, 0.8))
    spike = (box(0, 0, 1.2, 6, STEEL), box(0, -5.4, 2.8, 1.2, INK))
    return (
        area("#9c8f7c", (-15, 0.5), (-5, -21), (5, -21), (15, 0.5)), *sleepers, *rails,
        *transform(hammer, 17, -12, 32),
        *[mark for x in (-22, -18, -25) for mark in transform(spike, x, -0.4 * (x % 4), x)],
    )  # fmt: skip


def pulling() -> Marks:
    """A hook on a chain that pulls a wagon up."""
    chain = [ring(-3 + 3.1 * n, -20.5 + 1.3 * n, 1.7, 0.9, INK) for n in range(6)]
    hook = path((13, -12.6), ((13, -9),), ((19.4, -8), (19, -1), (13.4, -1)), ((8.6, -1), (8, -6), (9.6, -6.6)))
    return (
        disc(-9, -20, 7, STEEL), disc(-9, -20, 5, "#4a525e"), disc(-9, -20, 1.6, GOLD),
        line(1.4, INK, (-9, -20), (-15, -13)), box(-18, 0, 16, 9, GREEN, 0.8),
        *[disc(x, -1.6, 2.2, INK) for x in (-22.6, -13.4)], *chain,
        *[line(2.6 if colour == INK else 1.5, colour, *hook) for colour in (INK, RED)],
    )  # fmt: skip


def signaling_area() -> Marks:
    """A flashing beacon, and two cards."""
    rays = [line(1.0, GOLD, (-8 + 6 * math.cos(a), -18 + 6 * math.sin(a)),
        (-8 + 9.6 * math.cos(a), -18 + 9.6 * math.sin(a)))
            for a in [n * math.pi / 5 for n in range(10)]]  # fmt: skip
    cards = [mark for turn, colour in ((-10, RED), (16, BLUE)) for mark in transform(
        (box(0, 0, 9, 13, INK, 1), box(0, -0.6, 7.8, 11.8, colour, 0.8), disc(0, -6.5, 2, PAPER)), 15, 0,
        turn)]  # fmt: skip
    return (
        box(-8, 0, 12, 3, STEEL), box(-8, -3, 2.6, 11, INK),
        *[box(-8, -3 - 3.6 * n, 2.6, 1.8, PAPER) for n in range(3)], *rays, disc(-8, -18, 5, INK),
        disc(-8, -18, 4, RED), disc(-9.2, -19.4, 1.3, PAPER), *cards,
    )  # fmt: skip


def signals() -> Marks:
    """A semaphore with two arms."""
    arms = [mark for y, turn, colour in ((-24, -24, GREEN), (-15, 0, RED)) for mark in transform(
        (box(8, 1.6, 15, 3.2, colour), box(12.4, 1.6, 2.2, 3.2, PAPER), disc(-2.6, 0, 2.1, INK),
        disc(-2.6, 0, 1.4, colour)), -4, y, turn)]  # fmt: skip
    return (box(-4, 0, 9, 2.4, STONE), box(-4, -1, 2.2, 27, INK), *arms,
        *[line(0.5, STEEL, (-6.4, -2 - 2.4 * n), (-1.6, -2 - 2.4 * n)) for n in range(10)],
            box(17, 0, 9, 11, WOOD), area(BRICK, (11, -11), (17, -15), (23, -11)),
            *windows(17, -5, 2, 1, (4, 0), (2.6, 3)))  # fmt: skip


def steel_bridge() -> Marks:
    """A bridge of girders over a river."""
    girders = [
        mark
        for n in range(6)
        for mark in (
            line(1.0, "#5d3a33", (-27 + 9 * n, -7), (-22.5 + 9 * n, -18)),
            line(1.0, "#5d3a33", (-22.5 + 9 * n, -18), (-18 + 9 * n, -7)),
        )
    ]
    waves = [line(0.6, PAPER, (-22 + 11 * n, -1.6), (-19.6 + 11 * n, -2.4), (-17 + 11 * n, -1.6)) for n in range(5)]
    return (area("#3f8fc4", (-34, 0), (-34, -4), (34, -4), (34, 0)), *waves,
        *[box(x, 0, 4, 6, STONE) for x in (-20, 0, 20)],
            *girders, line(1.8, "#43271f", (-34, -6.8), (34, -6.8)),
            line(1.5, "#43271f", (-22.5, -18), (22.5, -18)))  # fmt: skip


def switchback() -> Marks:
    """A zigzag track up a mountain."""
    way = ((-26, -1.6), (17, -4.4), (20, -5.6), (-12, -10.4), (-13.6, -11.6), (10, -16), (11, -17), (-2, -20.6))
    return (area("#6c7a6a", (-33, 0), (-2, -28), (31, 0)),
        area(PAPER, (-8.6, -22), (-2, -28), (4.4, -22), (0.4, -23.4), (-3, -21.4)),
            line(3.2, EARTH, *way), line(2.0, INK, *way), line(1.0, "#c3c9d2", *way),
            *[area(GREEN, (x - 2, y), (x, y - 6), (x + 2, y)) for x,
            y in ((-22, -3.6), (24, -1), (14, -8.4), (-7, -12.4))])  # fmt: skip


def tunnel() -> Marks:
    """A mountain with a light inside it."""
    portal = path((-9, 0), ((-9, -7),), ((-9, -19), (9, -19), (9, -7)), ((9, 0),))
    inside = path((-6.6, 0), ((-6.6, -7),), ((-6.6, -15.4), (6.6, -15.4), (6.6, -7)), ((6.6, 0),))
    return (
        area("#74806f", (-34, 0), (-17, -19), (-9, -15), (3, -28), (16, -15), (34, 0)),
        area(PAPER, (-2, -22.6), (3, -28), (7.8, -23.4), (3, -21.4)), Fill((portal,), STONE),
        Fill((inside,), INK), disc(0, -6, 2.6, GOLD), disc(0, -6, 1.4, PAPER),
        *[line(0.5, "#8b7f6d", (9 * math.cos(a), -8 + 9 * math.sin(a)),
          (6.8 * math.cos(a),
          -8 + 6.8 * math.sin(a))) for a in [math.radians(180 + 22.5 * n) for n in range(9)]],
        *[line(0.9, STEEL, (x * 2.2, 0), (x, -4)) for x in (-1.6, 1.6)],
    )  # fmt: skip


def subway_excavation() -> Marks:
    """A drill under the houses of a town."""
    houses = [mark for x, high,
        colour in ((-22, 6, BRICK), (-12, 8.4, "#d8b08a"), (-2, 5, STEEL), (9, 9, BRICK), (20, 6.4, "#d8b08a"))
        for mark in (
        box(x, -20, 8.6, high, colour), *windows(x, -21.4, 2, 1, (3.6, 0), (2, 2.4)))]  # fmt: skip
    return (
        *houses, area(EARTH, (-34, 0.4), (-34, -20), (34, -20), (34, 0.4)),
        area("#2f261c", (-34, -3), (-34, -15.4), (8, -15.4), (8, -3)),
        box(-9, -4, 26, 10.4, GOLD, 1), area(STEEL, (4, -14.6), (17, -9.2), (4, -3.8)),
        *[line(0.8, INK, (5 + 3 * n, -14 + 1.4 * n), (7 + 3 * n, -5.4 - 1.1 * n))
          for n in range(3)], *[disc(x, -4.4, 1.7, INK) for x in (-18, -11, -4)],
        *[disc(x, y, 0.9, STONE)
          for x, y in ((-28, -1), (-10, -18), (14, -2), (22, -12), (27, -5), (3, -1.4), (20, -17))],
    )  # fmt: skip


def viaduct() -> Marks:
    """Stone arches above the roofs, with a train on them."""
    arches = [
        Fill((path((x - 5, 0), ((x - 5, -8),), ((x - 5, -14), (x + 5, -14), (x + 5, -8)), ((x + 5, 0),)),), "#8fbfd6")
        for x in (-26, -13, 0, 13, 26)
    ]
    stones = [line(0.35, "#8b7f6d", *arc(x, -8, 5.8, 180, 360)) for x in (-26, -13, 0, 13, 26)]
    train = [
        mark
        for n, colour in enumerate((RED, BLUE, GREEN))
        for mark in (
            box(-12 + 11 * n, -19.4, 9.6, 5.4, colour, 0.8),
            *windows(-12 + 11 * n, -21.4, 3, 1, (2.8, 0), (1.8, 1.9)),
        )
    ]
    return (area(STONE, (-34, 0), (-34, -18), (34, -18), (34, 0)), *arches, *stones,
        box(0, -17.4, 68, 1.6, "#6e6455"), *train,
            *[mark for x in (-20, 7) for mark in (box(x, 0, 7, 4, BRICK),
            area(INK, (x - 4.4, -4), (x, -7.4), (x + 4.4, -4)))])  # fmt: skip
