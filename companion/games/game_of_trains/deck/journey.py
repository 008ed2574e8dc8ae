"""The lands of one journey, from a beach at dawn to snow at night, and the position of each number.

A line that rises from left to right therefore travels through one day and one country, and a misplaced wagon stands out
from a distance. A number always has the same land and hour, in every catalogue.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from random import Random

from companion.drawing import Clipped, Contour, Fill, Mark, circle, ellipse, path, rectangle, star, transform
from companion.drawing.pictures.brush import Marks, area, block, disc, line
from companion.drawing.pictures.scenery import LEFT, LOW, RIGHT, heaven, houses, mix, mountains, track, trees, wave

LAST = 84
"""The number at the end of the journey; higher ones stay there."""
Sky = tuple[str, str, str]
"""A sky from its top to the horizon."""
HOURS: tuple[Sky, ...] = (
    ("#e98f9b", "#f3ad93", "#fde6bd"),
    ("#84c2e6", "#b2dbe8", "#f6efcf"),
    ("#3f9fd8", "#7cc4ea", "#cdeaf2"),
    ("#2f8fc9", "#63b3df", "#c7e8ee"),
    ("#e8a33d", "#f4c76a", "#fbe9b2"),
    ("#b8456a", "#ea7d4d", "#fbc66b"),
    ("#51388a", "#9a5799", "#ec9a8c"),
    ("#242a66", "#46488e", "#8d7fb4"),
    ("#0e1330", "#1c2450", "#3d4b86"),
)
"""The sky from its top to the horizon, hour by hour from dawn to night, at equal distances of the journey."""
DARK = 0.8
"""The share of the journey from which it is night."""


def land(number: int, luck: Random) -> Marks:
    """Return the sky, the land and the track for a number."""
    share = progress(number)
    sky, dark = hour(share), share >= DARK
    paint = LANDS[bisect_right(BOUNDS, number) - 1]
    return (*heaven(luck, sky, dark), *paint(luck, sky, 0.45 if dark else 0.0), *track(luck))


def progress(number: int) -> float:
    """Return a number's progress on the journey, from 0 to 1."""
    return min(max(number, 1), LAST) / LAST


def hour(share: float) -> Sky:
    """Return the sky at a share of the journey, from 0 to 1."""
    at = share * (len(HOURS) - 1)
    n = min(int(at), len(HOURS) - 2)
    top, middle, horizon = [mix(one, other, at - n) for one, other in zip(HOURS[n], HOURS[n + 1], strict=True)]
    return top, middle, horizon


Land = Callable[[Random, Sky, float], Marks]
"""Draws a land from luck and a sky; `night` is the darkness of night, from 0 to 1."""


def _at_night(colour: str, night: float) -> str:
    return mix(colour, "#0e1634", night)


def sea(luck: Random, sky: Sky, night: float) -> Marks:
    """Return the sea with boats, an island with a lighthouse, and a beach."""
    deep = _at_night(luck.choice(("#2f7fa8", "#2a8f9c", "#3b74b0")), night)
    x = luck.uniform(6, 56)
    marks: list[Mark] = [
        block(LEFT, 45.5, RIGHT - LEFT, LOW - 45.5, deep),
        area(mix(deep, "#35502f", 0.75), *ellipse(x, 46, 8.5, 2.6)),
        area("#f7f1e4", (x - 1.5, 45), (x - 0.9, 35.5), (x + 0.9, 35.5), (x + 1.5, 45)),
        Fill((rectangle(x - 1.25, 37.6, 2.5, 2.1), rectangle(x - 1.4, 41.6, 2.8, 2.0)), "#d24b3a"),
        block(x - 0.9, 33.6, 1.8, 2.0, "#ffe27a"),
        area("#3b2f3a", (x - 1.4, 33.7), (x, 32.2), (x + 1.4, 33.7)),
    ]
    for _ in range(luck.randint(2, 4)):
        at, y, size = luck.uniform(2, 60), luck.uniform(47.5, 52), luck.uniform(0.8, 1.4)
        colour = luck.choice(("#ffffff", "#f2c230", "#e2703a", "#f7d9c4"))
        sails = ((-0.2, -0.3), (-0.2, -4.4), (-2.2, -0.3)), ((0.2, -0.3), (0.2, -5), (2.3, -0.3))
        hull = area("#5b3a24", (-2.4, 0), (2.4, 0), (1.6, 1.1), (-1.6, 1.1))
        marks += transform((hull, Fill(sails, colour)), at, y, luck.uniform(-6, 6), size)
    foam, sand = mix(deep, "#ffffff", 0.4), _at_night("#efd9a0", night)
    for _ in range(26):
        at, y = luck.uniform(LEFT, RIGHT), luck.uniform(46.6, 58)
        marks.append(line(0.3, foam, (at, y), (at + luck.uniform(1, 3.4), y)))
    marks.append(area(sand, *wave(luck, 58.5, 0.9, 3)))
    stone = mix(sand, "#8a6d3b", 0.5)
    for _ in range(20):
        marks.append(disc(luck.uniform(0, 63), luck.uniform(60, 62), luck.uniform(0.2, 0.5), stone))
    return tuple(marks)


