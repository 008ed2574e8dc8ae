"""The backs: a driving wheel, a junction of tracks, a turntable. Each has an upper and a lower end."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import msgspec

from companion.drawing import Clipped, Fill, Mark, Stroke, circle, path, rectangle, star, transform
from companion.drawing.pictures.frame import HEIGHT, OUT, WIDTH
from companion.drawing.pictures.goods import place_picture
from companion.drawing.pictures.scenery import mix


class BackLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Colours of a back, as in deck.toml."""

    ground: str
    line: str
    second: str


def locomotive_back(look: BackLook) -> tuple[Mark, ...]:
    """Return rays of a headlamp behind a great driving wheel, under a night of stars."""
    luck = Random("back-locomotive")
    cx, cy = WIDTH / 2, 50.0
    marks: list[Mark] = [Fill((rectangle(-OUT, -OUT, WIDTH + 2 * OUT, HEIGHT + 2 * OUT),), look.ground)]
    for n in range(18):
        a, b = math.radians(20 * n + 3), math.radians(20 * n + 12)
        ray = ((cx, cy), (cx + 90 * math.cos(a), cy + 90 * math.sin(a)), (cx + 90 * math.cos(b), cy + 90 * math.sin(b)))
        marks.append(Fill((ray,), look.second))
    for _ in range(46):
        x, y, r = luck.uniform(2, 61), luck.uniform(2, 86), luck.uniform(0.5, 1.5)
        if math.hypot(x - cx, y - cy) > 27:
            marks.append(Fill((star(x, y, r, r * 0.4, luck.choice((4, 5))),), look.line))
    for r, colour in ((26.0, look.line), (24.6, look.ground), (23.4, look.line), (20.6, look.ground)):
        marks.append(Fill((circle(cx, cy, r),), colour))
    for n in range(11):
        a = math.radians(360 * n / 11 - 90)
        spoke = [(cx + r * math.cos(a + s), cy + r * math.sin(a + s))
                 for r, s in ((5, -0.16), (20.8, -0.05), (20.8, 0.05), (5, 0.16))]  # fmt: skip
        marks.append(Fill((tuple(spoke),), look.line))
    weight = path(
        (cx - 16.5, cy + 12.5), ((cx, cy + 3),), ((cx + 16.5, cy + 12.5),), ((cx, cy + 29), (cx - 16.5, cy + 12.5))
    )
    marks += [Clipped(circle(cx, cy, 20.9), (Fill((weight,), look.line),)), Fill((circle(cx, cy, 6.4),), look.line)]
    marks += [Fill((circle(cx, cy, 4.4),), look.ground), Fill((circle(cx, cy, 2.0),), look.line)]
    marks += [Stroke(((cx + 1, cy + 11.5), (WIDTH + 4, cy - 3)), 4.6, look.ground)]
    marks += [Stroke(((cx + 1, cy + 11.5), (WIDTH + 4, cy - 3)), 3.2, mix(look.line, "#ffffff", 0.45))]
    marks += [Fill((circle(cx + 1, cy + 11.5, 3.4),), look.ground), Fill((circle(cx + 1, cy + 11.5, 2.2),), look.line)]
    for x, name in ((17.5, "puffs"), (31.5, "cog"), (45.5, "bolt")):
        marks += [
            Fill((circle(x, 12.5, 6.0),), look.line),
            Fill((circle(x, 12.5, 5.2),), mix(look.line, "#ffffff", 0.7)),
        ]
        marks += place_picture(name, x, 12.5, 3.9)
    return (*marks, *_border(look))


def wagon_back(look: BackLook) -> tuple[Mark, ...]:
    """Return tracks that run together, seen from above, and a signal."""
    marks: list[Mark] = [Fill((rectangle(-OUT, -OUT, WIDTH + 2 * OUT, HEIGHT + 2 * OUT),), look.ground)]
    for n in range(24):
        y = -6 + 4.6 * n
        marks.append(Stroke(((-6, y), (69, y - 14)), 0.9, look.second))
    routes = (
        path((14, 95), ((14, 60), (14, 50), (26, 34)), ((36, 20), (36, 10), (36, -8))),
        path((48, 95), ((48, 70), (44, 48), (36, 30)), ((33, 20), (36, 6), (36, -8))),
        path((-6, 40), ((10, 40), (22, 30), (30, 18)), ((36, 8), (36, 2), (36, -8))),
        path((69, 74), ((50, 72), (30, 70), (14, 84))),
    )
    for route in routes:
        marks.append(Stroke(route, 11.0, look.ground))
        marks += _sleepers(route, mix(look.line, look.ground, 0.45))
    for route in routes:
        for side in (-2.1, 2.1):
            marks.append(Stroke(_beside(route, side), 1.25, look.ground))
            marks.append(Stroke(_beside(route, side), 0.85, look.line))
    marks += [
        Stroke(((53, 60), (53, 34)), 1.5, look.line),
        Fill((rectangle(48.2, 17.5, 9.6, 21, 4.6),), look.line),
        Fill((rectangle(49.0, 18.3, 8.0, 19.4, 3.9),), "#1b2130"),
        *[Fill((circle(53, y, 2.5),), c) for y, c in ((22.6, "#d8432f"), (28.2, "#f2b705"), (33.6, "#3fa35b"))],
        *[Fill((circle(52.2, y - 0.8, 0.7),), "#ffffff") for y in (22.6, 28.2, 33.6)],
    ]
    for n, name in enumerate(("apple", "cow", "coal", "drop", "gem", "person")):
        x, y = ((8, 12), (20, 8.5), (7.5, 25), (30.5, 56), (32, 79), (51.5, 79.5))[n]
        marks += [Fill((circle(x, y, 4.7),), look.line), Fill((circle(x, y, 4.1),), mix(look.line, "#ffffff", 0.6))]
        marks += place_picture(name, x, y, 3.0)
    return (*marks, *_border(look))


