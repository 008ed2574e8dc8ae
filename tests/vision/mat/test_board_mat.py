"""Tests of printed boards: sheets overlap, joints cut neither cells nor markers, and the camera finds the board."""

from __future__ import annotations

from bisect import bisect
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from companion.drawing import Clipped, Fill
from companion.engine import Board, hex_board
from companion.games import game_words, trains
from companion.games.examples.hill_and_harbour.rules import RULES as HILL_AND_HARBOUR
from tests.support.hex_rails import BOARD
from tests.support.web.board_room import offered
from vision.card_size import MatError
from vision.commands.mat import command
from vision.mat import MatDetector, is_board_marker, make_board_mat
from vision.mat.board_mat import FLAP
from vision.mat.drawing import drawing, words
from vision.mat.printed_sheets import PAPER, pages, titles
from vision.mat.tiling import CLEAR, RIM, SIDE
from vision.print.drawing.raster import to_pixels

OSAKA = hex_board("osaka", ("x" * 10, "x" * 9) * 4, 36.0)


@pytest.mark.parametrize("paper", ["a4", "a3", "letter"])
def test_no_joint_cuts_a_marker(paper: str) -> None:
    """Each marker lies wholly within its sheet's printed area, beside the board, with a white margin."""
    for board in (BOARD, OSAKA):
        mat = make_board_mat(board, 1, paper)
        sheets = {sheet.number: sheet for sheet in mat.sheets}
        (left, top), _, (right, low), _ = mat.board_area()
        assert len(mat.markers) >= 4 and all(is_board_marker(marker.id) for marker in mat.markers)
        for m in mat.markers:
            sheet = sheets[m.sheet]
            assert sheet.x + RIM <= m.x and m.x + SIDE <= sheet.x + sheet.width - RIM
            assert sheet.y + RIM <= m.y and m.y + SIDE <= sheet.y + sheet.height - RIM
            assert m.x + SIDE + CLEAR <= left + 0.01 or m.x >= right + CLEAR - 0.01 or (
                m.y + SIDE + CLEAR <= top + 0.01 or m.y >= low + CLEAR - 0.01
            )  # fmt: skip


@pytest.mark.parametrize("paper", ["a4", "a3", "letter"])
@pytest.mark.parametrize("board", [BOARD, OSAKA, *trains.GAME.rules.boards], ids=lambda board: str(board.name))
def test_no_joint_cuts_a_cell(board: Board, paper: str) -> None:
    """Each cell is whole on one sheet and continues at its right and lower edges as an overlap for glue."""
    mat = make_board_mat(board, 1, paper)
    columns, rows = mat.seams
    left, top = mat.board_at
    for cell in board.cells:
        column, row = bisect(columns, cell.x + left), bisect(rows, cell.y + top)
        sheet = mat.sheets[row * len(columns) + column]
        points = np.array(cell.outline) + mat.board_at - (sheet.x, sheet.y)
        far = np.array([sheet.width, sheet.height]) - RIM
        far -= FLAP * np.array([column < len(columns) - 1, row < len(rows) - 1])
        assert (points >= RIM - 0.01).all() and (points <= far + 0.01).all(), cell.name


def test_a_board_is_called_as_in_its_game() -> None:
    """A board has its name in the reader's language, or its identifier if the game has no word for it."""
    mat = make_board_mat(HILL_AND_HARBOUR.boards[0])
    for lang, title in (("en", "Board: The country"), ("fr", "Plateau\N{NO-BREAK SPACE}: Le pays")):
        assert titles(mat, words(lang), game_words(HILL_AND_HARBOUR, lang)) == (title,)
    assert titles(make_board_mat(OSAKA), words("en"), game_words(HILL_AND_HARBOUR, "en")) == ("Board: Osaka",)


def test_a_sheet_hides_the_cells_of_the_one_before() -> None:
    """Each sheet ends with its own cells at the left and top edges, where it is cut."""
    mat = make_board_mat(trains.GAME.rules.boards[0])
    first, second = pages(mat)[1:3]
    (one, *_), (other, *_) = first.drawing.marks, second.drawing.marks
    assert isinstance(one, Clipped) and isinstance(other, Clipped)
    hidden = [mark for mark in other.marks if isinstance(mark, Fill) and mark.colour == PAPER]
    besides = [mark for mark in one.marks if isinstance(mark, Fill) and mark.colour == PAPER]
    assert len(hidden) - len(besides) == 16 + 2  # cells and the rims beside them


def test_a_cell_larger_than_the_paper_is_cut() -> None:
    """If a cell is larger than the paper, the sheets meet edge to edge."""
    mat = make_board_mat(hex_board("vast", ("xx",), 300.0))
    edges = sorted({round(sheet.x + RIM, 3) for sheet in mat.sheets})
    assert len({round(b - a, 3) for a, b in pairwise(edges)}) == 1
    assert min(edges) <= 0 and max(edges) + mat.sheets[0].width - 2 * RIM >= mat.size[0]


def test_a_board_is_found_like_a_mat() -> None:
    """A board's markers distinguish it from the game's other boards."""
    mats = [make_board_mat(BOARD, 0), make_board_mat(OSAKA, 1)]
    picture = np.full((900, 1400, 3), 90, np.uint8)
    printed = to_pixels(drawing(mats[0]), 3.0)
    picture[100 : 100 + printed.shape[0], 200 : 200 + printed.shape[1]] = printed
    finder = MatDetector(mats)
    pose = finder.look(picture, 0)
    assert pose is not None and finder.mat is mats[0]
    assert pose.error < 0.5 and pose.scale == pytest.approx(3.0, abs=0.02)


def test_a_board_too_large_is_refused() -> None:
    """A board that is too large is refused with its size."""
    with pytest.raises(MatError, match=r"This board is \d+ × \d+ cm"):
        make_board_mat(hex_board("vast", ("x" * 40,) * 30, 40.0))


def test_the_command_prints_a_board(tmp_path: Path) -> None:
    """The command prints the first board by default and refuses a game without boards."""
    out = tmp_path / "board.pdf"
    with offered():
        done = CliRunner().invoke(command, ["board", "--game", "hex-rails", "--lang", "fr", "--out", str(out)])
        assert done.exit_code == 0, done.output
        assert out.read_bytes().startswith(b"%PDF")
        assert (
            "no board 'moon'" in CliRunner().invoke(command, ["board", "--game", "hex-rails", "--board", "moon"]).output
        )
        assert "without a board" in CliRunner().invoke(command, ["board", "--game", "take-a-train"]).output
