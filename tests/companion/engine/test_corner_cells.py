"""Corner cells, with which people locate a board without markers in the picture."""

from __future__ import annotations

import pytest

from companion.engine import Board
from companion.engine.board import corner_cells
from companion.engine.board_shapes import square_board, track
from companion.games import GAMES


def test_corners_go_clockwise_from_the_upper_left() -> None:
    """Corner cells go clockwise from the upper left, and the outermost neighbour replaces a missing corner."""
    assert [cell.name for cell in corner_cells(square_board("squares", ("aaa", "aaa"), side=20))] == [
        "A2",
        "C2",
        "C1",
        "A1",
    ]
    lacking = corner_cells(square_board("lacking", (".aaa", "aaaa", "aaaa"), side=20))
    assert [cell.name for cell in lacking] == ["B3", "D3", "D1", "A1"]


def test_a_track_has_no_four_corners() -> None:
    """Cells in one line have no corners, because they cannot determine the position of a board."""
    line = track("line", 5, side=20)
    with pytest.raises(ValueError, match="'line' has no four corner cells"):
        corner_cells(line)


@pytest.mark.parametrize(
    "board", [board for game in GAMES.values() for board in getattr(game, "boards", ())], ids=lambda board: board.name
)
def test_the_boards_of_all_games_have_corners_far_apart(board: Board) -> None:
    """The corner cells of every game's board lie in different quarters of it."""
    wide, high = board.size
    quarters = [(cell.x > wide / 2, cell.y > high / 2) for cell in corner_cells(board)]
    assert quarters == [(False, False), (True, False), (True, True), (False, True)]
