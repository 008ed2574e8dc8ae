"""Pictures of the freight cars of Express; each stands on the rail at the height 0, its middle at 0."""

from __future__ import annotations

from random import Random

from companion.drawing import Fill, Mark, Stroke, path, transform
from companion.drawing.pictures.brush import GLASS, GOLD, INK, PAPER, RED, STEEL, Marks, area, box, disc, line, ring
from companion.drawing.pictures.frame import WIDTH
from companion.drawing.pictures.scenery import RAIL, mix
from companion.drawing.pictures.wagons import running_gear, wagon
from companion.games.express.deck.signs import place_sign

FLOOR = -4.6
"""Height of a car's floor."""


def on_rails(marks: Marks) -> Marks:
    """Return a vehicle of the house's pictures, set on the height 0."""
    return transform(marks, -WIDTH / 2, -RAIL)


def gear(trim: str, luck: Random) -> Marks:
    """Return frame, wheels and couplings."""
    return on_rails(running_gear(luck, trim))


def box_car(body: str, trim: str, luck: Random) -> Marks:
    """A wooden van, crates in its door."""
    return on_rails(wagon("food", 5, body, trim, luck))


def flat_car(body: str, trim: str, luck: Random) -> Marks:
    """A flat car with two tractors, chained down."""
    chains = [line(0.4, INK, (x, -15), (x + lean, FLOOR - 1.8)) for x, lean in ((-20, -4), (-4, 3), (5, -3), (21, 4))]
    return (
        *gear(trim, luck), box(0, FLOOR, 51, 2.4, body),
        *[box(x, FLOOR - 0.2, 1.2, 2.8, trim) for x in range(-24, 25, 6)], *chains,
        *place_sign("flat_car", -12.4, FLOOR - 9.8, 8.2), *place_sign("flat_car", 12.4, FLOOR - 9.8, 8.2),
    )  # fmt: skip


def gondola(body: str, trim: str, luck: Random) -> Marks:
    """A low open car, heaped with scrap iron; a magnet hangs above it."""
    heap: list[Mark] = [area("#59616b", (-24, -13), (-16, -17), (-3, -15.6), (9, -18), (24, -13))]
    for n in range(12):
        x, turn = luck.uniform(-20, 20), luck.uniform(0, 180)
        heap += transform(
            (box(0, 0.6, 7, 1.3, ("#8d95a1", "#b5633c", "#3f4650")[n % 3]),), x, luck.uniform(-17, -14), turn
        )
    heap += [
        mark
        for x in (-14.0, -1.0, 15.0)
        for mark in (ring(x, -16.4, 2.4, 1.4, "#2b3038"), ring(x, -16.4, 2.4, 0.5, STEEL))
    ]
    ribs = [box(x, FLOOR - 0.4, 1.4, 8.2, mix(body, "#000000", 0.35)) for x in range(-22, 23, 6)]
    hanging = (line(0.6, INK, (4, -40), (4, -27.6)), *place_sign("gondola", 4, -24.6, 5))
    return (
        *gear(trim, luck),
        *heap,
        box(0, FLOOR, 51, 8.8, body),
        *ribs,
        box(0, FLOOR - 8.2, 52.4, 1.3, trim),
        *hanging,
    )


def hopper(body: str, trim: str, luck: Random) -> Marks:
    """A hopper with coal."""
    return on_rails(wagon("coal", 7, body, trim, luck))


def stock_car(body: str, trim: str, luck: Random) -> Marks:
    """A slatted car with cows."""
    return on_rails(wagon("cattle", 5, body, trim, luck))


def tank_car(body: str, trim: str, luck: Random) -> Marks:
    """A tank."""
    return on_rails(wagon("oil", 6, body, trim, luck))


def log_car(body: str, trim: str, luck: Random) -> Marks:
    """A car with logs between its stakes, their ends towards us at one side."""
    logs: list[Mark] = []
    for row, many in enumerate((6, 5, 4)):
        y, half = FLOOR - 4.2 - 5.0 * row, 22.0 - 1.6 * row
        logs += [box(0, y + 2.6, 2 * half, 5.3, ("#8a5a34", "#9c6a3f", "#7a4d2b")[row], 2.4)]
        for n in range(many):
            x, rise, fall = 3 - half + 7 * n, luck.uniform(-1.6, 1.6), luck.uniform(-1.6, 1.6)
            logs.append(line(0.35, "#5c3b20", (x, y + rise), (x + 5, y + fall)))
        logs += [
            disc(half - 1.6, y, 2.5, "#e3c08a"),
            ring(half - 1.6, y, 1.6, 0.35, "#a9773f"),
            disc(half - 1.6, y, 0.5, "#a9773f"),
        ]
    stakes = [
        mark for x in (-18, -6, 6) for mark in (box(x, FLOOR, 1.5, 18.4, INK), box(x, FLOOR - 17.4, 2.1, 1.2, trim))
    ]
    return (*gear(trim, luck), box(0, FLOOR, 51, 2.0, body), *logs, *stakes)


