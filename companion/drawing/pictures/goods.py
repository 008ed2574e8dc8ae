"""Small pictures of loads, drives and special cards, drawn around (0, 0) with a radius of about 1."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

from companion.drawing import Contour, Fill, Mark, Stroke, arc, circle, ellipse, path, rectangle, star, transform

INK, PAPER = "#1b2130", "#faf5e8"


def apple() -> tuple[Mark, ...]:
    """An apple with its leaf."""
    body = path(
        (0, -0.42),
        ((0.25, -0.68), (0.95, -0.62), (0.92, 0.05)),
        ((0.9, 0.62), (0.5, 0.98), (0.22, 0.95)),
        ((0.08, 0.93), (-0.08, 0.93), (-0.22, 0.95)),
        ((-0.5, 0.98), (-0.9, 0.62), (-0.92, 0.05)),
        ((-0.95, -0.62), (-0.25, -0.68), (0, -0.42)),
    )
    leaf = path((0.08, -0.62), ((0.2, -1.05), (0.62, -1.0)), ((0.55, -0.55), (0.08, -0.62)))
    shine = path((-0.62, 0.1), ((-0.68, -0.35), (-0.35, -0.38)), ((-0.52, -0.2), (-0.62, 0.1)))
    return (
        Fill((body,), "#c8302b"),
        Stroke(((0, -0.42), (0.03, -0.85)), 0.14, "#5b3a1d"),
        Fill((leaf,), "#3f7a2d"),
        Fill((shine,), "#f0a79b"),
    )


def cow() -> tuple[Mark, ...]:
    """A cow's head from the front."""
    head = path(
        (-0.55, -0.55),
        ((-0.2, -0.72), (0.2, -0.72), (0.55, -0.55)),
        ((0.62, 0.0), (0.42, 0.3), (0.4, 0.5)),
        ((0.3, 0.7), (-0.3, 0.7), (-0.4, 0.5)),
        ((-0.42, 0.3), (-0.62, 0.0), (-0.55, -0.55)),
    )
    patch = path(
        (0.05, -0.66), ((0.4, -0.66), (0.55, -0.55)), ((0.66, -0.1), (0.42, 0.15)), ((0.05, 0.0), (0.05, -0.66))
    )
    ears = tuple(
        [
            path((s * 0.5, -0.42), ((s * 0.8, -0.62), (s * 1.02, -0.35)), ((s * 0.8, -0.12), (s * 0.5, -0.22)))
            for s in (-1, 1)
        ]
    )
    horns = tuple(
        [
            path(
                (s * 0.42, -0.58),
                ((s * 0.8, -0.66), (s * 0.66, -1.02)),
                ((s * 0.58, -0.78), (s * 0.22, -0.66)),
            )
            for s in (-1, 1)
        ]
    )
    return (
        Fill(horns, "#d9c9a0"),
        Fill(ears, "#6b3e20"),
        Fill((head,), "#f5ede0"),
        Fill((patch,), "#6b3e20"),
        Fill((ellipse(0, 0.62, 0.5, 0.33),), "#e3a293"),
        Fill((ellipse(-0.2, 0.6, 0.08, 0.11), ellipse(0.2, 0.6, 0.08, 0.11)), "#7c4238"),
        Fill((circle(-0.28, -0.15, 0.1), circle(0.28, -0.15, 0.1)), INK),
    )


def coal() -> tuple[Mark, ...]:
    """A lump of coal, broken into faces."""
    lump: Contour = ((-0.95, 0.25), (-0.7, -0.45), (-0.1, -0.85), (0.55, -0.62), (0.95, 0.0), (0.72, 0.65),
                     (-0.1, 0.85), (-0.7, 0.7))  # fmt: skip
    return (
        Fill((lump,), "#22252c"),
        Fill((((-0.7, -0.45), (-0.1, -0.85), (0.1, -0.25), (-0.4, 0.0)),), "#7d8593"),
        Fill((((-0.1, -0.85), (0.55, -0.62), (0.1, -0.25)),), "#565d69"),
        Fill((((0.1, -0.25), (0.95, 0.0), (0.72, 0.65), (0.2, 0.3)),), "#3a3f4a"),
        Fill((((-0.95, 0.25), (-0.4, 0.0), (-0.3, 0.55), (-0.7, 0.7)),), "#454b56"),
    )


def drop() -> tuple[Mark, ...]:
    """A drop of oil."""
    body = path(
        (0.0, -1.0),
        ((0.15, -0.6), (0.68, -0.1), (0.68, 0.35)),
        ((0.68, 0.75), (0.36, 1.0), (0.0, 1.0)),
        ((-0.36, 1.0), (-0.68, 0.75), (-0.68, 0.35)),
        ((-0.68, -0.1), (-0.15, -0.6), (0.0, -1.0)),
    )
    shine = path(
        (-0.42, 0.35), ((-0.42, 0.72), (-0.08, 0.78)), ((-0.2, 0.6), (-0.22, 0.3)), ((-0.3, 0.1), (-0.42, 0.35))
    )
    return Fill((body,), "#0b3c47"), Fill((shine,), "#8ed1dc")