def meadow(luck: Random, sky: Sky, night: float) -> Marks:
    """Return round hills and a meadow full of flowers."""
    green = _at_night(luck.choice(("#7fb544", "#94b83a", "#69ad55")), night)
    marks: list[Mark] = []
    for n, share in enumerate((0.5, 0.25, 0.0)):
        marks.append(area(mix(green, sky[2], share), *wave(luck, 45.5 + 4.5 * n, 2.6, 2 + n)))
        marks += trees(luck, 47 + 4.5 * n, 0.5 + 0.2 * n, mix(green, "#12351c", 0.5))[: 12 + 6 * n]
    for _ in range(80):
        y = luck.uniform(52, 62.4)
        flower = luck.choice(("#ffffff", "#f2c230", "#e0567a", "#f28a30", "#8a62c4"))
        marks.append(disc(luck.uniform(LEFT, RIGHT), y, (y - 46) * 0.045, flower))
    return tuple(marks)


def forest(luck: Random, sky: Sky, night: float) -> Marks:
    """Return rows of firs, one behind the other."""
    green = _at_night(luck.choice(("#2f6b46", "#3b7a3d", "#2a6a5e")), night)
    marks: list[Mark] = []
    for row, share in enumerate((0.55, 0.3, 0.0)):
        shade, level, size = mix(green, sky[2], share), 49.0 + 5.5 * row, 1.0 + 0.35 * row
        marks.append(area(shade, *wave(luck, level - 1, 1.2, 4)))
        for n in range(13 - 2 * row):
            x, high = LEFT + n * (5.4 + row) + luck.uniform(-1.6, 1.6), size * luck.uniform(0.75, 1.35)
            marks += fir(x, level + 1, high, mix(shade, "#0c2a22", luck.uniform(0, 0.35)))
    return tuple(marks)


def fir(x: float, y: float, size: float, colour: str, snow: str = "") -> Marks:
    """Return a fir at a point, perhaps with snow on its branches."""
    marks: list[Mark] = [line(0.7 * size, "#4a3524", (x, y), (x, y - 2 * size))]
    for n in range(3):
        w, low, high = (2.7 - 0.6 * n) * size, y - (1.2 + 2.1 * n) * size, 1.8 * size
        top = (x, low - 3.6 * size)
        marks.append(area(mix(colour, "#ffffff", 0.05 * n), (x - w, low), top, (x + w, low)))
        if snow:
            left, right = (x - w * 0.5, low - high), (x + w * 0.5, low - high)
            marks.append(area(snow, left, top, right, (x, low - 1.3 * size)))
    return tuple(marks)


def village(luck: Random, sky: Sky, night: float) -> Marks:
    """Return fields, houses and a windmill or a church."""
    field = _at_night(luck.choice(("#c7b04a", "#a9b84d", "#d1a64f")), night)
    marks: list[Mark] = []
    for n, share in enumerate((0.5, 0.2, 0.0)):
        shade = mix(field, sky[2], share)
        marks.append(area(shade, *wave(luck, 45.5 + 5 * n, 1.8, 3)))
        if n:
            marks += houses(luck, 48.5 + 5 * n, 0.75 + 0.25 * n, mix(shade, "#1c3a1c", 0.5))
    return *marks, *(windmill if luck.random() < 0.5 else church)(luck.uniform(8, 55), luck)


