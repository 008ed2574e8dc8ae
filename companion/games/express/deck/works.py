"""Pictures of the maintenance cards, the disasters and the Turntable of Express, each on the rail at the height 0."""

from __future__ import annotations

import math
from random import Random

from companion.drawing import Fill, Mark, Point, Stroke, ellipse, path, star, transform
from companion.drawing.pictures.brush import (
    BLUE,
    BRICK,
    EARTH,
    GLASS,
    GOLD,
    GREEN,
    INK,
    PAPER,
    RED,
    STEEL,
    STONE,
    WOOD,
    Marks,
    area,
    box,
    disc,
    line,
    ring,
    traveller,
    windows,
)
from companion.drawing.pictures.locomotives import steam
from companion.drawing.pictures.scenery import mix
from companion.games.express.deck.cars import FLOOR, Picture, gear, on_rails
from companion.games.express.deck.signs import place_sign


def wheels(*places: float, radius: float = 2.4) -> Marks:
    """Return wheels on the height 0."""
    parts = ((1.0, INK), (0.6, STEEL), (0.2, INK))
    return tuple([disc(x, -radius, radius * share, colour) for x in places for share, colour in parts])


def engine(rank: int, body: str, trim: str, luck: Random, size: float) -> Marks:
    """Return the shared steam engine at a scale, facing left."""
    return transform(on_rails(steam(rank, body, trim, luck)), scale=size)


def lattice(count: int, length: float, high: float, colour: str) -> Marks:
    """Return a girder along the x axis from 0, with crossed panels."""
    step = length / count
    panels = [line(0.6, colour, (step * n, 0), (step * (n + 0.5), -high), (step * (n + 1), 0)) for n in range(count)]
    return (*panels, line(0.9, colour, (0, 0), (length, 0)), line(0.9, colour, (0, -high), (length, -high)))


def clouds(luck: Random, count: int, colours: tuple[str, ...], x: Point, y: Point, radius: Point) -> list[Mark]:
    """Return clouds of dust or smoke in alternating colours, with positions and radii within bounds."""
    place = luck.uniform
    return [disc(place(*x), place(*y), place(*radius), colours[n % len(colours)]) for n in range(count)]


def light_crane(body: str, trim: str, luck: Random) -> Marks:
    """A small crane on four wheels that holds a wagon's wheel."""
    return (
        *wheels(-19, -9), box(-14, -3.6, 20, 2.4, INK), box(-17, -6, 11, 9.4, body, 0.8),
        box(-17.6, -10.4, 4.6, 3.6, GLASS, 0.4),
        box(-9.4, -6, 4, 5, trim),
        *[area(trim, *[(x + 3.6 * n, y) for x, y in ((-22.5, -6), (-20.7, -6), (-19.6, -7.6), (-21.4, -7.6))])
          for n in range(3)],
        line(2.2, trim, (-11, -10), (10, -24)), line(1.3, body, (-11, -10), (10, -24)),
        line(0.5, INK, (-18, -15.6), (10, -24)),
        line(0.5, INK, (10, -24), (10, -17)), *place_sign("light_crane", 10, -15.6, 3.6),
        ring(10, -8.6, 4.0, 1.8, INK), ring(10, -8.6, 4.0, 0.6, STEEL),
        *[line(0.7, INK, (10, -8.6), (10 + 4 * math.cos(a), -8.6 + 4 * math.sin(a))) for a in (0.3, 2.4, 4.5)],
        box(21, 0, 9, 3, WOOD), box(21, -3, 7, 3, "#a8743f"),
    )  # fmt: skip