def gem() -> tuple[Mark, ...]:
    """A cut stone."""
    outline: Contour = ((-0.6, -0.65), (0.6, -0.65), (1.0, -0.15), (0.0, 0.95), (-1.0, -0.15))
    return (
        Fill((outline,), "#c02d8f"),
        Fill((((-1.0, -0.15), (-0.6, -0.65), (-0.38, -0.15)),), "#e37bc0"),
        Fill((((-0.6, -0.65), (0.0, -0.65), (-0.38, -0.15)),), "#f6c3e3"),
        Fill((((0.0, -0.65), (0.38, -0.15), (-0.38, -0.15)),), "#e99bd0"),
        Fill((((0.38, -0.15), (1.0, -0.15), (0.0, 0.95)),), "#8d1d68"),
        Fill((((-0.38, -0.15), (0.38, -0.15), (0.0, 0.95)),), "#d652a8"),
    )


def person() -> tuple[Mark, ...]:
    """A traveller with a hat."""
    coat = path((-0.85, 1.0), ((-0.85, 0.25), (-0.4, 0.2), (0.0, 0.2)), ((0.4, 0.2), (0.85, 0.25), (0.85, 1.0)))
    crown = path((-0.36, -0.45), ((-0.36, -0.98), (0.0, -1.0)), ((0.36, -0.98), (0.36, -0.45)))
    return (
        Fill((coat,), "#28496e"),
        Fill((((-0.2, 0.2), (0.2, 0.2), (0.0, 0.62)),), PAPER),
        Fill((circle(0, -0.2, 0.4),), "#d99a6c"),
        Fill((crown, ellipse(0, -0.44, 0.62, 0.12)), "#1f2937"),
        Fill((rectangle(-0.37, -0.66, 0.74, 0.13),), "#c8302b"),
    )


def puffs() -> tuple[Mark, ...]:
    """A chimney and its smoke."""
    chimney: Contour = ((-0.62, 0.0), (0.0, 0.0), (-0.1, 0.25), (-0.12, 1.0), (-0.5, 1.0), (-0.52, 0.25))
    smoke = (circle(-0.3, -0.3, 0.26), circle(0.12, -0.55, 0.36), circle(0.62, -0.62, 0.32))
    return (
        *[Fill((c,), "#6f7785") for c in smoke],
        *[Fill((circle(x - 0.06, y - 0.07, r * 0.72),), "#aab2bf") for x, y, r in
          ((-0.3, -0.3, 0.26), (0.12, -0.55, 0.36), (0.62, -0.62, 0.32))],
        Fill((chimney,), INK),
        Fill((rectangle(-0.66, -0.02, 0.7, 0.14),), "#b8862f"),
    )  # fmt: skip


def cog() -> tuple[Mark, ...]:
    """A toothed wheel."""
    rim: list[tuple[float, float]] = []
    for n in range(8):
        a = math.radians(45 * n)
        for turn, r in ((-0.25, 0.7), (-0.16, 1.0), (0.16, 1.0), (0.25, 0.7)):
            rim.append((r * math.cos(a + turn), r * math.sin(a + turn)))
    return (
        Fill((tuple(rim), circle(0, 0, 0.3)), "#3b4350"),
        Fill((circle(0, 0, 0.52), circle(0, 0, 0.3)), "#e07b2c"),
        Fill((circle(0.1, -0.02, 0.1),), "#3b4350"),
    )


def bolt() -> tuple[Mark, ...]:
    """A lightning bolt."""
    outline: Contour = ((0.25, -1.0), (-0.65, 0.18), (-0.08, 0.18), (-0.3, 1.0), (0.65, -0.25), (0.08, -0.25))
    shade: Contour = ((0.65, -0.25), (0.08, -0.25), (-0.02, -0.05), (0.3, -0.05), (-0.3, 1.0))
    return Fill((outline,), "#f2b705"), Fill((shade,), "#c98a00")


def star_sign() -> tuple[Mark, ...]:
    """A star with a ray that is longer than the others."""
    return Fill((star(0, 0, 1.0, 0.42),), "#d24b3a"), Fill((((0, -1.0), (0.25, -0.34), (0, 0)),), "#f2a08f")


def dustbin() -> tuple[Mark, ...]:
    """A dustbin whose lid flies off."""
    body: Contour = ((-0.6, -0.3), (0.6, -0.3), (0.48, 0.98), (-0.48, 0.98))
    ribs = [Stroke(((x, -0.1), (x * 0.85, 0.78)), 0.12, "#8c96a3") for x in (-0.32, 0.0, 0.32)]
    lid = transform([Fill((rectangle(-0.72, -0.1, 1.44, 0.2, 0.08), rectangle(-0.2, -0.28, 0.4, 0.16)), "#3f4855")],
                0.1, -0.66, -18)  # fmt: skip
    return Fill((body,), "#5b6572"), *ribs, *lid


