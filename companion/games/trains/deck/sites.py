"""Pictures of the buildings and people of Trains, each at the height 0 with its middle at 0."""

from __future__ import annotations

import math

from companion.drawing import Mark, transform
from companion.drawing.pictures.brush import Marks, area, box, clock, disc, line, ring, traveller, windows
from companion.drawing.pictures.goods import place_picture
from companion.drawing.pictures.paint import BLUE, BRICK, EARTH, GLASS, GOLD, GREEN, INK, PAPER, RED, STEEL, STONE, WOOD


def station_expansion() -> Marks:
    """A station with a tower, its second wing behind a scaffold."""
    return (
        box(-9, 0, 26, 12, BRICK), area(INK, (-23.5, -12), (-19, -16.5), (1, -16.5), (5.5, -12)),
        *windows(-9, -3, 4, 1, (5.6, 0), (3, 5.4)), box(9, 0, 7, 21, "#c96a50"),
        area(INK, (4.4, -21), (9, -26.5), (13.6, -21)), *clock(9, -16, 2.9),
        box(19, 0, 12, 10, "#d8b08a"),
        *[line(0.5, WOOD, (x, 0), (x, -14)) for x in (14.5, 19, 23.5)],
        *[line(0.5, WOOD, (13.5, y), (24.5, y)) for y in (-4.5, -9, -13.5)],
        box(9, 0, 3.6, 6, INK, 1),
    )  # fmt: skip


def waste() -> Marks:
    """Bins, tins and a fishbone."""
    return (
        area(EARTH, (-27, 0), (-15, -7), (-4, -10), (8, -8), (26, 0)),
        *place_picture("bin", -13, -10, 9.5, -8), *place_picture("bin", 10, -8.5, 8, 14),
        box(0, 0, 5, 7, STEEL, 0.8), box(0, -4, 5, 1.4, RED), disc(20, -3, 3, "#5d564a"),
        disc(20, -3, 1.2, "#2f2a22"), line(0.7, PAPER, (-4, -13), (5, -15)),
        *[line(0.5, PAPER, (x, -15.2 - x / 9), (x - 1, -11.6 - x / 9)) for x in (-2.0, 0.0, 2.0)],
        disc(6.2, -15.4, 1.4, PAPER),
        *[ring(-24 + 3 * n, -17 - n, 0.5, 0.4, INK) for n in range(3)],
    )  # fmt: skip


def apartment() -> Marks:
    """A small house with a garden."""
    return (
        box(0, 0, 20, 12, "#e9c79a"), area(BRICK, (-12.5, -12), (0, -22), (12.5, -12)),
        box(6.5, -17, 2.6, 5.5, INK), box(-5, 0, 4.4, 7.4, WOOD, 0.6),
        *windows(4.5, -4, 2, 1, (5, 0), (3.6, 4.4)), disc(-18, -6, 5.4, GREEN),
        box(-18, 0, 1.4, 3, WOOD), *[box(14 + 2.6 * n, 0, 1.2, 4.4, PAPER) for n in range(4)],
        box(18, -1.6, 10, 0.9, PAPER),
    )  # fmt: skip


def tower() -> Marks:
    """A block of flats."""
    return (
        box(-3, 0, 22, 22, "#9fb3c4"), box(-3, -22, 24, 1.6, INK),
        *windows(-3, -3.4, 5, 4, (4.1, 4.9), (2.6, 3)), box(14.5, 0, 11, 13, "#c98f6b"),
        *windows(14.5, -3.4, 2, 2, (4.6, 4.9), (2.8, 3), GOLD), box(-3, 0, 4, 3, INK),
        line(0.6, INK, (3, -23.5), (3, -27)), box(-10, -23.6, 4.4, 3, STEEL),
    )  # fmt: skip


def skyscraper() -> Marks:
    """A glass tower that rises above the others."""
    return (
        box(-15, 0, 10, 15, "#6f7b8a"), *windows(-15, -2, 3, 3, (2.9, 4), (1.8, 2.6), GOLD),
        box(15, 0, 11, 18, "#8793a1"), *windows(15, -2, 3, 4, (3, 4), (1.9, 2.6)),
        box(0, 0, 15, 24.5, "#2e5f86"), *windows(0, -1, 5, 7, (2.8, 3.4), (2.1, 2.5), "#9fd4e6"),
        area(INK, (-4.4, -24.5), (0, -29), (4.4, -24.5)),
    )  # fmt: skip