def boom(body: str, trim: str, luck: Random) -> Marks:
    """A car with a long lattice boom above it, held by cables from a mast, that puts a wagon on the rails."""
    girder = transform(lattice(9, 44, 3.4, body), -18, -12, -17)
    buffers = [disc(x, 0.6, 1.3, INK) for x in (-3.6, 3.6)]
    wagon = (box(0, 0, 12, 5.4, BLUE, 0.5), box(0, -1.4, 9.6, 2.4, PAPER), *buffers)
    return (
        *wheels(-24, -17, -6, 1), box(-11.5, -4, 32, 2.4, INK), box(-20, -6.2, 10, 7.4, body, 0.6),
        *windows(-20, -8.4, 2, 1, (4.2, 0), (3, 3)), box(-7, -6.2, 8, 2.4, STEEL), *girder,
        line(1.2, INK, (-18, -12), (-18, -27)),
        *[line(0.45, INK, (-18, -27), end) for end in ((24, -25), (4, -20.6), (-25, -6))],
        line(0.5, INK, (23, -24.6), (20, -12.6)),
        line(0.4, INK, (20, -12.6), (15.4, -8.2)), line(0.4, INK, (20, -12.6), (24, -6.8)),
        *transform(wagon, 19.6, -2.6, 9),
    )  # fmt: skip


def office(body: str, trim: str, luck: Random) -> Marks:
    """A car of the railway's office: a clerk at a desk with papers, a lamp, and a great padlock on the door."""
    return (
        *gear(trim, luck), box(0, -21, 53, 3, mix(body, INK, 0.6), 1.4), box(0, FLOOR, 51, 17, body, 0.6),
        box(-8.5, -8, 30, 11.6, trim, 0.6),
        box(-8.5, -8.6, 28.8, 10.4, "#fbe7b5", 0.4), box(-6, -8.6, 16, 1.2, WOOD), box(-6, -9.8, 17.6, 1.1, "#5b3a1d"),
        *traveller(-17, -8.6, 6.4, BLUE),
        *[box(-9 + 0.3 * n, -11 - 0.7 * n, 5, 0.5, PAPER if n % 2 else STEEL) for n in range(4)],
        line(0.6, INK, (0, -11), (0, -15), (-2.4, -16.4)),
        area(GREEN, (-4.6, -15), (-2.6, -17.2), (-0.6, -15)), box(15, FLOOR, 13, 15, mix(body, INK, 0.35), 0.4),
        *place_sign("office", 15, -12, 5.4),
        *[box(x, -22.6, 1.6, 3.4, INK) for x in (-20, 20)],
    )  # fmt: skip


def transfer(body: str, trim: str, luck: Random) -> Marks:
    """A traverser: a bridge that carries an engine across the tracks."""
    rails = [x + side for x in (-22, 0, 22) for side in (-2.4, 2.4)]
    tracks = [line(0.9, STEEL, (x, 0), (x, 5)) for x in rails]
    set_down = engine(3, BLUE, GOLD, luck, 0.66)
    return (
        *tracks, area(EARTH, (-31, 1), (-31, -3), (31, -3), (31, 1)), *wheels(-20, -7, 7, 20, radius=1.8),
        box(0, -3.2, 48, 3.2, body),
        *[area(trim, *[(x + 6 * n, y) for x, y in ((-24, -3.2), (-21, -3.2), (-19, -6.4), (-22, -6.4))])
          for n in range(8)],
        *transform(set_down, 0, -6.4), *[area(GOLD, (s * 30, -16), (s * 21, -21), (s * 21, -11)) for s in (-1, 1)],
        *[box(s * 20.6, -14.4, 2.4, 3.2, GOLD) for s in (-1, 1)],
    )  # fmt: skip


def heavy_crane(body: str, trim: str, luck: Random) -> Marks:
    """A great steam crane with two hooks that lifts a whole engine."""
    pulled = engine(2, BRICK, GOLD, luck, 0.5)
    return (
        *wheels(-27, -22, -17, -9, -4, 1, radius=2.2), box(-13, -3.6, 32, 3, INK), box(-19, -6.6, 16, 11, body, 1),
        *windows(-22, -10.4, 1, 1, (0, 0), (5, 4.4)),
        box(-25, -17.4, 3, 6, INK), *[disc(-25 + 1.6 * n, -25 - 1.6 * n, 1.6 + 0.4 * n, "#8a919d") for n in range(3)],
        box(-13, -6.6, 6, 8, trim, 0.5),
        *[line(0.9, INK, (-15.6 + 1.8 * n, -6.6), (-14.4 + 1.8 * n, -14.6)) for n in range(4)],
        area(body, (-13, -8), (-9, -8), (24, -28.6), (22, -30)),
        *[line(0.5, trim, (-8 + 5.2 * n, -11 - 3.3 * n), (-5.4 + 5.2 * n, -11.4 - 3.5 * n)) for n in range(6)],
        *[line(0.6, INK, (x, y), (x, -18)) for x, y in ((12, -21.6), (22.6, -28.6))], *transform(pulled, 17.4, -4.4),
        line(1.3, INK, (8, -18), (27, -18)), *[line(0.6, INK, (x, -18), (x, -10)) for x in (9.4, 25.6)],
    )  # fmt: skip


