"""Pictures of the cars of Express, and of its Diesel; each stands on the rail at the height 0, its middle at 0."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from companion.drawing import Clipped, Contour, Fill, Mark, Stroke, arc, path, rectangle, star, transform
from companion.drawing.pictures import locomotives
from companion.drawing.pictures.brush import (
    BLUE,
    GLASS,
    GOLD,
    GREEN,
    INK,
    PAPER,
    RED,
    STEEL,
    Marks,
    area,
    box,
    disc,
    line,
    ring,
    traveller,
    windows,
)
from companion.drawing.pictures.frame import WIDTH
from companion.drawing.pictures.goods import place_picture
from companion.drawing.pictures.scenery import RAIL, mix
from companion.drawing.pictures.wagons import running_gear, wagon
from companion.games.express.deck.signs import place_sign

Picture = Callable[[str, str, Random], Marks]
"""Draws a card's picture in two colours, the body's and the trim's."""
HOUSE = {"box_car": ("food", 5), "coach": ("passenger", 8), "hopper": ("coal", 7),
         "stock_car": ("cattle", 5), "tank_car": ("oil", 6)}  # fmt: skip
"""Cars drawn as shared wagons: the load and its rank."""
FLOOR = -4.6
"""Height of a car's floor."""


def on_rails(marks: Marks) -> Marks:
    """Return a vehicle of the shared pictures, moved to the height 0."""
    return transform(marks, -WIDTH / 2, -RAIL)


def gear(trim: str, luck: Random) -> Marks:
    """Return frame, wheels and couplings."""
    return on_rails(running_gear(luck, trim))


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
        bar = box(0, 0.6, 7, 1.3, ("#8d95a1", "#b5633c", "#3f4650")[n % 3])
        heap += transform((bar,), x, luck.uniform(-17, -14), turn)
    for x in (-14.0, -1.0, 15.0):
        heap += [ring(x, -16.4, 2.4, 1.4, "#2b3038"), ring(x, -16.4, 2.4, 0.5, STEEL)]
    ribs = [box(x, FLOOR - 0.4, 1.4, 8.2, mix(body, "#000000", 0.35)) for x in range(-22, 23, 6)]
    hanging = (line(0.6, INK, (4, -40), (4, -27.6)), *place_sign("gondola", 4, -24.6, 5))
    side, rim = box(0, FLOOR, 51, 8.8, body), box(0, FLOOR - 8.2, 52.4, 1.3, trim)
    return (*gear(trim, luck), *heap, side, *ribs, rim, *hanging)


def log_car(body: str, trim: str, luck: Random) -> Marks:
    """A car with logs between its stakes, their ends towards us at one side."""
    logs: list[Mark] = []
    for row, many in enumerate((6, 5, 4)):
        y, half = FLOOR - 4.2 - 5.0 * row, 22.0 - 1.6 * row
        logs += [box(0, y + 2.6, 2 * half, 5.3, ("#8a5a34", "#9c6a3f", "#7a4d2b")[row], 2.4)]
        for n in range(many):
            x, rise, fall = 3 - half + 7 * n, luck.uniform(-1.6, 1.6), luck.uniform(-1.6, 1.6)
            logs.append(line(0.35, "#5c3b20", (x, y + rise), (x + 5, y + fall)))
        end = half - 1.6
        logs += [disc(end, y, 2.5, "#e3c08a"), ring(end, y, 1.6, 0.35, "#a9773f"), disc(end, y, 0.5, "#a9773f")]
    for x in (-18, -6, 6):
        logs += [box(x, FLOOR, 1.5, 18.4, INK), box(x, FLOOR - 17.4, 2.1, 1.2, trim)]
    return (*gear(trim, luck), box(0, FLOOR, 51, 2.0, body), *logs)


def reefer(body: str, trim: str, luck: Random) -> Marks:
    """A white car with hatches for ice on its roof, icicles below it and a great crystal on its side."""
    hatches = list[Mark]()
    for x in (-20.0, 20.0):
        hatches += [box(x, -23.4, 7, 2.2, INK, 0.5), *transform((box(0, 0, 7, 1, trim),), x - 1, -26, -16)]
    lengths = [(x, luck.uniform(2.4, 4.4)) for x in range(-24, 25, 3)]
    icicles = [area("#a9d8ee", (x - 0.8, -20.6), (x + 0.8, -20.6), (x, -20.6 + long)) for x, long in lengths]
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


def hull(body: str, trim: str, roof: str, left: float = -25.5, right: float = 25.5) -> Marks:
    """Return a passenger car's side and roof, without windows."""
    middle, wide = (left + right) / 2, right - left
    return (
        box(middle, -21, wide + 2, 3.6, roof, 1.7), box(middle, FLOOR, wide, 17, body, 0.8),
        box(middle, FLOOR - 1.2, wide, 0.8, trim), box(middle, FLOOR - 15.6, wide, 0.8, trim),
    )  # fmt: skip


