"""Heads of animals from the front, each around (0, 0) with a radius of about 1."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

from companion.drawing import Contour, Fill, Mark, Stroke, circle, ellipse, path, rectangle, star, transform

INK, WHITE, ROSE = "#1b2130", "#fbf7ee", "#e79aa0"


def _eyes(apart: float, y: float, size: float = 0.1) -> Mark:
    return Fill((circle(-apart, y, size), circle(apart, y, size)), INK)


def _pair(*points: tuple[float, float]) -> tuple[Contour, ...]:
    """Return a contour and its mirror image."""
    return tuple(points), tuple([(-x, y) for x, y in points])


def _both(x: float, y: float, across: float, down: float) -> tuple[Contour, ...]:
    return ellipse(-x, y, across, down), ellipse(x, y, across, down)


def bear() -> tuple[Mark, ...]:
    """A brown bear."""
    return (
        Fill(_both(0.62, -0.58, 0.32, 0.32), "#6b4426"), Fill(_both(0.62, -0.58, 0.17, 0.17), "#d9a878"),
        Fill((ellipse(0, 0.08, 0.9, 0.84),), "#8a5a33"), Fill((ellipse(0, 0.42, 0.45, 0.36),), "#e3c09a"),
        Fill((ellipse(0, 0.27, 0.17, 0.12),), INK), Stroke(((0, 0.36), (0, 0.56)), 0.08, INK), _eyes(0.36, -0.08),
    )  # fmt: skip


def fox() -> tuple[Mark, ...]:
    """A fox."""
    face = path((0, 0.95), ((-0.3, 0.9), (-1.0, 0.4), (-0.95, -0.1)), ((-0.7, -0.6), (0.7, -0.6), (0.95, -0.1)),
                ((1.0, 0.4), (0.3, 0.9), (0, 0.95)))  # fmt: skip
    cheeks = (path((0, 0.95), ((-0.3, 0.9), (-1.0, 0.4), (-0.95, -0.05)), ((-0.4, 0.1), (0, 0.6))),
              path((0, 0.95), ((0.3, 0.9), (1.0, 0.4), (0.95, -0.05)), ((0.4, 0.1), (0, 0.6))))  # fmt: skip
    return (
        Fill(_pair((-0.9, -0.98), (-0.95, 0.0), (-0.2, -0.42)), "#d9642a"),
        Fill(_pair((-0.8, -0.7), (-0.8, -0.2), (-0.4, -0.42)), INK),
        Fill((face,), "#e2712f"), *[Fill((c,), WHITE) for c in cheeks],
        Fill((ellipse(0, 0.85, 0.16, 0.13),), INK), _eyes(0.4, 0.02, 0.11),
    )  # fmt: skip


def rabbit() -> tuple[Mark, ...]:
    """A rabbit with long ears."""
    return (
        Fill(_both(0.34, -0.6, 0.22, 0.55), "#cfc6bd"), Fill(_both(0.34, -0.56, 0.1, 0.38), ROSE),
        Fill((ellipse(0, 0.3, 0.74, 0.66),), "#e5ddd3"), Fill(_both(0.2, 0.55, 0.24, 0.19), WHITE),
        Fill((((-0.12, 0.36), (0.12, 0.36), (0, 0.5)),), "#c9576a"),
        Fill((rectangle(-0.13, 0.62, 0.26, 0.24, 0.04),), WHITE), _eyes(0.34, 0.14, 0.11),
    )  # fmt: skip


def cat() -> tuple[Mark, ...]:
    """A grey cat with whiskers."""
    whiskers = [Stroke(((s * 0.3, 0.42 + d * 0.5), (s * 1.02, 0.36 + d)), 0.05, WHITE)
                for s in (-1, 1) for d in (-0.06, 0.18)]  # fmt: skip
    return (
        Fill(_pair((-0.82, -0.95), (-0.88, 0.0), (-0.15, -0.5)), "#59616f"),
        Fill(_pair((-0.74, -0.7), (-0.76, -0.2), (-0.36, -0.46)), ROSE),
        Fill((ellipse(0, 0.16, 0.88, 0.76),), "#747d8c"),
        *[Stroke(((x, -0.52), (x * 0.8, -0.22)), 0.11, "#4a515d") for x in (-0.25, 0.0, 0.25)],
        Fill(_both(0.38, 0.02, 0.18, 0.2), "#c8e06a"), Fill(_both(0.38, 0.02, 0.07, 0.18), INK),
        Fill((ellipse(0, 0.5, 0.34, 0.24),), WHITE), Fill((((-0.12, 0.34), (0.12, 0.34), (0, 0.48)),), "#c9576a"),
        *whiskers,
    )  # fmt: skip


def pig() -> tuple[Mark, ...]:
    """A pig."""
    return (
        Fill(_pair((-0.92, -0.82), (-0.8, -0.1), (-0.28, -0.55)), "#d97f8c"),
        Fill((ellipse(0, 0.1, 0.9, 0.82),), "#f0a5ae"), Fill((ellipse(0, 0.34, 0.42, 0.3),), "#d97f8c"),
        Fill(_both(0.15, 0.34, 0.08, 0.13), "#8f3f4d"), _eyes(0.42, -0.12),
    )  # fmt: skip


def owl() -> tuple[Mark, ...]:
    """An owl."""
    return (
        Fill(_pair((-0.8, -0.98), (-0.8, -0.1), (-0.1, -0.5)), "#5a3f66"),
        Fill((ellipse(0, 0.12, 0.84, 0.86),), "#7a588a"),
        Fill(_both(0.37, -0.06, 0.4, 0.4), "#f3d58a"), Fill(_both(0.37, -0.06, 0.22, 0.22), INK),
        Fill(_both(0.31, -0.13, 0.07, 0.07), WHITE),
        Fill((((-0.15, 0.2), (0.15, 0.2), (0, 0.52)),), "#e88a2a"),
        *[Stroke((((x - 0.12), 0.64), (x, 0.74), (x + 0.12, 0.64)), 0.08, "#e7d3ee") for x in (-0.36, 0.0, 0.36)],
    )  # fmt: skip


def penguin() -> tuple[Mark, ...]:
    """A penguin."""
    return (
        Fill((ellipse(0, 0, 0.88, 0.96),), "#232a3a"),
        Fill((ellipse(-0.33, 0.05, 0.42, 0.5),), WHITE), Fill((ellipse(0.33, 0.05, 0.42, 0.5),), WHITE),
        Fill((ellipse(0, 0.5, 0.56, 0.4),), WHITE),
        Fill((((-0.24, 0.16), (0.24, 0.16), (0, 0.56)),), "#f0a01f"), _eyes(0.34, -0.06, 0.13),
    )  # fmt: skip


def frog() -> tuple[Mark, ...]:
    """A frog with eyes on its head."""
    smile = path((-0.58, 0.36), ((-0.3, 0.72), (0.3, 0.72), (0.58, 0.36)))
    return (
        Fill(_both(0.5, -0.5, 0.36, 0.38), "#4f9d3a"), Fill((ellipse(0, 0.2, 0.96, 0.7),), "#64b548"),
        Fill(_both(0.5, -0.52, 0.24, 0.25), WHITE), Fill(_both(0.48, -0.5, 0.12, 0.15), INK),
        Stroke(smile, 0.1, "#24501c"), Fill(_both(0.66, 0.22, 0.14, 0.09), "#e9a06b"),
    )  # fmt: skip


def elephant() -> tuple[Mark, ...]:
    """An elephant."""
    trunk = path((-0.26, 0.0), ((-0.22, 0.6), (-0.18, 1.0), (0.16, 0.98)), ((0.3, 0.95), (0.34, 0.8), (0.2, 0.74)),
                 ((0.12, 0.7), (0.22, 0.3), (0.26, 0.0)))  # fmt: skip
    return (
        Fill(_both(0.68, -0.08, 0.42, 0.62), "#7c93ad"), Fill(_both(0.7, -0.06, 0.27, 0.44), "#c3a5b4"),
        Fill((ellipse(0, -0.1, 0.6, 0.66),), "#93a9c2"), Fill((trunk,), "#93a9c2"),
        *[Stroke(((-0.12, y), (0.16, y + 0.02)), 0.06, "#6d84a0") for y in (0.36, 0.54, 0.72)],
        Fill(_pair((-0.3, 0.34), (-0.26, 0.74), (-0.46, 0.4)), WHITE), _eyes(0.3, -0.18),
    )  # fmt: skip


def lion() -> tuple[Mark, ...]:
    """A lion with its mane."""
    return (
        Fill((star(0, 0.02, 1.04, 0.84, 13),), "#b3611b"), Fill((ellipse(0, 0.08, 0.66, 0.64),), "#eeb54a"),
        Fill((ellipse(0, 0.4, 0.34, 0.25),), "#fbe3b0"), Fill((((-0.16, 0.2), (0.16, 0.2), (0, 0.4)),), "#6b2f16"),
        Stroke(((0, 0.38), (0, 0.52)), 0.07, "#6b2f16"), _eyes(0.28, -0.04),
    )  # fmt: skip


def panda() -> tuple[Mark, ...]:
    """A panda."""
    patch = Fill((ellipse(0, 0, 0.22, 0.3),), INK)
    return (
        Fill(_both(0.66, -0.6, 0.32, 0.3), INK), Fill((ellipse(0, 0.1, 0.92, 0.84),), WHITE),
        *transform([patch], -0.38, 0.0, 24), *transform([patch], 0.38, 0.0, -24),
        Fill(_both(0.35, -0.03, 0.08, 0.09), WHITE), Fill((ellipse(0, 0.36, 0.17, 0.12),), INK),
        Stroke(path((-0.24, 0.6), ((0, 0.74), (0.24, 0.6))), 0.09, INK),
    )  # fmt: skip


def hen() -> tuple[Mark, ...]:
    """A hen with a red comb."""
    return (
        *[Fill((circle(x, y, 0.24),), "#d22f27") for x, y in ((-0.28, -0.72), (0.28, -0.72), (0.0, -0.8))],
        Fill((ellipse(0, 0.14, 0.76, 0.82),), "#f5ead2"), Fill(_both(0.62, 0.42, 0.2, 0.4), "#dcc79b"),
        Fill((((-0.26, 0.12), (0.26, 0.12), (0, 0.5)),), "#f0a01f"),
        Fill((ellipse(0, 0.66, 0.14, 0.24),), "#d22f27"), _eyes(0.34, -0.1, 0.12),
    )  # fmt: skip


ANIMALS: dict[str, Callable[[], tuple[Mark, ...]]] = {
    "bear": bear, "frog": frog, "fox": fox, "penguin": penguin, "pig": pig, "owl": owl, "rabbit": rabbit, "lion": lion,
    "cat": cat, "hen": hen, "elephant": elephant, "panda": panda,
}  # fmt: skip
"""Every animal by its name."""


def animal(name: str, x: float, y: float, radius: float, turn: float = 0.0) -> tuple[Mark, ...]:
    """Return an animal's head around a point, turned clockwise by degrees."""
    return transform(ANIMALS[name](), x, y, turn, radius)


REACH = 0.75
"""Shapes farther than this from the middle belong to an animal's outline."""


def outline(name: str, x: float, y: float, radius: float, turn: float, colour: str) -> tuple[Mark, ...]:
    """Return an animal's head in one colour, without inner details."""
    return transform([Fill((contour,), colour) for contour in _outer_contours(name)], x, y, turn, radius)


@cache
def _outer_contours(name: str) -> tuple[Contour, ...]:
    """Return the contours of an animal's outline; a deck shows thousands of them."""
    areas = [mark for mark in ANIMALS[name]() if isinstance(mark, Fill)]
    return tuple([c for area in areas for c in area.contours if max(math.hypot(*point) for point in c) >= REACH])