def broken_car(body: str, trim: str, luck: Random) -> Marks:
    """A wagon broken in two, with boards and a wheel scattered around."""
    planks = [line(0.4, mix(body, INK, 0.4), (-8 + 3.2 * n, -0.6), (-8 + 3.2 * n, -9.2)) for n in range(6)]
    half: Marks = (box(0, 0, 19, 9.6, body), *planks, box(0, -9, 20, 1.4, trim), box(0, 1.6, 20, 1.8, INK))
    boards, board = list[Mark](), box(0, 0, 7, 1.1, "#a8743f")
    for _ in range(6):
        boards += transform((board,), luck.uniform(-8, 8), luck.uniform(-3, -0.5), luck.uniform(-70, 70))
    jags = (area(PAPER, (-2.6, -22), (1.4, -16), (-1.2, -15), (2.6, -8), (-4, -14.6), (-1.4, -16)),)
    sparks = [Fill((star(x, y, 1.5, 0.6, 5),), GOLD) for x, y in ((-5, -21), (6, -22), (0, -26))]
    return (
        *wheels(-20, 20), *transform(half, -13, -5.2, 13), *transform(half, 13, -5.2, -13), *boards, *jags,
        *place_sign("broken_car", 0, -4.8, 4.8), *sparks,
    )  # fmt: skip


def derailment(body: str, trim: str, luck: Random) -> Marks:
    """An engine and a wagon beside the bent rails, in a cloud of dust."""
    wrecked = engine(2, body, trim, luck, 0.62)
    buffers = [disc(x, 0.8, 1.6, INK) for x in (-4.6, 4.6)]
    panes = windows(0, -2.6, 3, 1, (4.6, 0), (3.2, 3.4))
    wagon = (box(0, 0, 15, 8.4, RED, 0.6), box(0, -8, 16.4, 1.4, INK), *panes, *buffers)
    colours = ("#d8c8a8", "#c3b08a", "#e8dcc2")
    dust = clouds(luck, 16, colours, (-26, 24), (-2, 1), (1.6, 3.6))
    rails = [line(1.0, INK, (-31, y - 1), (-12, y - 1), (-2, y + 1.6), (6, y - 4), (12, y + 2)) for y in (0.5, 2.6)]
    return (*rails, *transform(wrecked, -11, 0, -9), *transform(wagon, 18, -3, 24), *dust, *wheels(25, radius=2.0))


def steal_car(body: str, trim: str, luck: Random) -> Marks:
    """A masked thief at night who pulls a wagon away by a rope."""
    thief = (
        area(INK, (-3, 0), (-2.4, -8), (2.4, -8), (3, 0)), disc(0, -10.4, 2.6, "#e0a878"),
        *place_sign("steal_car", 0, -10.6, 2.7),
        box(0, -12.4, 6, 1.6, INK, 0.6), *[line(0.9, PAPER, (-2.5, y), (2.5, y)) for y in (-6.6, -4.6, -2.6)],
        line(1.4, INK, (1.6, -7), (6.4, -5.6)),
    )  # fmt: skip
    planks = [line(0.4, mix(body, INK, 0.4), (x, -0.6), (x, -11.6)) for x in (-11, -8.6, -6.2, 6.2, 8.6, 11)]
    van: Marks = (
        box(0, 0, 26, 12.6, body, 0.5), box(0, -12, 28, 2, INK, 0.9), box(0, -0.6, 9, 10.4, "#2b2018"),
        *place_sign("stock_car", 0, -5.6, 4.0), *planks, box(0, 1.4, 28, 1.6, INK),
    )  # fmt: skip
    return (
        *wheels(3, 10, 19, radius=1.9), *transform(van, 11, -5), *transform(thief, -20, 0, -10),
        Stroke(path((-14.4, -7), ((-8, -2), (-3, -4.6))), 0.8, "#c99a5b"),
        *[line(0.5, GOLD, (x, y), (x - 5, y)) for x, y in ((29, -20), (27, -22.4), (30, -24.8))],
    )  # fmt: skip


