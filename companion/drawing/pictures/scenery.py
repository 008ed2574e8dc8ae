"""Land and sky behind a train, made from the card's name, so that no two cards look the same."""

from __future__ import annotations

from random import Random

from companion.drawing import Contour, Fill, Mark, Stroke, circle, ellipse, path, rectangle, star, transform

LEFT, RIGHT = -3.0, 66.0
"""Scenes extend over a card's edges, for the cut."""
TOP, LOW = 20.5, 68.0
"""The visible part of a card's scene, in millimetres from its upper edge."""
RAIL = 62.6
"""Height of the rail's upper edge."""


def scene(luck: Random, sky: tuple[str, ...], dark: bool) -> tuple[Mark, ...]:
    """Return sky, sun or moon, clouds, hills with their scenery, and the track. `dark`: it is night."""
    return (*heaven(luck, sky, dark), *hills(luck, sky, dark), *track(luck))


def mix(one: str, other: str, share: float) -> str:
    """Return a blend of two colours."""
    a, b = bytes.fromhex(one[1:]), bytes.fromhex(other[1:])
    return "#" + bytes([round(x + (y - x) * share) for x, y in zip(a, b, strict=True)]).hex()


def heaven(luck: Random, sky: tuple[str, ...], dark: bool) -> tuple[Mark, ...]:
    """Return the sky in waving steps from its top to the horizon, the sun or moon, stars or clouds."""
    top, middle, horizon = sky
    marks: list[Mark] = [Fill((rectangle(LEFT, TOP, RIGHT - LEFT, LOW - TOP),), top)]
    shades = [mix(top, middle, 0.5), middle, mix(middle, horizon, 0.5), horizon]
    for n, shade in enumerate(shades):
        marks.append(Fill((wave(luck, 27 + 5.2 * n, 1.6, 4),), shade))
    x, y, r = luck.uniform(8, 55), luck.uniform(26, 37), luck.uniform(3.6, 6.2)
    marks.append(Fill((circle(x, y, r * 1.55),), mix(middle, "#ffffff", 0.22 if not dark else 0.08)))
    marks.append(Fill((circle(x, y, r),), "#f6efcf" if dark else mix("#ffd45e", horizon, 0.15)))
    if dark:
        marks.append(Fill((circle(x + r * 0.45, y - r * 0.25, r * 0.85),), mix(top, middle, 0.6)))
        for _ in range(16):
            size = luck.uniform(0.35, 0.8)
            marks.append(Fill((star(luck.uniform(0, 63), luck.uniform(22, 42), size, size * 0.35, 4),), "#f6efcf"))
    marks += balloon(luck) if luck.random() < 0.45 else flock(luck, mix(top, "#101830", 0.75) if not dark else horizon)
    for _ in range(luck.randint(2, 4)):
        marks += cloud(luck, mix("#ffffff", middle, 0.55 if dark else 0.12))
    return tuple(marks)


def cloud(luck: Random, colour: str) -> tuple[Mark, ...]:
    """Return a cloud with a flat underside."""
    x, y, size = luck.uniform(2, 58), luck.uniform(25, 38), luck.uniform(0.7, 1.25)
    heaps = [(circle(n * 2.6, -luck.uniform(0.4, 1.9), luck.uniform(1.5, 2.6)),) for n in range(luck.randint(2, 4))]
    flat = (rectangle(-2.2, -0.9, 2.6 * (len(heaps) - 1) + 4.4, 1.9, 0.9),)
    return transform([Fill(contours, colour) for contours in (*heaps, flat)], x, y, 0, size)


