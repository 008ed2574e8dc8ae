"""A printed board: its sheets join without a gap, no joint cuts a marker, and it is found in a picture like a mat."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from companion.engine import hex_board
from tests.support.hex_rails import BOARD
from tests.support.web.board_room import offered
from vision.card_size import MatError
from vision.commands.mat import command
from vision.mat import find_any, is_board_marker, make_board_mat
from vision.mat.drawing import drawing
from vision.mat.sheets import CLEAR, RIM, SIDE
from vision.print.drawing import to_pixels

OSAKA = hex_board("osaka", ("x" * 10, "x" * 9) * 4, 36.0)


@pytest.mark.parametrize("paper", ["a4", "a3", "letter"])
def test_no_joint_cuts_a_marker(paper: str) -> None:
    """Each marker lies wholly in its sheet's printed part, beside the board, with white around it."""
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


def test_sheets_join_without_a_gap() -> None:
    """The printed part of each sheet begins where its neighbour's ends, and together they hold the board."""
    mat = make_board_mat(OSAKA)
    rights = {round(sheet.x + sheet.width - RIM, 3) for sheet in mat.sheets}
    lefts = {round(sheet.x + RIM, 3) for sheet in mat.sheets}
    assert lefts - {min(lefts)} <= rights
    assert min(lefts) <= 0 and max(rights) >= mat.size[0]


def test_a_board_is_found_like_a_mat() -> None:
    """Its markers tell it from a game's other boards."""
    mats = [make_board_mat(BOARD, 0), make_board_mat(OSAKA, 1)]
    picture = np.full((900, 1400, 3), 90, np.uint8)
    printed = to_pixels(drawing(mats[0]), 3.0)
    picture[100 : 100 + printed.shape[0], 200 : 200 + printed.shape[1]] = printed
    found = find_any(picture, mats)
    assert found is not None and found[0] is mats[0]
    assert found[1].error < 0.5 and found[1].scale == pytest.approx(3.0, abs=0.02)


def test_a_board_too_large_is_refused() -> None:
    """The sentence says how large it is."""
    with pytest.raises(MatError, match=r"This board is \d+ × \d+ cm"):
        make_board_mat(hex_board("vast", ("x" * 40,) * 30, 40.0))


def test_the_command_prints_a_board(tmp_path: Path) -> None:
    """Without a board's name the first is printed; a game without one is refused."""
    out = tmp_path / "board.pdf"
    with offered():
        done = CliRunner().invoke(command, ["board", "--game", "hex-rails", "--lang", "fr", "--out", str(out)])
        assert done.exit_code == 0, done.output
        assert out.read_bytes().startswith(b"%PDF")
        assert (
            "no board 'moon'" in CliRunner().invoke(command, ["board", "--game", "hex-rails", "--board", "moon"]).output
        )
        assert "without a board" in CliRunner().invoke(command, ["board", "--game", "take-a-train"]).output
