"""The back of all Express cards: a face-down card is a locomotive, so the back shows one from the front."""

from __future__ import annotations

import math
from random import Random

from companion.drawing import Fill, Mark, Stroke, circle, path, rectangle, star
from companion.drawing.pictures.brush import GOLD, INK, RED, Marks, area, box, disc, line, ring
from companion.drawing.pictures.frame import HEIGHT, OUT, WIDTH
from companion.drawing.pictures.scenery import mix
from companion.games.express.deck.frame import BackLook

MIDDLE = WIDTH / 2


def back(look: BackLook) -> Marks:
    """Return an engine from the front in its own lamplight, on rails from the distant hills by night."""
    return (
        *night(look),
        *track(look),
        *engine(look),
        Stroke(rectangle(3.2, 3.2, WIDTH - 6.4, HEIGHT - 6.4, 2.4), 0.7, look.line, closed=True),
    )


def night(look: BackLook) -> Marks:
    """Return the sky with stars, and the rays of the lamp."""
    luck, marks = Random("back"), list[Mark]()
    marks.append(Fill((rectangle(-OUT, -OUT, WIDTH + 2 * OUT, HEIGHT + 2 * OUT),), look.ground))
    for n in range(20):
        turns = [math.radians(18 * n + edge) for edge in (2, 11)]
        ray = [(MIDDLE + 110 * math.cos(a), 27 + 110 * math.sin(a)) for a in turns]
        marks.append(area(look.second, (MIDDLE, 27), *ray))
    for _ in range(60):
        r, x, y = luck.uniform(0.5, 1.4), luck.uniform(1, 62), luck.uniform(2, 48)
        marks.append(Fill((star(x, y, r, r * 0.4, luck.choice((4, 5))),), look.line))
    return tuple(marks)


def track(look: BackLook) -> Marks:
    """Return ballast, sleepers and the two rails below the engine."""
    sleepers = [box(MIDDLE, 79 + 4.4 * n, 44 + 7 * n, 2.2, mix(look.line, look.ground, 0.45)) for n in range(4)]
    rails = [line(1.6, look.line, (MIDDLE + s * 14, 74), (MIDDLE + s * 22, 95)) for s in (-1, 1)]
    ridge = (-4, 60), (8, 54), (20, 66), (44, 62), (54, 52), (67, 62)
    return (area(mix(look.ground, "#000000", 0.35), (-4, 95), *ridge, (67, 95)), *sleepers, *rails)


def engine(look: BackLook) -> Marks:
    """Return smoke box, lamp, buffers and cow-catcher of an engine."""
    puffs = [disc(MIDDLE + x, y, r, mix(look.line, look.ground, share)) for x, y, r, share in (
        (9, 7, 5.4, 0.62), (2, 8.6, 4.6, 0.5), (-4.6, 6.4, 4.0, 0.56), (1, 12.4, 3.4, 0.4))]  # fmt: skip
    bars = [line(1.0, look.line, (MIDDLE + 2.6 * n, 70), (MIDDLE + 4.6 * n, 82.4)) for n in range(-4, 5)]
    around = [math.pi * n / 10 for n in range(20)]
    rivets = [disc(MIDDLE + 15.4 * math.cos(a), 45 + 15.4 * math.sin(a), 0.6, look.line) for a in around]
    buffers, lamps = list[Mark](), list[Mark]()
    for side in (-1, 1):
        x, far = MIDDLE + side * 15.6, MIDDLE + side * 21
        buffers += [disc(x, 66.4, 4.2, INK), ring(x, 66.4, 3.4, 0.9, look.line), disc(x, 66.4, 1.4, look.line)]
        lamps += [disc(far, 57, 2.9, INK), disc(far, 57, 2.0, RED)]
    return (
        *puffs, area(INK, (MIDDLE - 5, 13.6), (MIDDLE + 5, 13.6), (MIDDLE + 3.4, 30), (MIDDLE - 3.4, 30)),
        box(MIDDLE, 15.4, 12, 2.6, look.line, 0.8), *[box(MIDDLE + s * 19, 62, 9, 27, INK, 1.6) for s in (-1, 1)],
        *[box(MIDDLE + s * 19, 47, 5.4, 9, GOLD, 0.8) for s in (-1, 1)], *lamps,
        disc(MIDDLE, 45, 18, INK), ring(MIDDLE, 45, 17.2, 1.0, look.line), *rivets,
        disc(MIDDLE, 45, 12.6, mix(look.ground, INK, 0.4)),
        ring(MIDDLE, 45, 12.6, 0.8, look.line), line(1.2, look.line, (MIDDLE - 9, 50), (MIDDLE + 9, 50)),
        line(1.0, look.line, (MIDDLE - 9, 40), (MIDDLE - 12, 40)),
        disc(MIDDLE, 45, 2.0, look.line), box(MIDDLE, 33.4, 9.6, 11, INK, 1.4), disc(MIDDLE, 27.6, 5.2, look.line),
        disc(MIDDLE, 27.6, 4.3, "#fff3c4"),
        disc(MIDDLE, 27.6, 2.2, "#ffffff"), box(MIDDLE, 70.4, 46, 7.4, INK, 1), *buffers,
        Fill((path((MIDDLE - 12, 70), ((MIDDLE + 12, 70),), ((MIDDLE + 21, 83),), ((MIDDLE - 21, 83),)),), INK),
        *bars, line(1.2, look.line, (MIDDLE - 20, 83), (MIDDLE + 20, 83)),
        Stroke(circle(MIDDLE, 27.6, 6.2), 0.5, GOLD, closed=True),
    )  # fmt: skip
