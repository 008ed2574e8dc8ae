"""The boards of Trains, Tokyo and Osaka, as data that an owner may correct."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from companion.engine import BadBoard, Board, Cell, Edge, Terrain, hex_board
from companion.engine.board_shapes import CellFacts
from companion.mechanics.game_files import read_data

KINDS = {"f": "field", "r": "river", "m": "mountain", "s": "sea", "c": "city", "x": "remote"}
"""The terrain for each letter of a board's rows."""
RIVER = Terrain("river", "#cfe4ee", "waves")
NEUTRAL = (("station", "black"),)
"""Stations are black cubes, which a camera reads like the players' cubes."""
ACROSS = 54.0
"""Millimetres between opposite sides of a hex: room for four cubes and three stations, on eight sheets A4 in all."""
MOST_BUILDINGS = 3
"""The most buildings in a city (R-17)."""


class CellEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The entry for one hex in a board's file, besides its terrain."""

    label: str = ""
    sites: int = 0
    """A city's buildings."""
    figure: int = 0
    """A remote place's number."""


class BoardFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board in the form of its file."""

    rows: tuple[str, ...]
    barriers: tuple[tuple[str, str], ...] = ()
    cells: dict[str, CellEntry] = {}
    source: str = ""


@cache
def shipped() -> tuple[Board, ...]:
    """Return the shipped boards."""
    return tuple([board_of(name, data) for name, data in read_data("companion.games.trains", "boards.toml").items()])


def board_of(name: str, data: dict[str, Any]) -> Board:
    """Return a board from its rows, cells and barriers; raise `BadBoard` for an unplayable one."""
    try:
        given = msgspec.convert(data, BoardFile)
    except msgspec.ValidationError as error:
        raise BadBoard(name, [f"{error}."]) from None
    unknown = sorted(set("".join(given.rows)) - {*KINDS, " ", "."})
    if unknown:
        raise BadBoard(name, [f"The letter {letter!r} is no terrain: {', '.join(KINDS)}." for letter in unknown])
    barriers = tuple([Edge(pair, "barrier", passable=False) for pair in given.barriers])
    facts: dict[str, CellFacts] = {
        cell: {"label": entry.label, "figure": str(entry.figure or ""), "sites": entry.sites}
        for cell, entry in given.cells.items()
    }
    board = hex_board(
        name, given.rows, ACROSS, kinds=KINDS, cells=facts, edges=barriers, terrains=(RIVER,), neutral=NEUTRAL
    )
    found = [fault for cell in board.cells for fault in faults(cell)]
    if found:
        raise BadBoard(name, found)
    return board


def faults(cell: Cell) -> Iterator[str]:
    """Yield the faults of a hex: no way out, or misplaced buildings or number."""
    if not cell.neighbours:
        yield f"{cell.name} has no neighbour."
    if cell.kind == "city" and not 1 <= cell.sites <= MOST_BUILDINGS:
        yield f"The city {cell.name} has {cell.sites} buildings: a city has 1 to {MOST_BUILDINGS}."
    if cell.kind != "city" and cell.sites:
        yield f"{cell.name} has {cell.sites} buildings, but it is no city."
    if cell.kind == "remote" and not cell.figure.isdigit():
        yield f"The remote place {cell.name} needs a number above 0."
    if cell.kind != "remote" and cell.figure:
        yield f"{cell.name} has the number {cell.figure}, but it is no remote place."