def mail_baggage(body: str, trim: str, luck: Random) -> Marks:
    """A car with a wide door full of trunks, and a letter on its side; a mail bag hangs on its hook."""
    trunks = [mark for x, y, w, h, colour in (
        (-15.5, 0, 6.4, 4.4, "#a8743f"), (-9.2, 0, 5.0, 5.6, "#7a2d2d"), (-14.4, -4.4, 5.2, 3.6, "#3f6d78"),
        (-9.4, -5.6, 4.2, 2.6, GOLD))
        for mark in (box(x, FLOOR - 0.6 + y, w, h, colour, 0.4), box(x, FLOOR - 0.6 + y, 0.7, h, INK))]  # fmt: skip
    return (
        *gear(trim, luck), *hull(body, trim, mix(body, INK, 0.6)), box(-12.4, FLOOR, 15, 14.4, "#2b2018"), *trunks,
        box(-1.8, FLOOR, 5.4, 14.4, mix(body, trim, 0.3)), Stroke(rectangle(-4.5, -19, 5.4, 14.4), 0.5, trim,
            closed=True),
        *place_sign("mail_baggage", 11.6, -13, 6.6), line(0.8, INK, (22, -16), (27, -18.5)),
        area("#d9c9a0", (25, -17), (29, -17), (30, -10), (24, -10)), box(27, -16.6, 2.6, 1, RED),
    )  # fmt: skip


def dome(body: str, trim: str, luck: Random) -> Marks:
    """A silver car with a glass dome full of travellers."""
    glass = path((-17, -21.6), ((-15.4, -31.6), (-9, -31.6)), ((9, -31.6),), ((15.4, -31.6), (17, -21.6)))
    people = list[Mark]()
    for x in (-10.5, -3.5, 3.5, 10.5):
        people += place_picture("person", x, -25.8, 3.3, luck.uniform(-6, 6))
    return (
        *gear(trim, luck), Fill((glass,), GLASS), *people,
        *[line(0.6, STEEL, (x, -21.6), (x * 0.86, -31.4)) for x in (-14, -7, 0, 7, 14)],
        Stroke(glass, 0.9, INK, closed=True), *hull(body, trim, mix(body, INK, 0.4)),
        *[line(0.35, mix(body, INK, 0.3), (-25, y), (25, y)) for y in (-8.4, -9.6, -10.8)],
        *windows(0, -12.4, 7, 1, (7, 0), (5, 4.6), INK), *windows(0, -12.8, 7, 1, (7, 0), (4.2, 3.8)),
    )  # fmt: skip


def sleeper(body: str, trim: str, luck: Random) -> Marks:
    """A car by night: beds behind the windows, the curtains half drawn."""
    rooms: list[Mark] = []
    for x in (-18.0, -6.0, 6.0, 18.0):
        rooms += [box(x, -9.4, 9.4, 9.2, trim, 0.8), box(x, -9.9, 8.2, 8.2, "#fbe7b5", 0.5)]
        rooms += [box(x, -9.9, 8.2, 1.6, "#5b3a1d"), box(x + 0.5, -11.5, 6.8, 1.8, BLUE, 0.7),
                  box(x - 2.6, -11.7, 2.4, 1.9, PAPER, 0.8), disc(x - 2.2, -13.5, 1.1, "#e0a878")]  # fmt: skip
        rooms += [area("#7e2a68", (x - 4.1, -18.1), (x - 1.2, -18.1), (x - 3.4, -14.4), (x - 4.1, -11)),
                  area("#7e2a68", (x + 4.1, -18.1), (x + 1.2, -18.1), (x + 3.4, -14.4), (x + 4.1, -11))]  # fmt: skip
    stars = [Fill((star(-22.5 + 9 * n, -7.2, 0.9, 0.36, 5),), trim) for n in range(6)]
    return (*gear(trim, luck), *hull(body, trim, mix(body, INK, 0.5)), *rooms, *stars)


