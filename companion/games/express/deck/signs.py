"""The sign of each card, for its corners: drawn around (0, 0), with a radius of about 1."""

from __future__ import annotations

from msgspec.structs import replace

from companion.drawing import Clipped, Fill, Stroke, arc, transform
from companion.drawing.pictures.brush import GLASS, INK, PAPER, Marks, area, box
from companion.drawing.pictures.goods import GOODS
from companion.drawing.pictures.written import drawn
from companion.mechanics.game_files import read_data


def glass_dome() -> Marks:
    """A dome of glass, a mountain behind it."""
    half = ((-0.95, 0.4), *arc(0, 0.4, 0.95, 180, 360))
    top = (-0.1, -0.4)
    hill = area("#6c7a6a", (-0.8, 0.4), top, (0.75, 0.4)), area(PAPER, (-0.36, -0.1), top, (0.16, -0.1))
    ribs = [Stroke(((x, 0.4), (x * 0.45, -0.48)), 0.1, INK) for x in (-0.5, 0.5)]
    rim = Stroke(half, 0.14, INK, closed=True), box(0, 0.75, 2.0, 0.34, INK, 0.1)
    return (Fill((half,), GLASS), Clipped(half, hill), *ribs, *rim)


SHARED = {"coach": "person", "diesel": "bolt", "hopper": "coal", "stock_car": "cow", "tank_car": "drop"}
"""Cards whose signs are shared small pictures."""
SIGNS = {card: drawn(text) for card, text in read_data(__package__, "signs.toml").items()}
SIGNS |= {card: GOODS[name]() for card, name in SHARED.items()} | {"dome": glass_dome()}
"""The sign of each card, by its name in the profile."""


def place_sign(card: str, x: float, y: float, radius: float, turn: float = 0.0) -> Marks:
    """Return a card's sign around a point, turned clockwise by degrees."""
    return transform(SIGNS[card], x, y, turn, radius)


def sign_shadow(card: str, x: float, y: float, radius: float, turn: float, colour: str) -> Marks:
    """Return a card's sign in one colour."""
    marks = place_sign(card, x, y, radius, turn)
    return tuple([replace(mark, colour=colour) for mark in marks if isinstance(mark, Fill | Stroke)])
