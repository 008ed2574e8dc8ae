"""Wagons from the side, one form for each type. `load` from 1 to 10 is how full it is; no two are the same."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

from companion.drawing import Contour, Fill, Mark, Stroke, circle, path, rectangle
from companion.drawing.pictures.goods import place_picture
from companion.drawing.pictures.scenery import RAIL, mix

FLOOR = RAIL - 4.6
"""Height of a wagon's floor."""
FROM, TO = 6.0, 57.0
"""A wagon's ends."""
IRON = "#22262e"


def wagon(kind: str, load: int, body: str, trim: str, luck: Random) -> tuple[Mark, ...]:
    """Return a wagon on the rail, coupled to its neighbours beyond both edges of the card."""
    return (*FORMS[kind](load, body, trim, luck), *running_gear(luck, trim))


def running_gear(luck: Random, trim: str) -> tuple[Mark, ...]:
    """Return frame, wheels, buffers and couplings."""
    marks: list[Mark] = [
        Fill((rectangle(-4, FLOOR + 1.0, 12, 0.8), rectangle(55, FLOOR + 1.0, 12, 0.8)), IRON),
        Fill((rectangle(3.2, FLOOR - 0.2, 1.1, 3.2), rectangle(58.7, FLOOR - 0.2, 1.1, 3.2)), IRON),
        Fill((rectangle(FROM - 1, FLOOR, TO - FROM + 2, 1.7),), IRON),
        Fill((rectangle(FROM - 1, FLOOR + 0.3, TO - FROM + 2, 0.4),), mix(IRON, trim, 0.5)),
    ]
    axles = (12.5, 19.5, 43.5, 50.5) if luck.random() < 0.6 else (14.5, 48.5)
    for x in axles:
        marks += wheel(x, 2.55, luck.uniform(0, 90), trim)
    if len(axles) == 4:
        marks.append(
            Fill((rectangle(11, RAIL - 3.6, 10, 1.1, 0.4), rectangle(42, RAIL - 3.6, 10, 1.1, 0.4)), "#4a505c")
        )
    marks.append(Fill((rectangle(luck.uniform(25, 33), FLOOR + 1.7, 6, 2.0, 0.4),), "#3b404a"))
    return tuple(marks)


def wheel(x: float, radius: float, turn: float, trim: str, spokes: int = 3) -> tuple[Mark, ...]:
    """Return a wheel on the rail."""
    y = RAIL - radius
    marks: list[Mark] = [
        Fill((circle(x, y, radius),), IRON),
        Fill((circle(x, y, radius * 0.78),), mix("#8d95a3", trim, 0.25)),
    ]
    for n in range(spokes):
        a = math.radians(turn + 180 * n / spokes)
        dx, dy = math.cos(a) * radius * 0.75, math.sin(a) * radius * 0.75
        marks.append(Stroke(((x - dx, y - dy), (x + dx, y + dy)), max(0.35, radius * 0.13), IRON))
    return (*marks, Fill((circle(x, y, radius * 0.26),), IRON))