def reefer(body: str, trim: str, luck: Random) -> Marks:
    """A white car with hatches for ice on its roof, icicles below it and a great crystal on its side."""
    icicles = [
        area("#a9d8ee", (x - 0.8, -20.6), (x + 0.8, -20.6), (x, -20.6 + luck.uniform(2.4, 4.4)))
        for x in range(-24, 25, 3)
    ]
    hatches = [
        mark
        for x in (-20.0, 20.0)
        for mark in (box(x, -23.4, 7, 2.2, INK, 0.5), *transform((box(0, 0, 7, 1, trim),), x - 1, -26, -16))
    ]
    return (
        *gear(trim, luck), box(0, FLOOR, 51, 17, body), box(0, FLOOR, 51, 3.2, trim), *hatches,
        box(0, -20.4, 53, 3.4, mix(trim, INK, 0.45), 1.4), *icicles,
        *[line(0.3, "#c5c9c4", (x, -17), (x, -8)) for x in range(-23, 24, 3) if abs(x) > 8],
        box(0, -8, 14, 12.4, "#dbe9f0", 0.6), Stroke(((-7, -8), (-7, -20.2), (7, -20.2), (7, -8)), 0.5, trim),
        *place_sign("reefer", 0, -14.2, 5.2), box(-15.5, -11, 9, 1.2, INK, 0.5), box(15.5, -11, 9, 1.2, INK, 0.5),
    )  # fmt: skip


def small_car(x: float, y: float, paint: str, mirrored: bool) -> Marks:
    """Return a motor car whose wheels stand on the height `y`."""
    body = path((-6.4, -1.4), ((-6.4, -4),), ((-4.4, -4.6),), ((-2.6, -7.4),), ((2.6, -7.4),), ((4.4, -4.4),),
        ((6.4, -3.8),),
                ((6.4, -1.4),))  # fmt: skip
    marks = (
        Fill((body,), paint), area(GLASS, (-3.4, -4.6), (-2.2, -6.6), (-0.4, -6.6), (-0.4, -4.6)),
        area(GLASS, (0.3, -4.6), (0.3, -6.6), (2.2, -6.6), (3.3, -4.6)), disc(6.0, -3.2, 0.5, "#fff3c4"),
        *[mark for wheel in (-3.6, 3.6) for mark in (disc(wheel, -1.5, 1.5, INK), disc(wheel, -1.5, 0.7, PAPER))],
    )  # fmt: skip
    return transform(marks, x, y, mirror=mirrored)


def auto_carrier(body: str, trim: str, luck: Random) -> Marks:
    """A car of two decks with six motor cars."""
    paints = [RED, GOLD, "#2f6fb8", "#4f8f4a", "#e07b2c", PAPER]
    cars = [mark for n, x in enumerate((-16.0, 0.0, 16.0)) for mark in (
        *small_car(x, FLOOR - 1.6, paints[n], luck.random() < 0.5), *small_car(x, -16.6, paints[n + 3],
            luck.random() < 0.5))]  # fmt: skip
    posts = [box(x, FLOOR, 1.2, 22, mix(body, INK, 0.3)) for x in (-25, -8, 8, 25)]
    braces = [line(0.6, mix(body, INK, 0.3), (x, FLOOR - 1), (x + 16, -15.4)) for x in (-24.4,)]
    return (*gear(trim, luck), *braces, *posts, box(0, FLOOR, 51, 1.8, trim), box(0, -15, 51, 1.6, trim), *cars,
            box(0, -26.4, 53, 1.8, body, 0.8))  # fmt: skip


__all__ = [
    "auto_carrier", "box_car", "flat_car", "gondola", "hopper", "log_car", "reefer", "stock_car", "tank_car",
]  # fmt: skip