def amusement_park() -> Marks:
    """A big wheel."""
    marks: list[Mark] = [area(INK, (-9, 0), (-0.6, -14), (0.6, -14), (9, 0), (7.4, 0), (0, -12), (-7.4, 0))]
    marks += [ring(0, -14, 11.4, 1.1, PAPER), ring(0, -14, 9.4, 0.5, PAPER)]
    for n in range(10):
        a = math.radians(36 * n + 9)
        x, y = 11.4 * math.cos(a), -14 + 11.4 * math.sin(a)
        marks += [
            line(0.5, PAPER, (0, -14), (x, y)),
            box(x, y + 3.4, 3.6, 3.2, (RED, GOLD, BLUE, GREEN, "#b457a0")[n % 5], 0.8),
        ]
    tent = (area(RED, (15, -9), (20.5, -15), (26, -9)), box(20.5, 0, 9, 9, GOLD), box(20.5, 0, 2.6, 6, INK))
    return (
        *marks,
        disc(0, -14, 1.8, GOLD),
        *tent,
        box(-20, 0, 8, 6, BLUE),
        area(PAPER, (-25, -6), (-20, -10), (-15, -6)),
    )


def conductors_station() -> Marks:
    """A conductor with a whistle and a ticket."""
    return (
        *traveller(-7, 0, 15, "#24406b", "#16233c"), disc(-2, -13, 1.0, GOLD),
        *[disc(-7, -5 - 3 * n, 0.7, GOLD) for n in range(3)],
        *transform((box(0, 0, 17, 9, PAPER, 1), box(0, -5.8, 12, 1.4, RED),
          box(0, -2.2, 12, 1.4, STEEL), disc(7.3, -4.5, 1.2, INK)), 13, -6, -14),
        area(GOLD, (7, -20), (14, -22), (14, -17)), disc(15, -19.4, 2.6, GOLD),
        disc(15, -19.4, 1.1, INK),
    )  # fmt: skip


def command_central() -> Marks:
    """A desk with one great screen that shows a question."""
    return (
        box(0, -7, 34, 19, INK, 1.6), box(0, -8.4, 31, 16.2, "#15566a"),
        ring(0, -16.5, 5.2, 0.5, "#7fd0c4"),
        line(1.7, GOLD, (-2.4, -18.6), (-1.4, -20.8), (1.2, -21), (2.5, -19), (0.2, -16.6),
          (0, -14.6)), disc(0, -12.2, 1.1, GOLD),
        *[line(0.5, "#7fd0c4", (x, -10), (x, -12 - abs(x) / 3)) for x in (-13, -11, -9, 9, 11, 13)],
        area(STEEL, (-21, 0), (-17, -6), (17, -6), (21, 0)),
        *[disc(-13 + 3.7 * n, -3, 1.1, (RED, GOLD, GREEN)[n % 3]) for n in range(8)],
    )  # fmt: skip


def control_room() -> Marks:
    """A wall with the plan of all tracks, and three levers."""
    track = ((-22, -19), (-12, -19), (-5, -13), (8, -13), (14, -19), (22, -19))
    other = ((-22, -11), (-9, -11), (-5, -13), (8, -13), (12, -9.6), (22, -9.6))
    return (
        box(0, -6, 50, 18.5, "#20303c", 1.4), line(0.9, "#6fe09a", *track), line(0.9, GOLD, *other),
        *[disc(x, y, 1.3, RED) for x, y in ((-12, -19), (8, -13), (22, -9.6))],
        *[disc(x, y, 1.3, "#6fe09a") for x, y in ((-22, -11), (14, -19), (-5, -13))],
        *[mark for x in (-9, 0, 9)
          for mark in (box(x, 0, 6, 4, STEEL, 0.8), line(1.2, INK, (x, -3), (x + 2, -9)),
          disc(x + 2, -9.4, 1.7, RED))],
    )  # fmt: skip


def information_central() -> Marks:
    """The information sign, and four fanned cards."""
    cards = [transform((box(0, 0, 8, 12, INK, 1), box(0, -0.6, 6.9, 10.8, colour, 0.8)), 12, 1, turn)
             for turn, colour in ((-36, BLUE), (-12, RED), (12, GREEN), (36, GOLD))]  # fmt: skip
    return (
        box(-11, 0, 2.2, 9, STEEL), disc(-11, -15, 9.6, INK), disc(-11, -15, 8.6, "#2a6fb0"),
        disc(-11, -19.6, 1.6, PAPER), box(-11, -9, 3, 7.6, PAPER), box(-12, -15.2, 3.6, 1.5, PAPER),
        box(-11, -9, 5.4, 1.5, PAPER), *[mark for card in cards for mark in card],
    )  # fmt: skip


