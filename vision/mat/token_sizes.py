"""Sizes of places for tokens on a mat: the room for each kind of token, and the width of a money place."""

from __future__ import annotations

import math

from companion.engine import TokenPlace
from companion.engine.token_rules import MONEY_PLACE
from vision.mat.block import GAP

ROOM = {"sequence": (30.0, 34.0), "token": (36.0, 36.0)}
"""Width and height in millimetres of the places for one token, by the last part of their names. They fit a square of
20 mm and a hexagon of 26 mm, rotated and slightly shifted. All places in a seat's strip have the same height."""
ANY_TOKEN = (42.0, 34.0)
"""Width and height in millimetres of any other place for one token, which fit a tile of 32 × 22 mm."""
COIN, STEP = 20.0, 14.0
"""In millimetres: a money token's width, and the minimum distance to the next one in a line, which shows four fifths
of it."""
LINES = 2
"""The number of lines of money tokens that fit in a money place."""


def is_money(place: TokenPlace) -> bool:
    """Whether a seat lays its money there."""
    return place.seat is not None and kind_of(place) == MONEY_PLACE


def kind_of(place: TokenPlace) -> str:
    """Return the last part of a place's name, which is the same for all seats."""
    return place.name.rpartition(".")[2]


def room(place: TokenPlace) -> tuple[float, float]:
    """Return the width and height of a place for one token, in millimetres."""
    return ROOM.get(kind_of(place), ANY_TOKEN)


def least_width(most: int) -> float:
    """Return the minimum width of a money place for this many tokens, in millimetres."""
    return COIN + (math.ceil(most / LINES) - 1) * STEP + GAP
