"""Test the two shipped boards, and the messages about faulty board files."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from companion.engine import BadBoard
from companion.games.trains.boards import board_of, shipped
from tests.games.proofs import proves

FILE: dict[str, Any] = {
    "rows": ("fcx", "rms"),
    "barriers": (("A1", "A2"),),
    "cells": {"A2": {"label": "Ueno", "sites": 2}, "A3": {"label": "Nikko", "figure": 3}},
}
"""A small board file with a field, a city, a remote place, a river, a mountain and the sea."""


def why_not(**changes: Any) -> str:
    """Return the message that refuses the small file with these changes."""
    with pytest.raises(BadBoard) as caught:
        board_of("valley", FILE | changes)
    return " ".join(caught.value.faults)


@proves("R-02", "R-15", "R-17")
@pytest.mark.parametrize(
    ("number", "terrains", "sites", "barriers"),
    [
        (0, {"remote": 6, "mountain": 10, "city": 22, "river": 16, "field": 12, "sea": 10}, 39, 7),
        (1, {"remote": 8, "mountain": 15, "city": 24, "river": 10, "field": 9, "sea": 10}, 35, 11),
    ],
)
def test_the_shipped_boards(number: int, terrains: dict[str, int], sites: int, barriers: int) -> None:
    """Each board has 76 hexes, with the right number of terrains, buildings and barriers."""
    board = shipped()[number]
    assert Counter(cell.kind for cell in board.cells) == terrains
    assert sum(cell.sites for cell in board.cells) == sites
    assert len([edge for edge in board.edges if not edge.passable]) == barriers


def test_a_file_is_a_board() -> None:
    """The reader takes barriers, labels, buildings and numbers from a file."""
    board = board_of("valley", FILE)
    assert board.neighbours("A1") == ("B1",)
    assert [(cell.name, cell.kind, cell.sites, cell.figure) for cell in board.cells[:3]] == [
        ("A1", "field", 0, ""),
        ("A2", "city", 2, ""),
        ("A3", "remote", 0, "3"),
    ]


@proves("A-08")
def test_a_barrier_has_two_sides_that_touch() -> None:
    """A barrier must lie between two cells of the board that touch, and must not isolate a cell."""
    assert why_not(barriers=(("A1", "A2"), ("A1", "B1"))) == "A1 has no neighbour."
    assert why_not(barriers=(("A1",),)) == "Expected `array` of length 2, got 1 - at `$.barriers[0]`."
    assert why_not(barriers=(("A1", "B2"),)) == (
        "The cells 'A1' and 'B2' do not touch, so there can be no edge (barrier) between them."
    )
    assert why_not(barriers=(("A1", "Z2"),)) == "An edge (barrier) names the cell 'Z2', which is not on the board."


def test_a_hex_far_away_has_no_neighbour() -> None:
    """A board may have gaps, but no cell without a neighbour."""
    assert why_not(rows=("fcx..f", "rms")) == "A6 has no neighbour."


@proves("R-17", "R-22")
@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"A2": {"sites": 4}}, "The city A2 has 4 buildings: a city has 1 to 3."),
        ({"A2": {}}, "The city A2 has 0 buildings: a city has 1 to 3."),
        ({"A1": {"sites": 1}}, "A1 has 1 buildings, but it is no city."),
        ({"A1": {"figure": 2}}, "A1 has the number 2, but it is no remote place."),
        ({"A3": {}}, "The remote place A3 needs a number above 0."),
        ({"A3": {"figure": -1}}, "The remote place A3 needs a number above 0."),
        ({"A9": {}}, "The cell 'A9' has facts but is not on the board."),
        ({"A2": {"sites": "two"}}, "Expected `int`, got `str` - at `$.cells[...].sites`."),
        ({"A2": {"houses": 2}}, "Object contains unknown field `houses` - at `$.cells[...]`."),
    ],
)
def test_cities_and_remote_places_are_counted(cells: dict[str, dict[str, Any]], said: str) -> None:
    """Only a city has buildings, from one to three, and only a remote place has a number."""
    assert why_not(cells=FILE["cells"] | cells) == said


def test_a_letter_is_a_terrain() -> None:
    """The message about an unknown letter lists the known ones."""
    assert why_not(rows=("fcx", "rmq")) == "The letter 'q' is no terrain: f, r, m, s, c, x."