def garage() -> Marks:
    """An engine shed with two gates, and an engine in each."""
    front = [mark for x in (-9, 9) for mark in (
        box(x, 0, 13, 13.5, INK, 3), disc(x, -5.4, 4.2, (RED, GREEN)[x > 0]), disc(x, -5.4, 2.8, STEEL),
        disc(x, -9.8, 1.1, GOLD),
        box(x, 0, 10, 1.8, "#40464f"), line(0.7, STEEL, (x - 3, -1), (x + 3, -1)))]  # fmt: skip
    return (
        box(0, 0, 40, 17, "#a8664a"),
        area("#5b3527", (-22, -17), (-9, -25), (0, -17.6), (9, -25), (22, -17)), *front,
        *[disc(x, -19.2, 2, GLASS) for x in (-9, 9)],
    )  # fmt: skip


def holiday_timetable() -> Marks:
    """A calendar with a palm, and the sun."""
    palm = [
        line(1.3, GREEN, (6, -12.5), (6 + 6 * math.cos(a), -12.5 + 5 * math.sin(a) + 1))
        for a in (-2.9, -2.2, -1.4, -0.7, -0.1)
    ]
    return (
        box(0, 0, 30, 24, PAPER, 1.6), box(0, -18.5, 30, 5.5, RED, 1.4),
        *[ring(x, -24, 1.4, 0.7, INK) for x in (-9, 0, 9)], disc(-6.5, -11.5, 4.2, GOLD),
        *[line(0.8, GOLD, (-6.5 + 5.2 * math.cos(a), -11.5 + 5.2 * math.sin(a)),
          (-6.5 + 7 * math.cos(a),
          -11.5 + 7 * math.sin(a))) for a in [n * math.pi / 4 for n in range(8)]],
        line(1.2, WOOD, (4.4, -3), (5, -8), (6, -12.5)), *palm,
        area("#3f9bd0", (-15, 0), (-15, -3.4), (15, -3.4), (15, 0)),
    )  # fmt: skip


def ironworks() -> Marks:
    """A pouring blast furnace."""
    return (
        box(-12, 0, 20, 12, "#5d4a46"),
        *[area("#43332f", (x, -12), (x + 6.6, -17), (x + 6.6, -12)) for x in (-22, -15.4, -8.8)],
        *[box(x, 0, 4, 25, "#7d5a4a") for x in (5, 12)],
        *[box(x, -21.5, 4, 1.8, PAPER) for x in (5, 12)],
        *[disc(x, -27, r, "#9aa0a8") for x, r in ((6, 2.4), (10, 3.2), (14.5, 2.8))],
        area("#e8571e", (-16, 0), (-16, -7), (-8, -7), (-8, 0)),
        area(GOLD, (-14.4, 0), (-14.4, -5), (-9.6, -5), (-9.6, 0)),
        area("#f28a1e", (-8, -1.6), (20, -0.4), (25, 0), (-8, 0)), box(20, 0, 9, 6, INK, 1),
        area(GOLD, (16.5, -6), (17.5, -8), (22.5, -8), (23.5, -6)),
    )  # fmt: skip


def landfill() -> Marks:
    """A digger that covers a heap."""
    return (
        area("#6f8f3f", (-30, 0), (-18, -8), (-8, -11), (0, -5), (4, 0)),
        *[disc(x, y, 1.5, c)
          for x, y,
          c in ((-19, -4, STEEL), (-12, -7, BRICK), (-7, -3, "#55606e"), (-15, -1.6, GOLD))],
        box(14, -4.4, 15, 8, GOLD, 1), box(17, -12, 8, 7, "#d99a1c", 0.8),
        box(16.4, -12.8, 5.4, 4.6, GLASS), *[disc(x, -2.8, 2.8, INK) for x in (8.6, 19.6)],
        box(14.1, 0, 13, 5.6, "#33383f", 2.6), *[disc(x, -2.8, 1.4, STEEL) for x in (9, 14, 19)],
        line(2.2, "#d99a1c", (9, -11), (1, -20), (-7, -15)),
        area(INK, (-10.5, -15.5), (-4.5, -16), (-4, -11), (-8.4, -10)),
    )  # fmt: skip


def maintenance_factory() -> Marks:
    """A cog and a spanner."""
    spanner = (
        box(0, 9, 4.4, 20, STEEL, 1),
        disc(0, -11.6, 5, STEEL),
        area("#dfe8ec", (-2, -18), (2, -18), (2, -11.6), (-2, -11.6)),
        disc(0, 9, 3.2, STEEL),
        disc(0, 9, 1.4, INK),
    )
    return (
        *place_picture("cog", -9, -12, 12), *place_picture("cog", 13, -7, 7, 20),
        *transform(spanner, 8, -14, 52),
    )  # fmt: skip