def switch_engines(body: str, trim: str, luck: Random) -> Marks:
    """Two engines that pass each other, with arrows crossing between them."""
    one, other = (engine(3, colour, GOLD, luck, 0.5) for colour in (body, trim))
    return (
        *[line(0.9, INK, (-31, y), (31, y)) for y in (-15.6, 1)],
        *[box(-28 + 5.6 * n, -14.6, 2.4, 1.2, WOOD) for n in range(11)],
        *transform(one, -13, -16), *transform(other, 13, 0.6, mirror=True),
        *place_sign("switch_engines", 17, -22.6, 6.4), *place_sign("switch_engines", -17, -6.4, 6.4),
    )  # fmt: skip


def wreck(body: str, trim: str, luck: Random) -> Marks:
    """Two engines after a collision: flames, smoke and wheels."""
    one, other = (engine(2, colour, PAPER, luck, 0.56) for colour in (body, trim))
    smoke = clouds(luck, 14, ("#3a3f4a", "#565d69", "#7d8593"), (-13, 13), (-29, -20), (2.2, 4.4))
    fires = ((14, RED), (11, "#e8772e"), (7.4, GOLD), (3.6, PAPER))
    flames = [Fill((star(0, -13, outer, outer * 0.55, 11),), colour) for outer, colour in fires]
    boards = [transform((box(0, 0, 5, 1, WOOD),), -16 + 8 * n, -0.6, luck.uniform(-50, 50)) for n in range(5)]
    return (
        *smoke, *transform(one, -17, -1, 8, 1, True), *transform(other, 17, -1, -8), *flames, *wheels(-12, radius=2.2),
        *[ring(x, y, 1.9, 1.1, INK) for x, y in ((-21, -24), (19, -25), (8, -1.8))],
        *[mark for board in boards for mark in board],
    )  # fmt: skip


def shed(x: float) -> Marks:
    """Return one stall of an engine shed."""
    gate = path((x - 4, -12), ((x - 4, -17),), ((x - 4, -22), (x + 4, -22), (x + 4, -17)), ((x + 4, -12),))
    gable = (x - 6, -22), (x, -27), (x + 6, -22)
    return (area(BRICK, (x - 6, -12), *gable, (x + 6, -12)), Fill((gate,), INK), line(0.5, STONE, *gable))


def turntable(body: str, trim: str, luck: Random) -> Marks:
    """A turntable in its pit, seen at an angle, with an engine on its bridge and the shed behind it."""
    turned = [(27 * math.cos(math.radians(a)), -5 + 7.2 * math.sin(math.radians(a))) for a in range(20, 160, 4)]
    set_down = engine(4, GREEN, trim, luck, 0.6)
    return (
        *[mark for x in (-24, -12, 0, 12, 24) for mark in shed(x)], Fill((ellipse(0, -5, 28, 7.6),), STONE),
        Fill((ellipse(0, -5, 25.6, 6.4),), "#6e6455"), Fill((ellipse(0, -4.4, 23.4, 5.2),), "#8f8472"),
        box(0, -2.4, 45, 3, body), *[line(0.6, INK, (-21 + 6 * n, -2.6), (-18 + 6 * n, -5.2)) for n in range(8)],
        box(0, -5.2, 47, 0.9, INK), *transform(set_down, 0, -6), line(1.1, RED, *turned),
        area(RED, (-27.6, -6), (-21.8, -2.2), (-27.4, -0.2)),
    )  # fmt: skip


DRAWN = (boom, broken_car, derailment, heavy_crane, light_crane, office, steal_car, switch_engines,
         transfer, turntable, wreck)  # fmt: skip
WORKS: dict[str, Picture] = {draw.__name__: draw for draw in DRAWN}
"""The pictures by the cards' names."""
