"""Tests of a board on a rendered table: beside the mat, visible in the picture, with pieces on the right cells."""

from __future__ import annotations

import numpy as np
import pytest

from companion.engine import Layout, Piece, Seat, by_cell
from companion.engine.pieces import same_pieces
from companion.games import SEEN
from vision.board.board_reader import COLOURS, usual_board
from vision.board.pieces import read_pieces
from vision.mat import find, make_mat
from vision.simulate.lying import LayingError
from vision.simulate.rendered_table import RenderedTable
from vision.simulate.standing import SOLIDS

GAME = "hill-and-harbour"
PLAYERS = 3
SIZE = (2688, 1512)
MAT = make_mat(SEEN[GAME].places(PLAYERS), (63.0, 88.0), players=PLAYERS)
BOARD = usual_board(GAME, PLAYERS)
CUBES = tuple(
    [Piece("cube", Seat(seat), cell) for seat, cell in ((0, "A1"), (1, "A1"), (2, "D5"), (1, "G8"), (0, "E4"))]
)


def table(seed: int, difficulty: str = "default") -> RenderedTable:
    """Return a mat with a board beside it, without cards and pieces."""
    return RenderedTable(MAT, {}, difficulty=difficulty, seed=seed, size=SIZE, board=BOARD)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_mat_and_board_lie_beside_each_other(seed: int) -> None:
    """Mat and board are found in one picture, and the pieces are read on their cells."""
    made = table(seed)
    made.set(Layout({}, pieces=by_cell(CUBES)))
    picture = made.picture()
    assert BOARD is not None
    mat, pose = find(picture, MAT), find(picture, BOARD)
    assert mat is not None and pose is not None
    assert read_pieces(picture, pose, BOARD, COLOURS).pieces == made.pieces.truth()


def test_a_board_covers_no_place() -> None:
    """No corner of the board's sheets lies on the mat or outside the camera's view."""
    for seed in range(20):
        made = table(seed)
        assert made.board is not None
        corners = made.board.corners()
        (left, top), (right, low) = corners.min(axis=0), corners.max(axis=0)
        assert left >= MAT.size[0] or top >= MAT.size[1] or right <= 0 or low <= 0
        assert made.area[0] <= left and made.area[1] <= top and made.area[2] >= right and made.area[3] >= low


def test_the_same_seed_gives_the_same_pictures() -> None:
    """The same seed renders the same pictures for any order of the cells."""
    made = [table(5), table(5)]
    for each, pieces in zip(made, (CUBES[1:], CUBES[:0:-1]), strict=True):
        each.set(Layout({}, pieces=by_cell(pieces)))
    assert np.array_equal(made[0].picture(), made[1].picture())


def test_hands_reach_cards_and_pieces_of_one_table() -> None:
    """A hand carries a piece to the board and back, and an impossible move changes nothing."""
    made = table(4, "easy")
    cube = Piece("cube", Seat(1), "C3")
    empty = made.picture((320, 180))
    frames = list(made.hand_piece(cube, frames=4, size=(320, 180)))
    assert any(np.abs(frame.astype(int) - empty).max() > 40 for frame in frames)
    assert made.pieces.at("C3") == (cube,)
    with pytest.raises(LayingError):
        next(made.hand_piece(Piece("cube", Seat(0), "C4"), "C3"))  # there is no such cube
    with pytest.raises(LayingError):
        next(made.hand_piece(Piece("cube", Seat(0), "Z9")))
    assert same_pieces(list(made.pieces.by_cell()["C3"]), (cube,))


def test_a_table_without_a_board_has_no_pieces() -> None:
    """A table without a board has no cells for pieces."""
    made = RenderedTable(MAT, {}, seed=1, size=SIZE)
    assert made.area == (0.0, 0.0, *MAT.size)
    with pytest.raises(LayingError):
        made.pieces.put(CUBES[0])


def test_hands_slip_now_and_then() -> None:
    """Most pieces lie well within their cells, and some lie on the edge."""
    made, near = table(9), 0
    assert made.board is not None and made.board.mat.board is not None
    board = made.board.mat.board
    for cell in board.cells:
        stood = made.pieces.let_go(Piece("cube", Seat(0), cell.name))
        middle = made.board.to_table(np.array([[cell.x, cell.y]]) + made.board.mat.board_at)[0]
        away = float(np.hypot(stood.x - middle[0], stood.y - middle[1]))
        assert away <= cell.inner_radius
        near += away > cell.inner_radius - 1
    assert 0 < near < len(board.cells) / 4


def test_every_kind_of_piece_is_painted() -> None:
    """Each kind of piece covers a part of the board, and cubes and discs look different."""
    made = table(2, "easy")
    board, empty = made.board, made.picture((1280, 720))
    assert board is not None
    shown = {}
    for kind in SOLIDS:
        made.set(Layout({}, pieces=by_cell([Piece(kind, Seat(0), "D5")])))
        shown[kind] = int((np.abs(made.picture((1280, 720)).astype(int) - empty).max(axis=2) > 60).sum())
    assert all(shown.values()) and shown["station"] > shown["house"]