def dump_site() -> Marks:
    """Stacks of rails, sleepers and crates."""
    crates = [mark for x, y in ((-17, 0), (-8.4, 0), (-12.6, -8.2)) for mark in (
        box(x, y, 8.2, 8, "#a8743f"), box(x, y - 1, 6.4, 6, "#c99a5c"),
        line(0.8, "#7b4f26", (x - 3, y - 1.2), (x + 3, y - 6.8)))]  # fmt: skip
    sleepers = [box(12 + 0.8 * (row % 2), -2.3 * row, 24, 1.9, ("#55402f", "#6b5140")[row % 2]) for row in range(4)]
    rails = [
        mark
        for n in range(3)
        for mark in (box(12, -9.6 - 3 * n, 26, 1.1, STEEL), box(12, -10.7 - 3 * n, 26, 1, "#c3c9d2"))
    ]
    return (*crates, *sleepers, *rails)


def passing_station() -> Marks:
    """A covered platform with waiting people."""
    return (
        box(0, 0, 56, 4, STONE), box(0, -3.4, 56, 0.8, GOLD),
        *[box(x, -4, 1.4, 16, "#3b6b57") for x in (-19, 0, 19)],
        area("#2f5747", (-27, -20), (-22, -24), (22, -24), (27, -20)),
        *[box(x, -18.6, 1, 2, "#2f5747") for x in range(-26, 28, 3)], *traveller(-11, -4, 7, BRICK),
        *traveller(9, -4, 8, BLUE, WOOD), *traveller(14, -4, 5, GOLD, RED), *clock(-5, -15.4, 2.2),
    )  # fmt: skip


def station_crew() -> Marks:
    """Three station workers, with a broom, a flag and a trolley."""
    return (
        *traveller(-15, 0, 10, "#3b6b57"), line(0.9, WOOD, (-22, -14), (-23, -2)),
        area(GOLD, (-25, 0), (-24, -3.4), (-22, -3.4), (-20.6, 0)), *traveller(0, 0, 12, BLUE, RED),
        line(0.8, INK, (7, -9), (8.6, -21)), area(RED, (8.6, -21), (15, -18.6), (8, -16.4)),
        *traveller(15, 0, 9, WOOD), box(23, -2, 7, 5, BRICK, 0.6),
        box(23, -7.2, 5, 4, "#c99a5c", 0.5), *[disc(x, -1, 1.1, INK) for x in (20.6, 25.4)],
    )  # fmt: skip


def stationmasters_office() -> Marks:
    """A door whose sign shows a red cap, beside a great clock."""
    return (
        box(-8, 0, 18, 25, WOOD, 0.8), box(-8, 0, 14.6, 23, "#a8743f"),
        box(-8, -11, 10, 10, GLASS, 0.6), disc(-2.4, -8, 1, GOLD), box(-8, -13.4, 7.4, 2, RED, 0.9),
        area(RED, (-11, -15), (-10.4, -18.4), (-5.6, -18.4), (-5, -15)),
        box(-8, -15, 6.2, 0.9, GOLD), *clock(13.4, -15, 8), box(13.4, 0, 2, 7, INK),
    )  # fmt: skip


def temporary_timetable() -> Marks:
    """A split-flap board with two lit lines."""
    rows = [mark for row in range(4) for n in range(7) for mark in (
        box(-18 + 6 * n, -3.2 - 4.6 * row, 5.2, 3.9, (GOLD if row in (1, 3) else "#4a525e")),
        line(0.3, INK, (-20.6 + 6 * n, -5.1 - 4.6 * row), (-15.4 + 6 * n, -5.1 - 4.6 * row)))]  # fmt: skip
    return (
        *[box(x, 0, 1.6, 4, STEEL) for x in (-15, 15)], box(0, -1.6, 48, 21, INK, 1.2), *rows,
        *[area(INK, (-19.6 + 6 * n, -8.4), (-18 + 6 * n, -10.9), (-16.4 + 6 * n, -8.4))
          for n in (0, 2, 3, 5)], *clock(0, -25, 2.6),
    )  # fmt: skip


def wagon_factory() -> Marks:
    """A hall with a travelling crane that carries a new wagon."""
    return (
        *[box(x, 0, 2.4, 25, "#50606e") for x in (-25, 25)], box(0, -22.6, 53, 2.4, GOLD),
        *[line(0.5, INK, (-24 + 6 * n, -22.8), (-21 + 6 * n, -24.8)) for n in range(8)],
        box(2, -21, 6, 2.6, RED), *[line(0.6, INK, (2, -21), (x, -15.6)) for x in (-9, 13)],
        box(2, -5, 30, 10.6, BRICK, 0.8), box(2, -15, 32, 1.4, INK, 0.6),
        *windows(2, -8, 4, 1, (7, 0), (4.6, 4.4)),
        *[mark for x in (-8, 12) for mark in (disc(x, -3.4, 2.6, INK), disc(x, -3.4, 1.3, STEEL))],
        *[disc(x, y, 1.0, GOLD) for x, y in ((-17, -3), (-14, -8), (20, -2))],
    )  # fmt: skip
