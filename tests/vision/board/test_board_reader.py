"""Reading a board from picture to picture: one picture's noise is not told, and hands are no pieces."""

from __future__ import annotations

import pytest

from companion.engine import Layout, Piece, Seat, by_cell
from companion.messages import CellSighting
from tests.bench.bench_board import judged
from tests.support.hex_rails import BOARD
from vision.board.board_reader import COLOURS, CellVotes
from vision.board.pieces import read_pieces
from vision.mat import find, make_board_mat
from vision.simulate import RenderedTable
from vision.simulate.hands import CLOTHS, SKINS, Hand, paint_hand

MAT = make_board_mat(BOARD)
EMPTY, RED = CellSighting("A1"), CellSighting("A1", ("cube.red",))


def test_two_pictures_must_agree() -> None:
    """A cube that shows in one picture alone is not told; one that stays is, and what was told stays meanwhile."""
    votes = CellVotes()
    assert votes.count([EMPTY]) == ((), True)
    assert votes.count([EMPTY]) == ((EMPTY,), False)
    assert votes.count([RED]) == ((EMPTY,), True)
    assert votes.count([EMPTY]) == ((EMPTY,), False)
    assert votes.count([RED]) == ((EMPTY,), True)
    assert votes.count([RED]) == ((RED,), False)


def test_hidden_cells_are_remembered() -> None:
    """A cell below a hand is not told; when the hand is gone, what stood there needs no second picture."""
    votes = CellVotes()
    votes.count([RED])
    votes.count([RED])
    assert votes.count([]) == ((), False)
    assert votes.count([RED]) == ((RED,), False)


@pytest.mark.parametrize("cloth", CLOTHS)
def test_sleeves_are_no_pieces(cloth: str) -> None:
    """A hand that lies still over the board is never read as cubes, whatever its sleeve's colour."""
    seed = 100 + CLOTHS.index(cloth)
    table = RenderedTable(MAT, {}, seed=seed, size=(1280, 720))
    pieces = [Piece("cube", Seat(n % 6), cell.name) for n, cell in enumerate(BOARD.cells) if n % 2]
    table.set(Layout({}, pieces=by_cell(pieces)))
    pose = find(table.picture(), MAT)
    assert pose is not None
    picture, (wide, high) = table.picture(), MAT.size
    hand = Hand(wide * 0.45, high * 0.25, -90.0, SKINS[seed % len(SKINS)], cloth)
    paint_hand(picture, table.view(), hand)
    found = judged(read_pieces(picture, pose, MAT, COLOURS), table.pieces.truth())
    assert (found.wrong, found.missed) == (0, 0) and found.hidden > 0