def windmill(x: float, luck: Random) -> Marks:
    """Return a windmill with randomly turned sails."""
    turn = luck.uniform(0, 90)
    blade = (block(0.3, -1.1, 7.4, 1.7, "#fbf3e0"), line(0.4, "#5b3a24", (0, 0), (7.9, 0)))
    return (
        area("#e9ddc6", (x - 3.2, 52), (x - 2.0, 34), (x + 2.0, 34), (x + 3.2, 52)),
        area("#8f4030", *path((x - 2.4, 34.4), ((x - 2.2, 31), (x + 2.2, 31), (x + 2.4, 34.4)))),
        Fill((rectangle(x - 0.8, 47.5, 1.7, 4.5), circle(x, 41, 0.8)), "#5b3a24"),
        *[mark for n in range(4) for mark in transform(blade, x, 34.5, turn + 90 * n)],
        disc(x, 34.5, 0.9, "#5b3a24"),
    )


def church(x: float, luck: Random) -> Marks:
    """Return a church with a pointed or a round tower."""
    roof = luck.choice(("#3f5f8a", "#8f3a30", "#3d7a66"))
    top: Contour = ((x - 3.0, 36), (x, 27.5), (x + 3.0, 36))
    if luck.random() < 0.5:
        top = path((x - 2.8, 36), ((x - 3.6, 31.5), (x, 33), (x, 28.5)), ((x, 33), (x + 3.6, 31.5), (x + 2.8, 36)))
    return (
        block(x - 2.4, 36, 4.8, 16.5, "#f3ead8"),
        block(x + 2.4, 43.5, 9, 9, "#e9dcc2"),
        area(roof, (x + 2.2, 43.7), (x + 3.6, 39.5), (x + 10.2, 39.5), (x + 11.8, 43.7)),
        area(roof, *top),
        Fill((circle(x, 39.2, 1.2), rectangle(x + 4, 46, 1.1, 3), rectangle(x + 7.4, 46, 1.1, 3)), "#4a4f63"),
    )


def desert(luck: Random, sky: Sky, night: float) -> Marks:
    """Return mesas of red rock, dunes and cactuses."""
    rock = _at_night(luck.choice(("#b8552f", "#c46a35", "#a34a3d")), night)
    marks: list[Mark] = []
    for _ in range(3):
        x, w, top = luck.uniform(2, 60), luck.uniform(5, 11), luck.uniform(33, 42)
        slope = ((x - w - 2.5, 53), (x - w, top + 5), (x - w * 0.8, top))
        mesa: Contour = (*slope, (x + w * 0.8, top), (x + w, top + 5), (x + w + 2.5, 53))
        bands = tuple([rectangle(LEFT, top + d, RIGHT - LEFT, 1.1) for d in (2.2, 5.4, 9.0)])
        shade = mix(rock, sky[2], luck.uniform(0.05, 0.4))
        marks.append(Clipped(mesa, (area(shade, *mesa), Fill(bands, mix(shade, "#5b1f1a", 0.3)))))
    sand = _at_night("#e8b766", night)
    for n, share in enumerate((0.35, 0.0)):
        marks.append(area(mix(sand, "#fbe9c2", share), *wave(luck, 51 + 5 * n, 1.8, 2 + n)))
    for _ in range(luck.randint(3, 6)):
        marks += cactus(luck.uniform(1, 62), luck.uniform(53, 60), luck.uniform(0.8, 1.5), luck)
    return tuple(marks)


def cactus(x: float, y: float, size: float, luck: Random) -> Marks:
    """Return a cactus with arms at random heights."""
    a, b = luck.uniform(-4.2, -2.6), luck.uniform(-5, -2.6)
    green = luck.choice(("#3f7a4a", "#5a8a3a", "#2f6b5a"))
    arms = (
        line(1.7, green, (0, 0), (0, -7)),
        line(1.2, green, (0, a), (-2.2, a), (-2.2, a - 2.2)),
        line(1.2, green, (0, b), (2.2, b), (2.2, b - 1.8)),
    )
    return transform(arms, x, y, 0, size)