def longer() -> tuple[Mark, ...]:
    """Three small wagons in a line, and an arrow beyond them."""
    wagons = [Fill((rectangle(-1.0 + 0.52 * n, -0.1, 0.44, 0.42, 0.05),), c)
              for n, c in enumerate(("#8a4a25", "#167f92", "#7e2a68"))]  # fmt: skip
    wheels = [Fill((circle(-0.78 + 0.52 * n + s, 0.42, 0.11),), INK) for n in range(3) for s in (-0.11, 0.11)]
    arrow: Contour = (
        (-1.0, -0.62),
        (0.45, -0.62),
        (0.45, -0.86),
        (1.0, -0.5),
        (0.45, -0.14),
        (0.45, -0.38),
        (-1.0, -0.38),
    )
    plus = (
        Stroke(((0.58, 0.12), (0.98, 0.12)), 0.16, "#d24b3a"),
        Stroke(((0.78, -0.08), (0.78, 0.32)), 0.16, "#d24b3a"),
    )
    return Fill((arrow,), "#f2c230"), *wagons, *wheels, *plus


def medal() -> tuple[Mark, ...]:
    """A medal on its ribbon, for a multiplier."""
    tails: tuple[Contour, ...] = (((-0.42, 0.1), (-0.62, 1.0), (-0.3, 0.8), (-0.08, 0.98), (0.0, 0.2)),
                                  ((0.42, 0.1), (0.55, 0.9), (0.28, 0.76), (0.08, 0.98), (0.0, 0.2)))  # fmt: skip
    return (
        *[Fill((tail,), "#c8302b") for tail in tails],
        Fill((star(0, -0.25, 0.75, 0.62, 12),), "#d99a1c"),
        Fill((circle(0, -0.25, 0.52),), "#f7d774"),
        Stroke(((-0.24, -0.25), (0.24, -0.25)), 0.15, "#7a4d05"),
        Stroke(((0, -0.49), (0, -0.01)), 0.15, "#7a4d05"),
    )


def coins() -> tuple[Mark, ...]:
    """A heap of coins."""
    marks: list[Mark] = []
    for x, y in ((-0.45, 0.72), (0.45, 0.72), (-0.45, 0.48), (0.45, 0.48), (0.48, 0.24), (-0.45, 0.24), (-0.42, 0.0)):
        marks += [Fill((ellipse(x, y + 0.08, 0.5, 0.2),), "#9c6a07"), Fill((ellipse(x, y, 0.5, 0.2),), "#f2c230")]
    return (
        *marks,
        Fill((circle(0.3, -0.48, 0.46),), "#9c6a07"),
        Fill((circle(0.27, -0.51, 0.43),), "#f7d774"),
        Stroke(tuple(arc(0.27, -0.51, 0.28, 20, 320)), 0.1, "#9c6a07"),
    )


def twins() -> tuple[Mark, ...]:
    """A wagon and its double behind it."""
    marks: list[Mark] = []
    for x, y, body, roof in ((0.16, -0.32, "#b9bfc9", "#8a919d"), (-0.16, 0.2, "#d24b3a", "#1b2130")):
        marks += [
            Fill((rectangle(x - 0.8, y - 0.38, 1.6, 0.72, 0.1),), body),
            Fill((rectangle(x - 0.86, y - 0.5, 1.72, 0.2, 0.1),), roof),
            *[Fill((rectangle(x - 0.62 + 0.46 * n, y - 0.16, 0.3, 0.28),), PAPER) for n in range(3)],
            *[Fill((circle(x + s * 0.48, y + 0.42, 0.18),), INK) for s in (-1, 1)],
        ]
    return tuple(marks)


GOODS: dict[str, Callable[[], tuple[Mark, ...]]] = {
    "apple": apple, "cow": cow, "coal": coal, "drop": drop, "gem": gem, "person": person, "puffs": puffs, "cog": cog,
    "bolt": bolt, "star": star_sign, "bin": dustbin, "longer": longer, "multiplier": medal, "bonus": coins,
    "twin": twins,
}  # fmt: skip
"""Every small picture by its name."""


def place_picture(name: str, x: float, y: float, radius: float, turn: float = 0.0) -> tuple[Mark, ...]:
    """Return a small picture around a point, turned clockwise by degrees."""
    return transform(_marks(name), x, y, turn, radius)


@cache
def _marks(name: str) -> tuple[Mark, ...]:
    """Return the marks of a small picture; a deck shows thousands of them."""
    return GOODS[name]()


def silhouette(name: str, x: float, y: float, radius: float, turn: float, colour: str) -> tuple[Mark, ...]:
    """Return a small picture's outline in one colour."""
    return tuple(
        [
            Fill(mark.contours, colour) if isinstance(mark, Fill) else Stroke(mark.points, mark.width, colour)
            for mark in place_picture(name, x, y, radius, turn)
            if isinstance(mark, Fill | Stroke)
        ]
    )