def _border(look: BackLook) -> tuple[Mark, ...]:
    """Return a thin frame, far enough inside that a cut a millimetre off does not show."""
    return (Stroke(rectangle(3.2, 3.2, WIDTH - 6.4, HEIGHT - 6.4, 2.4), 0.7, look.line, closed=True),)


def _sleepers(route: tuple[tuple[float, float], ...], colour: str) -> list[Mark]:
    marks: list[Mark] = []
    gone, last = 0.0, route[0]
    for point in route[1:]:
        step = math.hypot(point[0] - last[0], point[1] - last[1])
        gone += step
        if gone >= 3.0 and step > 0:
            gone = 0.0
            dx, dy = (point[1] - last[1]) / step * 3.7, -(point[0] - last[0]) / step * 3.7
            marks.append(Stroke(((point[0] - dx, point[1] - dy), (point[0] + dx, point[1] + dy)), 1.3, colour))
        last = point
    return marks


def _beside(route: tuple[tuple[float, float], ...], away: float) -> tuple[tuple[float, float], ...]:
    """Return a line parallel to a route."""
    made = []
    for before, after in pairwise(route):
        step = math.hypot(after[0] - before[0], after[1] - before[1]) or 1.0
        dx, dy = (after[1] - before[1]) / step * away, -(after[0] - before[0]) / step * away
        made += [(before[0] + dx, before[1] + dy), (after[0] + dx, after[1] + dy)]
    return tuple(made)


def turntable_back(look: BackLook) -> tuple[Mark, ...]:
    """Return a turntable seen from above with an engine on it, tracks from all sides, and a night sky of signals; a
    lamp is above, sheds are below.
    """
    luck = Random("turntable")
    cx, cy, r = WIDTH / 2, 42.0, 20.0
    marks: list[Mark] = [Fill((rectangle(-OUT, -OUT, WIDTH + 2 * OUT, HEIGHT + 2 * OUT),), look.ground)]
    for _ in range(30):
        at = circle(luck.uniform(-2, 65), luck.uniform(-2, 90), luck.uniform(2, 6))
        marks.append(Stroke(at, 0.6, look.second, closed=True))
    for n in range(11):
        a = math.radians(-90 + 360 * n / 11)
        route = tuple([(cx + d * math.cos(a), cy + d * math.sin(a)) for d in (r - 2.0, 34.0, 78.0)])
        route = tuple([_along(route, t / 24) for t in range(25)])
        marks.append(Stroke(route, 8.6, look.ground))
        marks += _sleepers(route, mix(look.line, look.ground, 0.45))
        for side in (-1.9, 1.9):
            marks.append(Stroke(_beside(route, side), 0.9, look.line))
    for radius, colour in (
        (r + 1.6, look.ground),
        (r + 0.4, look.line),
        (r - 0.8, look.second),
        (r - 2.2, look.ground),
    ):
        marks.append(Fill((circle(cx, cy, radius),), colour))
    marks += transform(_bridge(look), cx, cy, -90 + 2 * 360 / 11)
    for x in (10.5, 24.5, 38.5, 52.5):
        marks += [
            Fill((((x - 6.6, 76.4), (x, 70.4), (x + 6.6, 76.4), (x + 6.6, 84), (x - 6.6, 84)),), look.line),
            Fill((((x - 5.8, 76.9), (x, 71.6), (x + 5.8, 76.9), (x + 5.8, 83.2), (x - 5.8, 83.2)),), look.second),
            Fill(
                (
                    path(
                        (x - 3.4, 83.2),
                        ((x - 3.4, 78.4),),
                        ((x - 3.4, 75.4), (x + 3.4, 75.4), (x + 3.4, 78.4)),
                        ((x + 3.4, 83.2),),
                    ),
                ),
                look.line,
            ),
        ]
    marks += [Fill((circle(cx, 9.6, 5.4),), look.line), Fill((circle(cx, 9.6, 4.5),), look.ground),
              Fill((circle(cx, 9.6, 3.4),), "#ffe9a8")]  # fmt: skip
    return (*marks, *_border(look))


def _along(route: tuple[tuple[float, float], ...], share: float) -> tuple[float, float]:
    (ax, ay), *_, (bx, by) = route
    return ax + (bx - ax) * share, ay + (by - ay) * share


def _bridge(look: BackLook) -> tuple[Mark, ...]:
    """Return the turntable's bridge along the x axis, and the engine on it from above."""
    return (
        Fill((rectangle(-19.6, -5.0, 39.2, 10.0, 1.0),), look.line),
        Fill((rectangle(-18.8, -4.2, 37.6, 8.4, 0.6),), look.second),
        *[Fill((rectangle(-18 + 3.0 * n, -4.2, 0.9, 8.4),), mix(look.line, look.second, 0.6)) for n in range(13)],
        Fill((rectangle(-11.5, -2.9, 24.5, 5.8, 1.6),), look.line),
        Fill((rectangle(-10.6, -2.2, 12.0, 4.4, 0.8),), "#d9553f"),
        Fill((circle(9.6, 0, 1.7), circle(4.8, 0, 1.1)), look.ground),
        Fill((circle(13.6, 0, 0.9),), "#ffe9a8"),
    )