def flock(luck: Random, colour: str) -> tuple[Mark, ...]:
    """Return birds on their way."""
    x, y, marks = luck.uniform(12, 48), luck.uniform(26, 33), list[Mark]()
    for n in range(luck.randint(6, 9)):
        side, size = (-1) ** n, luck.uniform(0.9, 1.5)
        at = (x + side * (n // 2) * 3.2 + luck.uniform(-0.5, 0.5), y + (n // 2) * 1.7 + luck.uniform(-0.6, 0.6))
        wings = path((-1.2, -0.5), ((-0.5, -0.9), (0, 0.1)), ((0.5, -0.9), (1.2, -0.5)))
        marks += transform([Stroke(wings, 0.34, colour)], *at, luck.uniform(-15, 15), size)
    return tuple(marks)


def balloon(luck: Random) -> tuple[Mark, ...]:
    """Return a hot-air balloon with stripes."""
    one, other = luck.choice((("#d8432f", "#fbe9b8"), ("#2b59ab", "#f2c230"), ("#7e2a68", "#a8c94a")))
    hull = path((0, 4.6), ((-1.2, 3.4), (-3.2, 1.6), (-3.2, -0.8)), ((-3.2, -4.6), (3.2, -4.6), (3.2, -0.8)),
                ((3.2, 1.6), (1.2, 3.4), (0, 4.6)))  # fmt: skip
    marks = (
        Fill((hull,), one),
        Fill((ellipse(0, -0.4, 1.9, 3.3), ellipse(0, -0.4, 0.8, 3.3)), other),
        Stroke(((-1.0, 3.4), (-0.7, 5.4)), 0.2, "#3b2a1a"),
        Stroke(((1.0, 3.4), (0.7, 5.4)), 0.2, "#3b2a1a"),
        Fill((rectangle(-0.9, 5.3, 1.8, 1.3, 0.3),), "#8f5f2c"),
    )
    return transform(marks, luck.uniform(8, 55), luck.uniform(27, 33), luck.uniform(-8, 8), luck.uniform(0.8, 1.25))


def hills(luck: Random, sky: tuple[str, ...], dark: bool) -> tuple[Mark, ...]:
    """Return three ranges of hills, the nearer the greener, with mountains, trees, houses and poles."""
    marks: list[Mark] = []
    near = luck.choice(("#5f8f3e", "#7f9a3c", "#4f8757", "#a08d3f"))
    if dark:
        near = mix(near, "#101830", 0.55)
    if luck.random() < 0.5:
        marks += mountains(luck, mix(sky[0], "#3d4560", 0.45))
    for n, share in enumerate((0.62, 0.34, 0.0)):
        level, shade = 46 + 5.0 * n, mix(near, sky[2], share)
        marks.append(Fill((wave(luck, level, 2.6 - 0.5 * n, 3 + n),), shade))
        things = (trees, houses, trees)[n] if luck.random() < 0.8 else trees
        marks += things(luck, level + 2.2, 0.62 + 0.24 * n, mix(shade, "#12251c", 0.42))
    return tuple(marks)


def mountains(luck: Random, colour: str) -> tuple[Mark, ...]:
    """Return a range of pointed mountains with snow."""
    marks: list[Mark] = []
    for _ in range(luck.randint(2, 4)):
        x, height, wide = luck.uniform(0, 63), luck.uniform(8, 15), luck.uniform(9, 16)
        top, base = 50 - height, 50.0
        marks.append(Fill((((x - wide, base), (x, top), (x + wide, base)),), colour))
        marks.append(Fill((((x, top), (x + wide, base), (x + wide * 0.25, base)),), mix(colour, "#101828", 0.22)))
        snow: Contour = ((x - wide * 0.28, top + height * 0.28), (x, top), (x + wide * 0.28, top + height * 0.28),
                         (x + wide * 0.1, top + height * 0.22), (x - wide * 0.04, top + height * 0.36))  # fmt: skip
        marks.append(Fill((snow,), "#f4f6fa"))
    return tuple(marks)


def trees(luck: Random, level: float, size: float, colour: str) -> tuple[Mark, ...]:
    """Return trees on a hill: firs or round ones."""
    marks: list[Mark] = []
    for _ in range(luck.randint(5, 8)):
        x, y, s = luck.uniform(-1, 64), level + luck.uniform(-1.5, 2.0), size * luck.uniform(0.7, 1.3)
        shade = mix(colour, luck.choice(("#2f6b3a", "#7f8f2f", "#123a33")), 0.4)
        marks.append(Stroke(((x, y), (x, y - 2 * s)), 0.5 * s, "#4a3524"))
        if luck.random() < 0.5:
            for n in range(3):
                w, low = (1.9 - 0.45 * n) * s, y - (1.0 + 1.25 * n) * s
                marks.append(Fill((((x - w, low), (x, low - 2.1 * s), (x + w, low)),), mix(shade, "#ffffff", 0.07 * n)))
        else:
            marks.append(Fill((circle(x, y - 3.1 * s, 1.7 * s),), shade))
            marks.append(Fill((circle(x - 0.4 * s, y - 3.6 * s, 0.9 * s),), mix(shade, "#ffffff", 0.18)))
    return tuple(marks)


def houses(luck: Random, level: float, size: float, colour: str) -> tuple[Mark, ...]:
    """Return a village with a church or a mill, and some trees."""
    marks = [*trees(luck, level, size, colour)]
    at = luck.uniform(6, 40)
    for n in range(luck.randint(2, 4)):
        x, y, w = at + n * luck.uniform(4.4, 6.5), level + luck.uniform(-0.6, 1.4), luck.uniform(3.0, 4.4) * size
        h = luck.uniform(2.2, 3.2) * size
        wall = luck.choice(("#f3e7d2", "#e3c9a8", "#d9d4c7", "#eab676"))
        roof = luck.choice(("#a5402d", "#6c3b32", "#45536b"))
        marks.append(Fill((rectangle(x, y - h, w, h),), wall))
        marks.append(Fill((((x - 0.4, y - h), (x + w / 2, y - h - 2.0 * size), (x + w + 0.4, y - h)),), roof))
        marks.append(Fill((rectangle(x + w * 0.2, y - h * 0.7, w * 0.2, h * 0.32),), "#3b4558"))
        marks.append(Fill((rectangle(x + w * 0.6, y - h * 0.6, w * 0.22, h * 0.6),), "#5a3b26"))
    return tuple(marks)


def track(luck: Random) -> tuple[Mark, ...]:
    """Return ballast with stones, sleepers and the rail, and a mile post."""
    marks: list[Mark] = [Fill((rectangle(LEFT, RAIL + 0.4, RIGHT - LEFT, LOW - RAIL),), "#8d8577")]
    for _ in range(90):
        stone = ellipse(luck.uniform(LEFT, RIGHT), luck.uniform(RAIL + 1.6, LOW), luck.uniform(0.25, 0.6), 0.28)
        marks.append(Fill((stone,), luck.choice(("#a79f90", "#746c60", "#bdb5a5", "#5f584e"))))
    for n in range(15):
        marks.append(Fill((rectangle(LEFT + 1 + 4.8 * n, RAIL + 0.9, 2.6, 1.5, 0.2),), "#55402f"))
    marks.append(Fill((rectangle(LEFT, RAIL, RIGHT - LEFT, 0.9),), "#3a3f49"))
    marks.append(Fill((rectangle(LEFT, RAIL, RIGHT - LEFT, 0.3),), "#c3c9d2"))
    return tuple(marks)


def wave(luck: Random, level: float, height: float, waves: int) -> Contour:
    """Return an area below a waving line, down to the scene's end."""
    step = (RIGHT - LEFT) / waves
    y = level + luck.uniform(-height, height)
    parts: list[tuple[tuple[float, float], ...]] = []
    for n in range(waves):
        x, after = LEFT + n * step, level + luck.uniform(-height, height)
        parts.append(((x + step * 0.5, y), (x + step * 0.5, after), (x + step, after)))
        y = after
    return (*path((LEFT, parts[0][0][1]), *parts), (RIGHT, LOW), (LEFT, LOW))