def van(load: int, body: str, trim: str, luck: Random) -> tuple[Mark, ...]:
    """Return a wooden van with crates of apples behind an open door, and more on its roof when it is full."""
    marks: list[Mark] = [
        Fill((rectangle(FROM, 41, TO - FROM, FLOOR - 41),), body),
        *[
            Stroke(((x, 41.5), (x, FLOOR)), 0.3, mix(body, "#000000", 0.28))
            for x in _space_evenly(FROM + 1.8, TO - 1, 2.15)
        ],
        Fill((path((FROM - 1.2, 41.6), ((31.5, 36.2), (TO + 1.2, 41.6))),), mix(body, "#1b2130", 0.55)),
        Fill((rectangle(FROM - 1.2, 41.2, TO - FROM + 2.4, 0.9),), trim),
    ]
    door = luck.uniform(20, 27)
    marks += [
        Fill((rectangle(door, 43.4, 16.5, FLOOR - 43.4),), "#2b2018"),
        Fill((rectangle(door - 7.4, 43.4, 7.0, FLOOR - 43.4),), mix(body, trim, 0.3)),
        Stroke(((door - 6.9, 44), (door - 1, FLOOR - 0.6)), 0.6, trim),
        Stroke(((door - 1, 44), (door - 6.9, FLOOR - 0.6)), 0.6, trim),
        Fill((rectangle(door - 8, 42.6, 25.5, 0.7),), IRON),
    ]
    for n in range(min(load, 6)):
        x, y = door + 0.9 + 5.0 * (n % 3), FLOOR - 0.2 - 6.3 * (n // 3)
        marks += crate(x, y)
    return tuple(marks)


def crate(x: float, y: float) -> tuple[Mark, ...]:
    """Return a crate of apples, its lower left corner at (x, y)."""
    return (
        *place_picture("apple", x + 1.25, y - 4.0, 1.25, -12),
        *place_picture("apple", x + 3.35, y - 4.1, 1.3, 14),
        Fill((rectangle(x, y - 3.4, 4.6, 3.4),), "#c99a5b"),
        Fill((rectangle(x, y - 2.35, 4.6, 0.35), rectangle(x, y - 1.2, 4.6, 0.35)), "#8f6532"),
    )


def stock_car(load: int, body: str, trim: str, luck: Random) -> tuple[Mark, ...]:
    """Return a slatted wagon; cows look out of it."""
    marks: list[Mark] = [
        Fill((rectangle(FROM, 41.5, TO - FROM, FLOOR - 41.5),), "#3a2416"),
    ]
    places = [(12 + 9.4 * n + luck.uniform(-1, 1), 47.6 + luck.uniform(-0.8, 0.8)) for n in range(5)]
    for x, y in places[: max(1, min(load, 5))]:
        marks += place_picture("cow", x, y, 4.0, luck.uniform(-12, 12))
    marks += [Fill((rectangle(FROM, y, TO - FROM, 1.25),), body) for y in (41.5, 51.9, 54.1, 56.4)]
    marks += [
        Fill((rectangle(x, 41.5, 1.3, FLOOR - 41.5),), mix(body, "#1b2130", 0.25)) for x in (FROM, 22.6, 39.2, TO - 1.3)
    ]
    start = luck.choice((FROM, 22.6, 39.2))
    marks.append(Stroke(((start + 1.5, 57.4), (start + 15.5, 52.2)), 0.9, trim))
    marks.append(Fill((rectangle(FROM - 1, 39.6, TO - FROM + 2, 2.1, 0.7),), mix(body, "#1b2130", 0.6)))
    marks += [Fill((rectangle(x, 38.8, 3.6, 0.9),), trim) for x in _space_evenly(9, 52, 9.7)]
    return tuple(marks)


def hopper(load: int, body: str, trim: str, luck: Random) -> tuple[Mark, ...]:
    """Return an open hopper, heaped with coal."""
    marks: list[Mark] = []
    height = 1.6 + 1.35 * load
    heap = path(
        (FROM + 1.5, 46), ((20, 46 - height * 1.1), (31, 46 - height * 1.15)), ((44, 46 - height), (TO - 1.5, 46))
    )
    marks.append(Fill(((*heap, (TO - 1.5, 49), (FROM + 1.5, 49)),), "#191b20"))
    for n in range(9 + 5 * load):
        x = luck.uniform(FROM + 3, TO - 3)
        far = 1 - abs(x - 31.5) / 25.5
        y = 46.2 - luck.uniform(0, 1) * height * far * 1.05
        marks += place_picture("coal", x, y, luck.uniform(1.3, 2.1), 37.0 * n)
    side: Contour = ((FROM, 45.6), (TO, 45.6), (TO - 5.5, FLOOR), (FROM + 5.5, FLOOR))
    marks.append(Fill((side,), body))
    for n in range(6):
        x, lean = 10.5 + 8.4 * n, (31.5 - (10.5 + 8.4 * n)) * 0.16
        marks.append(Stroke(((x, 46), (x + lean, FLOOR)), 1.0, mix(body, "#101318", 0.45)))
    marks.append(Fill((rectangle(FROM - 0.8, 45.0, TO - FROM + 1.6, 1.5),), trim))
    marks += [Fill((circle(x, 45.75, 0.32),), IRON) for x in _space_evenly(FROM + 0.4, TO, 2.8)]
    door = luck.choice((16.0, 24.6, 33.0))
    marks.append(
        Fill((rectangle(door, 51.0, 9.0, 4.6, 0.5), rectangle(door + 1, 52, 7, 2.6, 0.4)), mix(trim, body, 0.3))
    )
    return tuple(marks)


def tank(load: int, body: str, trim: str, luck: Random) -> tuple[Mark, ...]:
    """Return a tank wagon; a gauge shows how full it is."""
    marks: list[Mark] = [
        Fill((rectangle(12, FLOOR - 1.5, 4, 1.8), rectangle(47, FLOOR - 1.5, 4, 1.8)), IRON),
        Fill((rectangle(FROM - 0.5, 41.2, TO - FROM + 1, 15.4, 7.4),), mix(body, "#3a4652", 0.35)),
        Fill((rectangle(FROM - 0.5, 41.2, TO - FROM + 1, 12.6, 6.3),), body),
        Fill((rectangle(FROM + 4, 42.6, TO - FROM - 8, 2.0, 1.0),), "#f6f8f9"),
        Fill((rectangle(FROM + 5.5, 41.2, 1.3, 15.4), rectangle(TO - 6.8, 41.2, 1.3, 15.4)), trim),
    ]
    dome = luck.uniform(24, 36)
    marks += [
        Fill((rectangle(dome, 36.6, 8, 5.4, 1.4),), mix(body, "#3a4652", 0.25)),
        Fill((rectangle(dome - 0.8, 36.0, 9.6, 1.4, 0.6),), trim),
        Stroke(((FROM + 7, 39.4), (TO - 7, 39.4)), 0.45, IRON),
        *[Stroke(((x, 39.4), (x, 42.0)), 0.4, IRON) for x in (13.5, 22, 41, 49.5)],
        Fill((rectangle(17, 51.6, 29, 2.9, 1.4),), trim),
        Fill((rectangle(17.5, 52.1, 2.8 * min(load, 10), 1.9, 0.9),), "#f2c230"),
        *place_picture("drop", luck.choice((23.0, 31.5, 40.0)), 48.2, 2.6),
    ]
    ladder = luck.choice((14.6, 46.0))
    marks += [Stroke(((ladder + s, 40), (ladder + s, FLOOR)), 0.4, IRON) for s in (0, 2.4)]
    marks += [Stroke(((ladder, y), (ladder + 2.4, y)), 0.35, IRON) for y in _space_evenly(42, FLOOR, 1.9)]
    return tuple(marks)


def saloon(load: int, body: str, trim: str, luck: Random) -> tuple[Mark, ...]:
    """Return a saloon with a round roof, gilded, with jewels in its windows."""
    roof = path(
        (FROM - 1, 43.4),
        ((FROM + 1, 36.4), (18, 36.6), (31.5, 36.6)),
        ((45, 36.6), (TO - 1, 36.4), (TO + 1, 43.4)),
    )
    marks: list[Mark] = [
        Fill((roof,), mix(body, "#0d0610", 0.5)),
        Fill((rectangle(FROM, 42.6, TO - FROM, FLOOR - 42.6),), body),
        Fill((rectangle(FROM - 1, 42.2, TO - FROM + 2, 1.0), rectangle(FROM, 53.4, TO - FROM, 0.6),
              rectangle(FROM, 56.6, TO - FROM, 0.5)), trim),
    ]  # fmt: skip
    for n in range(5):
        x = 9.2 + 9.4 * n
        marks.append(
            Fill(
                (
                    path(
                        (x, 52.4),
                        ((x, 46),),
                        ((x, 44.2), (x + 3.5, 44.2)),
                        ((x + 7, 44.2), (x + 7, 46)),
                        ((x + 7, 52.4),),
                    ),
                ),
                trim,
            )
        )
        marks.append(Fill((path((x + 0.7, 51.8), ((x + 0.7, 46.2),), ((x + 0.7, 44.9), (x + 3.5, 44.9)),
                                ((x + 6.3, 44.9), (x + 6.3, 46.2)), ((x + 6.3, 51.8),)),),
                          "#2a1530" if n >= load - 3 else "#fbe7b5"))  # fmt: skip
        if n < load - 3:
            marks += place_picture("gem", x + 3.5, 48.6, 2.5, luck.uniform(-10, 10))
    swags = [path((FROM + 3 + 10 * n, 54.6), ((FROM + 8 + 10 * n, 57.6), (FROM + 13 + 10 * n, 54.6))) for n in range(4)]
    marks += [Stroke(swag, 0.5, trim) for swag in swags]
    lamp = luck.uniform(14, 48)
    return (*marks, Fill((circle(lamp, 38.4, 1.3),), trim), Fill((rectangle(lamp - 5, 36.0, 3, 1.4, 0.4),), trim))


def coach(load: int, body: str, trim: str, luck: Random) -> tuple[Mark, ...]:
    """Return a coach; travellers sit behind its windows."""
    marks: list[Mark] = [
        Fill((rectangle(FROM - 1, 39.4, TO - FROM + 2, 4.4, 2.0),), mix(body, "#1b2130", 0.7)),
        Fill((rectangle(FROM, 41.6, TO - FROM, FLOOR - 41.6, 0.8),), trim),
        Fill((rectangle(FROM, 51.2, TO - FROM, FLOOR - 51.2),), body),
        Fill((rectangle(FROM, 41.6, TO - FROM, 1.3),), body),
    ]
    door = luck.choice((0, 3, 5))
    seats = list(range(6))
    seats.remove(door)
    for n in range(6):
        x = 8.2 + 8.0 * n
        if n == door:
            marks.append(Fill((rectangle(x + 0.6, 43.4, 5.6, FLOOR - 43.8, 0.5),), mix(body, "#1b2130", 0.35)))
            marks.append(Fill((rectangle(x + 1.6, 44.6, 3.6, 5.2, 0.5),), "#cfe6ef"))
            marks.append(Fill((circle(x + 5.3, 53, 0.4),), "#f2c230"))
            continue
        marks.append(Fill((rectangle(x, 44.0, 6.6, 6.2, 0.7),), mix(body, "#1b2130", 0.55)))
        marks.append(Fill((rectangle(x + 0.5, 44.5, 5.6, 5.2, 0.4),), "#cfe6ef"))
        if n in seats[: max(1, load // 2)]:
            marks += place_picture("person", x + 3.3, 47.5, 2.2)
    number = luck.uniform(16, 40)
    marks.append(Fill((rectangle(FROM, 54.2, TO - FROM, 0.7),), "#f2c230"))
    return (*marks, Fill((rectangle(number, 52.2, 6, 1.4, 0.3),), trim))


def _space_evenly(start: float, end: float, step: float) -> list[float]:
    return [start + n * step for n in range(int((end - start) / step) + 1)]


Form = Callable[[int, str, str, Random], tuple[Mark, ...]]
FORMS: dict[str, Form] = {
    "food": van, "cattle": stock_car, "coal": hopper, "oil": tank, "luxury": saloon, "passenger": coach,
}  # fmt: skip
"""The form of each type of wagon."""
