"""The boards of Trains, Tokyo and Osaka, as data."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from companion.engine import Board, Edge, Terrain, hex_board
from companion.engine.board_shapes import CellFacts

KINDS = {"f": "field", "r": "river", "m": "mountain", "s": "sea", "c": "city", "x": "remote"}
"""The terrain for each letter of a board's rows."""
RIVER = Terrain("river", "#cfe4ee", "waves")
ACROSS = 60.0
"""Millimetres between opposite sides of a hex: four cubes and three stations find room."""


@cache
def shipped() -> tuple[Board, ...]:
    """Return the boards that come with the game."""
    text = resources.files(__package__).joinpath("boards.toml").read_text(encoding="utf-8")
    return tuple([board_of(name, data) for name, data in tomllib.loads(text).items()])


def board_of(name: str, data: dict[str, Any]) -> Board:
    """Return a board from its rows, cells and barriers; raise `BadBoard` for one that contradicts itself."""
    barriers = tuple([Edge((one, other), "barrier", passable=False) for one, other in data["barriers"]])
    facts: dict[str, CellFacts] = {
        cell: {"label": known.get("label", ""), "figure": str(known.get("figure", "")), "sites": known.get("sites", 0)}
        for cell, known in data.get("cells", {}).items()
    }
    return hex_board(name, data["rows"], ACROSS, kinds=KINDS, cells=facts, edges=barriers, terrains=(RIVER,))
