"""Grounds of a board on pages: strong colours, and a picture that fills a cell. Printed boards stay pale."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable
from typing import NamedTuple

from companion.engine import Board
from companion.engine.board import Terrain
from companion.engine.terrains import TERRAINS, darker, terrain_of

COLOURS = {
    "": "#e2d3ab", "field": "#bfd66e", "forest": "#7fb45a", "mountain": "#c9ab84", "desert": "#eec764",
    "city": "#f7b98c", "town": "#f8d3ad", "water": "#7cc4e6", "sea": "#3c8bc6", "remote": "#b69cdc",
    "start": "#ffd257", "goal": "#ffd257", "rails": "#cbc4b3",
}  # fmt: skip
"""The pages' colours for the common grounds; a game's own colour is made stronger."""
LESS_LIGHT, MORE_COLOUR = 0.82, 1.4
"""How much of the light of a game's own colour is kept, and how much saturation is added: printed colours are pale
to save ink.
"""
TONES = {"dark": 0.62, "deep": 0.8, "light": 0.5, "snow": 0.92}
"""Tones of a picture. Dark ones keep this share of their ground's light; light ones are this much whiter."""


class Tint(NamedTuple):
    """One part of a picture, around 0, 0 in inner radii of its cell: an area, or a line if it has a width."""

    tone: str
    path: str
    width: float = 0.0


class Ground(NamedTuple):
    """How one kind of cell is painted."""

    colour: str
    picture: tuple[tuple[str, str, float], ...]
    """Colour, path and width of each part."""


def _trees(side: int, places: Iterable[tuple[float, float]]) -> str:
    """Return one half of the firs: the light side is on the left (-1), the dark one on the right (1)."""
    return "".join([f"M{x:g} {y - 0.3:g}l{0.2 * side:g} .46h{-0.2 * side:g}z" for x, y in places])


def _trunks(places: Iterable[tuple[float, float]]) -> str:
    return "".join([f"M{x - 0.04:g} {y + 0.14:g}h.08v.13h-.08z" for x, y in places])


def _waves(*places: tuple[float, float]) -> str:
    return "".join([f"M{x:g} {y:g}q.12-.17.24 0t.24 0t.24 0" for x, y in places])


FIRS = ((-0.48, -0.42), (0.02, -0.55), (0.5, -0.4), (-0.72, 0.12), (-0.24, 0.0), (0.26, 0.04), (0.72, 0.14),
        (-0.46, 0.52), (0.02, 0.46), (0.48, 0.55))  # fmt: skip
WAVES = ((-0.8, -0.4), (0.0, -0.6), (-0.3, -0.12), (0.2, 0.16), (-0.84, 0.24), (-0.34, 0.54), (-0.2, 0.8))
PICTURES: dict[str, tuple[Tint, ...]] = {
    "field": (Tint("deep", "M-.8-.3Q0-.62.8-.3M-.88.02Q0-.3.88.02M-.88.34Q0 .02.88.34M-.76.66Q0 .34.76.66", 0.06),),
    "desert": (Tint("deep", "M-.8 0Q-.4-.5 0 0T.8 0M-.6.5Q-.3.1 0 .5T.6.5", 0.08),),
    "trees": (
        Tint("dark", _trunks(FIRS)), Tint("dark", _trees(1, FIRS)), Tint("deep", _trees(-1, FIRS)),
    ),
    "hill": (
        Tint("deep", "M-.02.62L.42-.28L.92.62z"), Tint("dark", "M.42-.28L.92.62H.5z"),
        Tint("deep", "M-.9.62L-.22-.66L.46.62z"), Tint("dark", "M-.22-.66L.46.62H-.02L-.12.1z"),
        Tint("snow", "M-.22-.66L-.44-.24L-.3-.32L-.2-.2L-.1-.32L.02-.2zM.42-.28L.29-.02L.4-.08L.48.02L.56-.02z"),
    ),
    "waves": (Tint("light", _waves(*WAVES), 0.07),),
    "house": (
        Tint("dark", "M-.86.4L-.62.16L-.38.4zM-.3.5L-.08.28L.14.5zM.42.34L.66.1L.9.34z"),
        Tint("light", "M-.8.4h.36v.42h-.36zM-.25.5h.34v.36h-.34zM.48.34h.36v.44h-.36z"),
        Tint("deep", "M-.36.34h.1v.5h-.1zM.18.22h.22v.62h-.22z"),
        Tint("dark", "M-.66.6h.08v.22h-.08zM-.12.66h.08v.2h-.08z"
                      "M.62.54h.08v.24h-.08zM.26.32h.06v.08h-.06zM.26.5h.06v.08h-.06z"),
    ),
    "flag": (
        Tint("deep", "M-.7.86Q-.5.44 0 .46T.7.86z"), Tint("dark", "M-.14-.16h.1v.72h-.1z"),
        Tint("snow", "M-.04-.16L.56.06L-.04.28z"),
    ),
    "star": (Tint("snow", "M0-.6L.15-.2L.57-.19L.24.08L.35.49L0 .25L-.35.49L-.24.08L-.57-.19L-.15-.2z"),),
    "rails": (
        Tint("deep", "M-.6-.4V.4M-.2-.4V.4M.2-.4V.4M.6-.4V.4", 0.13), Tint("dark", "M-.9-.22H.9M-.9.22H.9", 0.08),
    ),
}  # fmt: skip
"""Pictures by kind of ground, else by its symbol. The main content is low, below the names."""


def page_ground(board: Board, kind: str) -> Ground:
    """Return how pages paint a kind of cells."""
    terrain = terrain_of(board, kind)
    colour = COLOURS[kind] if terrain in TERRAINS and kind in COLOURS else stronger(terrain.colour)
    return Ground(colour, tuple([(tone(colour, part.tone), *part[1:]) for part in picture_of(terrain)]))


def picture_of(terrain: Terrain) -> tuple[Tint, ...]:
    """Return the picture of a ground; none if it has no symbol and is unknown."""
    return PICTURES.get(terrain.symbol or terrain.kind, ())


def stronger(colour: str) -> str:
    """Return a colour (`#rrggbb`) made more saturated and darker."""
    hue, light, strength = colorsys.rgb_to_hls(*[int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    rgb = colorsys.hls_to_rgb(hue, light * LESS_LIGHT, min(1.0, strength * MORE_COLOUR))
    return "#" + "".join([f"{round(part * 255):02x}" for part in rgb])


def tone(colour: str, name: str) -> str:
    """Return a tone of a ground's colour."""
    part = TONES[name]
    if name in ("dark", "deep"):
        return darker(colour, part)
    return "#" + "".join([f"{round(v + (255 - v) * part):02x}" for v in bytes.fromhex(colour[1:])])