def observation(body: str, trim: str, luck: Random) -> Marks:
    """The last car: a round end with an awning and a railed platform, on which travellers wave."""
    stripe: Contour = ((12, -21), (14.5, -21), (14.7, -17.6), (12.2, -17.6))
    stripes = [area((RED, PAPER)[n % 2], *[(x + 2.5 * n, y) for x, y in stripe]) for n in range(6)]
    return (
        *gear(trim, luck), *hull(body, trim, mix(body, INK, 0.55), -25.5, 13),
        box(6, -21.2, 42, 2.6, mix(body, INK, 0.55), 1.2),
        *windows(-6.5, -11.2, 4, 1, (8.6, 0), (6.8, 6.2), trim), *windows(-6.5, -11.8, 4, 1, (8.6, 0), (5.6, 5.0)),
        *traveller(16.4, FLOOR, 7.4, BLUE), *traveller(21.6, FLOOR, 6.8, RED, GOLD),
        line(0.8, "#e0a878", (23.4, -10), (26.2, -15)),
        box(19.2, FLOOR, 13, 1.4, INK), *[line(0.5, GOLD, (x, FLOOR), (x, -10.2)) for x in range(13, 27, 2)],
        line(0.9, GOLD, (12.6, -10.4), (26, -10.4)), *stripes, line(0.6, INK, (25.6, -20), (25.6, FLOOR)),
        disc(26, -8, 1.5, INK), disc(26, -8, 0.9, RED),
    )  # fmt: skip


def wild(body: str, trim: str, luck: Random) -> Marks:
    """A circus car of all colours, a pinwheel on its side and flags on its roof."""
    colours = (RED, GOLD, GREEN, BLUE, "#7e2a68", "#e07b2c")
    field: Contour = ((-25.5, -21), (-21.25, -21), (-25, FLOOR), (-29.25, FLOOR))
    fields = [area(colours[n % 6], *[(x + 4.25 * n, y) for x, y in field]) for n in range(14)]
    flags = list[Mark]()
    for x in (-19, -1, 17):
        flags += [line(0.6, INK, (x, -22), (x, -31)), area(trim, (x, -31), (x + 7, -28.8), (x, -26.6))]
    dots = [disc(luck.uniform(-23, 23), luck.uniform(-20, -6), luck.uniform(0.5, 1.0), PAPER) for _ in range(18)]
    return (
        *gear(trim, luck), box(0, FLOOR, 51, 17, body), Clipped(rectangle(-25.5, -21, 51, 16.4), (*fields, *dots)),
        box(0, -20.6, 53, 2.0, INK, 0.9), *[Fill((arc(-22 + 8.8 * n, -20.4, 3.6, 0, 180),), PAPER) for n in range(6)],
        *flags, disc(0, -11.8, 7, INK), disc(0, -11.8, 6.4, PAPER), *place_sign("wild", 0, -11.8, 5.8),
    )  # fmt: skip


def caboose(body: str, trim: str, luck: Random) -> Marks:
    """A red van with a lookout on its roof, a chimney, and platforms with tail lamps."""
    return (
        *gear(trim, luck), box(0, FLOOR, 51, 1.6, INK), box(0, FLOOR - 1, 40, 15, body, 0.6),
        *[line(0.35, mix(body, INK, 0.4), (x, -19), (x, -6)) for x in range(-18, 19, 3)],
        box(0, -20, 45, 2, mix(body, INK, 0.6), 0.9), box(2, -21.8, 15, 6.6, body, 0.5),
        *windows(2, -23.2, 2, 1, (6.4, 0), (4.4, 3.6)),
        box(2, -28, 18, 1.6, mix(body, INK, 0.6), 0.7), box(-13, -21.6, 2.4, 5.4, INK), box(-13, -26.6, 3.6, 1, INK),
        *[disc(-11.6 + 2.2 * n, -29.4 - 1.6 * n, 1.3 + 0.4 * n, "#8a919d") for n in range(3)],
        *windows(0, -10, 3, 1, (12, 0), (7.4, 6.4), trim), *windows(0, -10.6, 3, 1, (12, 0), (6.2, 5.2)),
        *[mark for s in (-1, 1) for mark in (line(0.6, GOLD, (s * 25, FLOOR), (s * 25, -12)),
            line(0.6, GOLD, (s * 20, -12), (s * 25, -12)),
          line(0.5, GOLD, (s * 22.5, FLOOR), (s * 22.5, -12)), *place_sign("caboose", s * 23.4, -16.2, 3.2))],
    )  # fmt: skip


def house_wagon(load: str, rank: int) -> Picture:
    """Return the picture of a shared wagon."""
    return lambda body, trim, luck: on_rails(wagon(load, rank, body, trim, luck))


OWN = (auto_carrier, caboose, dome, flat_car, gondola, log_car, mail_baggage, observation, reefer, sleeper, wild)
CARS: dict[str, Picture] = {draw.__name__: draw for draw in OWN}
CARS |= {card: house_wagon(*load) for card, load in HOUSE.items()}
CARS["diesel"] = lambda body, trim, luck: on_rails(locomotives.diesel(4, body, trim, luck))
"""The pictures by the cards' names."""
