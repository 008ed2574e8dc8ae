"""The look of kinds of cells, on pages and in print: colours, and small symbols as lines and areas."""

from __future__ import annotations

import math
from typing import NamedTuple

from companion.engine.board import Board, Point, Symbol, Terrain

TERRAINS: tuple[Terrain, ...] = (
    Terrain("", "#eee6d3"),
    Terrain("field", "#dfe6bd"),
    Terrain("forest", "#b9d3a4", "trees"),
    Terrain("mountain", "#d9cbb4", "hill"),
    Terrain("desert", "#f0dca6"),
    Terrain("city", "#f3d3c4", "house"),
    Terrain("town", "#f6e3d3", "house"),
    Terrain("water", "#b7d7e8", "waves"),
    Terrain("sea", "#a9cbe0", "waves"),
    Terrain("remote", "#dccfe8", "flag"),
    Terrain("start", "#f5dd9a", "star"),
    Terrain("goal", "#f5dd9a", "flag"),
    Terrain("rails", "#dcd9d0", "rails"),
)
"""The built-in terrains; a board's own take precedence."""
EDGES: dict[str, str] = {"river": "#3f88b5", "border": "#8a5a83", "road": "#8d6b3f", "barrier": "#a8201a"}
"""Colours of lines between cells; other kinds are dark."""
EDGE = "#4a5560"
DARKER = 0.62
"""The share of a terrain's brightness that its symbol keeps."""


class Sign(NamedTuple):
    """A symbol within -1 … 1 in both directions, y down: areas to fill, and lines to draw."""

    areas: tuple[tuple[Point, ...], ...] = ()
    lines: tuple[tuple[Point, ...], ...] = ()


def _wave(y: float, start: float, end: float) -> tuple[Point, ...]:
    steps = 16
    xs = [start + (end - start) * n / steps for n in range(steps + 1)]
    return tuple([(round(x, 3), round(y + 0.13 * math.sin(2 * math.pi * (x - start) / 0.8), 3)) for x in xs])


def _star() -> tuple[Point, ...]:
    turns = [(math.radians(36 * n - 90), 0.42 if n % 2 else 1.0) for n in range(10)]
    return tuple([(round(r * math.cos(a), 3), round(r * math.sin(a), 3)) for a, r in turns])


SIGNS: dict[Symbol, Sign] = {
    "": Sign(),
    "hill": Sign((((-1.0, 0.6), (-0.35, -0.6), (0.05, 0.14), (0.35, -0.2), (1.0, 0.6)),)),
    "house": Sign(
        (
            ((-0.95, 0.6), (-0.95, -0.1), (-0.55, -0.5), (-0.15, -0.1), (-0.15, 0.6)),
            ((0.05, 0.6), (0.05, -0.6), (0.75, -0.6), (0.75, 0.6)),
        )
    ),
    "waves": Sign(lines=(_wave(-0.4, -0.8, 0.0), _wave(0.0, -0.2, 0.8), _wave(0.4, -0.9, -0.1))),
    "trees": Sign(
        (
            ((-0.9, 0.35), (-0.5, -0.55), (-0.1, 0.35)),
            ((-0.57, 0.35), (-0.57, 0.6), (-0.43, 0.6), (-0.43, 0.35)),
            ((0.1, 0.35), (0.5, -0.55), (0.9, 0.35)),
            ((0.43, 0.35), (0.43, 0.6), (0.57, 0.6), (0.57, 0.35)),
        )
    ),
    "flag": Sign((((-0.5, -0.7), (0.65, -0.35), (-0.5, 0.05)),), (((-0.5, -0.7), (-0.5, 0.7)),)),
    "star": Sign((_star(),)),
    "rails": Sign(
        lines=(
            ((-0.9, -0.25), (0.9, -0.25)),
            ((-0.9, 0.25), (0.9, 0.25)),
            *[((x, -0.45), (x, 0.45)) for x in (-0.6, -0.2, 0.2, 0.6)],
        )
    ),
}
"""Every symbol that a terrain can have."""


def terrain_of(board: Board, kind: str) -> Terrain:
    """Return the look of a kind of cell: the board's own, else the built-in one, else plain."""
    found = next((each for each in (*board.terrains, *TERRAINS) if each.kind == kind), None)
    return found or Terrain(kind, TERRAINS[0].colour)


def darker(colour: str, part: float = DARKER) -> str:
    """Return a colour (`#rrggbb`) with only a share of its brightness."""
    return "#" + "".join([f"{int(int(colour[at : at + 2], 16) * part):02x}" for at in (1, 3, 5)])