def city(luck: Random, sky: Sky, night: float) -> Marks:
    """Return two rows of towers with lit windows."""
    marks: list[Mark] = []
    stone = _at_night(luck.choice(("#4f5d86", "#6a4f7d", "#3f6b7d")), night)
    for row, share in enumerate((0.45, 0.0)):
        x = LEFT - luck.uniform(0, 4)
        while x < RIGHT:
            w, top = luck.uniform(4.5, 9), luck.uniform(31, 45) + 5 * row
            shade = mix(mix(stone, sky[2], share), "#1b2130", luck.uniform(0, 0.3))
            marks.append(block(x, top, w, LOW - top, shade))
            if luck.random() < 0.35:
                marks.append(area(shade, (x, top), (x + w / 2, top - luck.uniform(2, 5)), (x + w, top)))
            elif luck.random() < 0.4:
                marks.append(line(0.5, shade, (x + w / 2, top), (x + w / 2, top - 4.5)))
            panes = [rectangle(x + 0.9 + 1.7 * i, top + 1.2 + 2.2 * j, 0.9, 1.2)
                     for i in range(int((w - 1.2) / 1.7)) for j in range(9) if luck.random() < 0.6]  # fmt: skip
            marks.append(Fill(tuple(panes), "#ffe08a" if row else mix("#ffe08a", shade, 0.35)))
            x += w + luck.uniform(0, 1.2)
    return tuple(marks)


def heights(luck: Random, sky: Sky, night: float) -> Marks:
    """Return two ranges of mountains, with a lake or a viaduct's country below them."""
    marks: list[Mark] = [*mountains(luck, mix(sky[0], "#3d4560", 0.5))]
    marks += transform(mountains(luck, _at_night(luck.choice(("#6b6f8a", "#7a6a78", "#5a7a86")), night)), 0, 4)
    green = _at_night(luck.choice(("#55854a", "#6b8a3e", "#3f7a5e")), night)
    marks.append(area(green, *wave(luck, 54, 1.8, 3)))
    water, wood = mix(sky[1], "#ffffff", 0.35), mix(green, "#0c2a22", 0.5)
    marks.append(area(water, *ellipse(luck.uniform(8, 55), 58.5, luck.uniform(7, 13), 1.5)))
    for _ in range(luck.randint(5, 9)):
        marks += fir(luck.uniform(-1, 64), luck.uniform(55.5, 61), luck.uniform(0.55, 0.95), wood)
    return tuple(marks)


def snow(luck: Random, sky: Sky, night: float) -> Marks:
    """Return white hills with snow-covered firs and huts, and snowflakes."""
    white = mix("#f4f8fd", sky[1], 0.22)
    marks: list[Mark] = [*mountains(luck, mix(sky[1], "#7f8fc0", 0.5))]
    for n, share in enumerate((0.5, 0.25, 0.0)):
        level, shade = 46.5 + 5 * n, mix(white, sky[1], share)
        marks.append(area(shade, *wave(luck, level, 2.2, 2 + n)))
        for _ in range(luck.randint(3, 6)):
            x, y = luck.uniform(-1, 64), level + luck.uniform(2, 4)
            marks += fir(x, y, luck.uniform(0.7, 1.05) * (0.7 + 0.2 * n), "#2f5560", white)
    x, y = luck.uniform(6, 50), 54.0
    marks += (
        block(x, y - 4, 7, 4.4, "#7a4a2c"),
        Fill((rectangle(x + 1, y - 3, 1.8, 1.8), rectangle(x + 4, y - 3, 1.8, 1.8)), "#ffd873"),
        area("#ffffff", (x - 1.4, y - 3.7), (x + 3.5, y - 8), (x + 8.4, y - 3.7)),
    )
    for _ in range(46):
        marks.append(disc(luck.uniform(0, 63), luck.uniform(22, 60), luck.uniform(0.2, 0.5), "#ffffff"))
    for _ in range(5):
        marks.append(area("#ffffff", *star(luck.uniform(2, 61), luck.uniform(23, 36), 1.1, 0.35, 6)))
    return tuple(marks)


BOUNDS = (0, 11, 22, 32, 43, 54, 64, 75)
"""The first number of each land."""
LANDS: tuple[Land, ...] = (sea, meadow, forest, village, desert, city, heights, snow)
