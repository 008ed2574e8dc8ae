"""Test the names of cells: inside their cells, as large as possible, and on two lines if that makes them larger."""

from __future__ import annotations

from itertools import pairwise

import pytest

from companion.drawing import text_width
from companion.engine import Board, Cell, hex_board
from companion.games.examples.hill_and_harbour.board import BOARD as COUNTRY
from companion.games.trains.boards import shipped
from web.presenters.board_labels import CAPITAL, label_marks, width_at

BOARDS = (*shipped(), COUNTRY)
CELL = hex_board("one", ("x",), 40.0).cells[0]
ROUND = Cell("A1", 10.0, 10.0, radius=10.0)


def within(cell: Cell, x: float, y: float) -> bool:
    """Return whether a point is inside a convex cell whose corners are in order."""
    turns = [
        (b - a) * (y - v) - (w - v) * (x - a) for (a, v), (b, w) in pairwise((*cell.outline, cell.outline[0]))
    ]  # fmt: skip
    return all(turn >= -0.5 for turn in turns) or all(turn <= 0.5 for turn in turns)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_names_are_within_their_cells(board: Board) -> None:
    """The corners of each name, from the baseline to half the height of its capitals, are inside its cell."""
    for cell in board.cells:
        for line in label_marks(cell, cell.label):
            capital = CAPITAL * line.size
            half = text_width(line.text, capital) / 2
            for y in (line.y, line.y - capital / 2):
                assert within(cell, cell.x - half, y) and within(cell, cell.x + half, y), line


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_names_are_large(board: Board) -> None:
    """On a phone that shows ten cells of 36 pixels side by side, no font is smaller than six pixels."""
    sizes = [line.size / cell.inner_radius for cell in board.cells for line in label_marks(cell, cell.label)]
    assert min(sizes) * 18 >= 6
    assert sorted(sizes)[len(sizes) // 2] * 18 >= 7


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Oslo", ["Oslo"]),
        ("", []),
        ("Tokyo Akihabara", ["Tokyo", "Akihabara"]),
        ("Futakotamagawa", ["Futako-", "tamagawa"]),
        ("Strchprstskrzk", ["Strchprstskrzk"]),
    ],
)
def test_a_name_is_broken_where_it_is_long(name: str, lines: list[str]) -> None:
    """A long name breaks at a space, or after a vowel of a single word; otherwise it becomes small."""
    marks = label_marks(CELL, name)
    assert [line.text for line in marks] == lines
    assert [line.y for line in marks] == sorted(line.y for line in marks)


def test_the_width_of_a_cell() -> None:
    """A round cell is widest in its middle and has no width outside."""
    assert width_at(ROUND, 0.0) == pytest.approx(20.0, abs=0.1)
    assert width_at(ROUND, 8.0) == pytest.approx(12.0, abs=0.5)
    assert width_at(ROUND, 11.0) == 0.0
