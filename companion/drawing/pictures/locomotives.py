"""Locomotives from the side. The higher its `rank` (from 1) in its drive, the longer and finer it is."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from companion.drawing import Clipped, Contour, Fill, Mark, Stroke, circle, ellipse, path, rectangle
from companion.drawing.pictures.scenery import RAIL, mix
from companion.drawing.pictures.wagons import FLOOR, IRON, wheel

LIVERIES = {
    "steam": ("#23303f", "#2f5d3a", "#6b2330", "#1f3a6e", "#4b4b4f", "#7a3d17", "#0f4a4a"),
    "diesel": ("#35566e", "#8c2f2a", "#3d6b45", "#59407a", "#c0a13a", "#1f2f55"),
    "electric": ("#d23f3f", "#2e7d5b", "#e0b030", "#6b4aa0", "#1c8fb0"),
}
"""The colour of each locomotive of a drive, by its rank."""


def locomotive(drive: str, rank: int, trim: str, luck: Random) -> tuple[Mark, ...]:
    """Return a locomotive on the rail, running to the left, coupled to the card beyond the right edge."""
    colours = LIVERIES[drive]
    coupling = Fill((rectangle(54, FLOOR + 1.0, 14, 0.8), rectangle(59.5, FLOOR - 0.2, 1.1, 3.2)), IRON)
    return (coupling, *FORMS[drive](rank, colours[(rank - 1) % len(colours)], trim, luck))


def steam(rank: int, body: str, trim: str, luck: Random) -> tuple[Mark, ...]:
    """Return a steam engine: boiler, chimney, domes, cab, driving wheels and, from the fourth on, a tender."""
    tender = rank >= 4
    back = 44.0 if tender else 56.0
    front = 8.5 - 0.5 * rank
    radius = (3.3, 3.6, 4.0, 4.0, 4.5, 4.8, 5.2)[min(rank, 7) - 1]
    marks: list[Mark] = [*_smoke(luck, front + 4.2, 36.5 - 0.3 * rank, rank)]
    top, low = 45.6 - 0.35 * rank, 55.2
    marks += [
        Fill((rectangle(front + 1, FLOOR - 2.4, back - front - 1, 2.4),), IRON),
        Fill((rectangle(front + 1.5, top, back - 12 - front, low - top, 1.2),), body),
        Fill((rectangle(front + 1.5, top + 1.1, back - 12 - front, 1.3),), mix(body, "#ffffff", 0.35)),
        Fill((rectangle(front + 0.6, top - 0.5, 3.0, low - top + 1.0, 1.0),), mix(body, "#000000", 0.45)),
    ]
    for n in range(2 + rank // 2):
        x = front + 7.5 + n * (back - 24 - front) / (1 + rank // 2)
        marks.append(Fill((rectangle(x, top, 0.8, low - top),), trim))
    chimney: Contour = ((front + 2.4, 38), (front + 6.4, 38), (front + 5.6, 40), (front + 5.4, top + 0.4),
                        (front + 3.4, top + 0.4), (front + 3.2, 40))  # fmt: skip
    marks += [Fill((chimney,), IRON), Fill((rectangle(front + 2.2, 37.4, 4.4, 1.1, 0.4),), trim)]
    for n in range(1 + rank % 3):
        x = front + 11.5 + 6.4 * n
        half = ((x - 2, top - 3.4), (x, top - 3.6)), ((x + 2, top - 3.4), (x + 2, top + 0.4))
        marks.append(Fill((path((x - 2, top + 0.4), *half),), mix(body, "#000000", 0.3) if n % 2 else trim))
    marks += _cab(back - 11.5, back, 38.6, body, trim)
    marks += [
        Fill((circle(front + 1.2, top + 2.6, 1.5),), "#fff3c4"),
        Fill((circle(front + 1.2, top + 2.6, 0.8),), "#f2c230"),
    ]
    marks.append(Fill((((front - 2.5, RAIL - 0.3), (front + 3.4, FLOOR), (front + 3.4, RAIL - 0.3)),), "#a33327"))
    drivers = 2 + (rank >= 3) + (rank >= 6)
    span = (back - 4) - (front + 12)
    xs = [front + 12.5 + span * n / drivers for n in range(drivers)]
    marks += wheel(front + 5.2, 2.3, luck.uniform(0, 60), trim)
    for x in xs:
        marks += wheel(x, radius, luck.uniform(0, 40), trim, 5)
    rod = RAIL - radius + 0.5
    marks.append(Stroke(((front + 7.0, rod - 0.5), *[(x, rod) for x in xs]), 0.9, "#c6ccd6"))
    marks.append(Fill((rectangle(front + 2.0, FLOOR - 3.0, 5.6, 3.6, 0.6),), mix(body, "#000000", 0.25)))
    return (*marks, *(_tender(back + 1.5, 59.0, body, trim, luck) if tender else ()))


def _smoke(luck: Random, x: float, y: float, rank: int) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    for n in range(4 + rank):
        r = 1.5 + 0.42 * n
        px, py = x + n * luck.uniform(2.6, 4.0), y - 1.2 - n * luck.uniform(0.7, 1.3)
        marks.append(Fill((circle(px, max(py, 24), r),), "#8f96a3"))
        marks.append(Fill((circle(px - 0.3, max(py, 24) - 0.4, r * 0.82),), "#dfe3ea"))
    return tuple(marks)


def _cab(left: float, right: float, top: float, body: str, trim: str) -> tuple[Mark, ...]:
    return (
        Fill((rectangle(left, top + 1, right - left, FLOOR - top - 1),), body),
        Fill((rectangle(left + 1.6, top + 3.4, right - left - 4.4, 5.6, 0.8),), "#bfe0ea"),
        Fill((rectangle(left + 1.6, top + 3.4, (right - left - 4.4) * 0.4, 5.6, 0.8),), "#f4fbfd"),
        Fill((rectangle(left - 1.2, top - 0.2, right - left + 2.6, 1.9, 0.9),), mix(body, "#000000", 0.5)),
        Stroke(rectangle(left + 1.2, top + 11, right - left - 2.6, 6.4, 0.6), 0.5, trim, closed=True),
    )


def _tender(left: float, right: float, body: str, trim: str, luck: Random) -> tuple[Mark, ...]:
    heap = path((left + 1, 46.2), (((left + right) / 2, 41.0), (right - 1, 46.2)))
    marks: list[Mark] = [
        Fill((heap,), "#1c1e24"),
        *[Fill((circle(luck.uniform(left + 3, right - 3), luck.uniform(44.6, 46), 0.8),), "#4a4f5a") for _ in range(6)],
        Fill((rectangle(left, 45.6, right - left, FLOOR - 45.6),), body),
        Fill((rectangle(left, 47.0, right - left, 0.7), rectangle(left, FLOOR - 1.6, right - left, 0.7)), trim),
        Fill((rectangle(left - 1.5, FLOOR, right - left + 2, 1.5),), IRON),
    ]
    for x in (left + 3, right - 3):
        marks += wheel(x, 2.3, luck.uniform(0, 60), trim)
    return tuple(marks)


def diesel(rank: int, body: str, trim: str, luck: Random) -> tuple[Mark, ...]:
    """Return a diesel: a cab at its front, middle or back, grilles, exhausts, a stripe of its own."""
    left, right = 7.5 - 0.6 * rank, 58.0
    cab = (left, 24.0, 44.0, left, 30.0, left)[min(rank, 6) - 1]
    hood = 43.2 if rank in (2, 3, 5) else 39.6
    marks: list[Mark] = [
        Fill((rectangle(left, hood, right - left, FLOOR - hood, 1.2),), body),
        Fill((rectangle(left, hood, right - left, 1.4, 0.7),), mix(body, "#000000", 0.45)),
    ]
    stripes: tuple[Contour, ...] = (
        rectangle(left, 51.4, right - left, 2.6),
        path(
            (left, 56),
            ((24, 56.4), (30, 49)),
            ((34, 46.5), (right, 46.5)),
            ((right, 49.0),),
            ((36, 49.2), (33, 51)),
            ((26, 58), (left, 57.8)),
        ),
        rectangle(left, 49.6, right - left, 1.1),
    )
    marks.append(Fill((stripes[rank % 3],), trim))
    if rank % 3 == 2:
        marks.append(Fill((rectangle(left, 53.0, right - left, 1.1),), trim))
    for n in range(2 + rank):
        x = 24 + n * 31 / (2 + rank)
        marks.append(Fill((rectangle(x, hood + 2.6, 3.2, 4.4, 0.4),), mix(body, "#000000", 0.55)))
        marks += [
            Stroke(((x + 0.4, y), (x + 2.8, y)), 0.35, mix(body, "#ffffff", 0.35))
            for y in (hood + 3.6, hood + 4.8, hood + 6.0)
        ]
    for n in range(1 + rank // 2):
        x = 36 + 6.5 * n
        marks += [
            Fill((rectangle(x, hood - 2.0, 2.6, 2.2),), IRON),
            Fill((rectangle(x - 0.4, hood - 2.4, 3.4, 0.8),), "#7c8390"),
        ]
        marks += [Fill((circle(x + 2 + 1.8 * k, hood - 4.4 - 1.7 * k, 1.0 + 0.4 * k),), "#5d636e") for k in range(2)]
    marks += _nose(cab, cab == left, body, trim, hood)
    marks.append(Fill((rectangle(left - 0.8, FLOOR, right - left + 1.6, 1.8),), IRON))
    marks.append(Fill((rectangle(26, FLOOR + 1.8, 11, 2.4, 0.6),), mix(body, "#000000", 0.35)))
    axles = (10.5, 16.5, 46.0, 52.0) if rank < 4 else (9.0, 14.5, 20.0, 43.5, 49.0, 54.5)
    for x in axles:
        marks += wheel(x, 2.5, luck.uniform(0, 60), trim, 2)
    half = len(axles) // 2
    for bogie in (axles[:half], axles[half:]):
        marks.append(Fill((rectangle(bogie[0] - 1, RAIL - 3.4, bogie[-1] - bogie[0] + 2, 1.2, 0.5),), "#59606c"))
    return tuple(marks)


def _nose(x: float, front: bool, body: str, trim: str, hood: float) -> tuple[Mark, ...]:
    top = min(hood, 40.5) - 2.0
    shade = mix(body, "#ffffff", 0.12)
    outline: Contour = rectangle(x, top, 12.5, FLOOR - top)
    window: Contour = rectangle(x + 1.6, top + 1.8, 4.0, 46.2 - top)
    if front:
        outline = ((x - 0.6, FLOOR), (x - 0.6, 50), (x + 3.0, top), (x + 13.5, top), (x + 13.5, FLOOR))
        window = ((x + 1.6, 48), (x + 4.2, top + 1.8), (x + 7.0, top + 1.8), (x + 7.0, 48))
    roof = rectangle(x + 2.4, top - 0.9, 11.8, 1.4, 0.6) if front else rectangle(x - 0.8, top - 0.9, 14.2, 1.4, 0.6)
    return (
        Fill((outline,), shade),
        Fill((window,), "#bfe0ea"),
        Fill((rectangle(x + 8.0, top + 1.8, 3.8, 48 - top - 1.8),), "#bfe0ea"),
        Fill((roof,), mix(body, "#000000", 0.5)),
        Fill((circle(x + 0.9, 53, 1.2),), "#fff3c4"),
        Stroke(rectangle(x + 8.2, 50.4, 3.4, 6.6), 0.4, trim, closed=True),
    )


def electric(rank: int, body: str, trim: str, luck: Random) -> tuple[Mark, ...]:
    """Return an electric engine under its wire: the faster, the sharper its nose."""
    tip, right = 6.0 - 1.2 * rank, 59.0
    slope = 4.0 + 3.4 * rank
    marks: list[Mark] = [
        Stroke(((-4, 27.6), (67, 27.6)), 0.55, IRON),
        Stroke(((-4, 23.6), (20, 26.6), (44, 26.6), (67, 23.6)), 0.4, IRON),
        *[Stroke(((x, 24.6 if x in (-0.5, 63.5) else 26.4), (x, 27.6)), 0.3, IRON) for x in (6, 20, 32, 44, 57)],
    ]
    for n in range(1 + (rank in (1, 3))):
        x = 42.0 - 21.0 * n
        marks += [
            Stroke(((x, 39), (x + 5, 33.5), (x + 0.4, 28.4)), 0.7, "#4b525e"),
            Stroke(((x - 2.8, 28.1), (x + 3.6, 28.1)), 0.8, "#20242c"),
            Fill((rectangle(x - 2.5, 38.4, 9, 1.2, 0.5),), "#5d6470"),
        ]
    shape = path(
        (tip, FLOOR),
        ((tip - 0.6, 53.5), (tip + slope * 0.35, 47)),
        ((tip + slope * 0.7, 39.6), (tip + slope + 5, 39.4)),
        ((right - 1.2, 39.4),),
        ((right, 39.4), (right, 40.6)),
        ((right, FLOOR),),
    )
    glass = path(
        (tip, 50.5),
        ((tip + slope * 0.35, 46.8),),
        ((tip + slope * 0.62, 41.8), (tip + slope + 3.5, 41.8)),
        ((tip + slope + 2.5, 47.0),),
    )
    stripe = (0.0, 51.0, 48.8, 52.4, 45.8, 50.2)[min(rank, 5)]
    within: list[Mark] = [
        Fill((rectangle(-4, stripe, 70, 3.4),), trim),
        Fill((rectangle(-4, FLOOR - 2.0, 70, 2.2),), mix(body, "#000000", 0.45)),
        Fill((rectangle(-4, 39, 70, 2.0),), mix(body, "#ffffff", 0.4)),
        Fill((glass,), "#1d2b3d"),
    ]
    for n in range(3 + rank):
        x = tip + slope + 8 + n * (right - tip - slope - 11) / (3 + rank)
        if rank % 2:
            within.append(Fill((circle(x + 1.3, 45.0, 1.5),), "#cfe6ef"))
        else:
            within.append(Fill((rectangle(x, 43.6, 3.0, 3.0, 0.7),), "#cfe6ef"))
    for n in range(rank):
        within.append(
            Fill((((20 + 3.2 * n, FLOOR), (23 + 3.2 * n, 41), (24.2 + 3.2 * n, 41), (21.2 + 3.2 * n, FLOOR)),), trim)
        )
    marks += [Fill((shape,), body), Clipped(shape, tuple(within))]
    marks += [
        Fill((ellipse(tip + 2.2, 54.4, 1.5, 0.9),), "#fff3c4"),
        Fill((ellipse(tip + 1.9, 54.4, 0.8, 0.6),), "#f2c230"),
    ]
    marks.append(Fill((rectangle(tip + 3, FLOOR, right - tip - 2.4, 1.8),), IRON))
    for x in (12.5, 18.5, 45.5, 51.5):
        marks += wheel(x, 2.5, luck.uniform(0, 60), trim, 2)
    marks.append(Fill((rectangle(11.5, RAIL - 3.4, 8, 1.2, 0.5), rectangle(44.5, RAIL - 3.4, 8, 1.2, 0.5)), "#59606c"))
    return tuple(marks)


Form = Callable[[int, str, str, Random], tuple[Mark, ...]]
FORMS: dict[str, Form] = {"steam": steam, "diesel": diesel, "electric": electric}
"""The form of each drive."""
