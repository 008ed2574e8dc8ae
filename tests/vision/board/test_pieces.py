"""Tests of reading pieces on printed boards: no cell is read wrongly, and unclear cells are asked about."""

from __future__ import annotations

from random import Random

import cv2
import msgspec
import pytest

from companion.engine import Layout, Piece, Seat, by_cell
from companion.engine.pieces import same_pieces
from companion.messages import CellSighting
from tests.bench.bench_board import BoardFigures, judged, measured
from tests.support.hex_rails import BOARD
from vision.board.board_reader import COLOURS as SEATS
from vision.board.board_reader import cells_of
from vision.board.pieces import PieceReading, cells_near, likely_counts, read_pieces
from vision.mat import MatPose, find, make_board_mat
from vision.simulate.lying import LayingError
from vision.simulate.rendered_table import RenderedTable

MAT = make_board_mat(BOARD)
SIZE = (1280, 720)
COLOURS = ("red", "blue", "green", "yellow")


def table(*pieces: Piece, seed: int = 11, difficulty: str = "easy") -> RenderedTable:
    """Return a rendered board with the given pieces."""
    made = RenderedTable(MAT, {}, difficulty=difficulty, seed=seed, size=SIZE, colours=COLOURS)
    made.set(Layout({}, pieces=by_cell(pieces)))
    return made


def read(made: RenderedTable) -> PieceReading:
    """Return the reading of the table's next picture."""
    picture = made.picture()
    pose = find(picture, MAT)
    assert pose is not None
    return read_pieces(picture, pose, MAT, COLOURS)


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_read_wrongly(seed: int) -> None:
    """At default difficulty each cell is right or asked about, and the choices include the truth."""
    found = measured(MAT, seed, "default", SIZE, 4)
    assert (found.wrong, found.missed, found.lost) == (0, 0, 0)
    assert found.right >= 0.95 * len(BOARD.cells)


def test_all_colours_are_told_apart() -> None:
    """The cubes of six seats are told apart side by side on every terrain."""
    assert measured(MAT, 21, "default", SIZE, 6) == BoardFigures(right=len(BOARD.cells))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_hand_hides_cells(seed: int) -> None:
    """With a hand over the board no cell is read wrongly, and cells under the hand are unread or asked about."""
    luck = Random(seed)
    pieces = [Piece("cube", Seat(luck.randrange(4)), cell.name) for cell in BOARD.cells if luck.random() < 0.5]
    made = table(*pieces, seed=seed, difficulty="default")
    pose, hidden = find(made.picture(), MAT), 0
    assert pose is not None
    for picture in made.hand_piece(Piece("cube", Seat(0), "C3"), frames=6):
        found = judged(read_pieces(picture, pose, MAT, COLOURS), made.pieces.truth())
        assert found.wrong == 0
        hidden += found.hidden
    assert hidden > 0
    assert same_pieces(read(made).pieces["C3"], made.pieces.at("C3"))


def test_hands_move_pieces() -> None:
    """A hand adds a piece, moves it to another cell and removes it."""
    made = table()
    list(made.hand_piece(Piece("cube", Seat(1), "B2"), frames=2))
    assert made.pieces.at("B2") == (Piece("cube", Seat(1), "B2"),)
    list(made.hand_piece(Piece("cube", Seat(1), "B4"), "B2", frames=3))
    assert made.pieces.at("B2") == () and read(made).pieces["B4"] == (Piece("cube", Seat(1), "B4"),)
    list(made.hand_piece(Piece("cube", Seat(1), ""), "B4", frames=2))
    assert not list(made.pieces.all())
    with pytest.raises(LayingError):
        list(made.hand_piece(Piece("cube", Seat(1), "Z1"), frames=2))
    with pytest.raises(LayingError):
        made.pieces.take(Piece("cube", Seat(1), "B4"))


def test_pieces_that_show_too_small_are_not_guessed() -> None:
    """If pieces appear too small, the reader reads nothing and states the reason."""
    made = table(Piece("cube", Seat(0), "B2"))
    picture = made.picture((320, 180))
    pose = find(made.picture(), MAT)
    assert isinstance(pose, MatPose)
    found = read_pieces(cv2.resize(picture, (320, 180)), pose.resize((320, 180)), MAT, COLOURS)  # type: ignore[arg-type]
    assert found == PieceReading(too_small=True)


def test_a_point_near_an_edge_belongs_to_both_cells() -> None:
    """A point near an edge belongs to both cells, and the cell that contains it comes first."""
    cell, other = BOARD.by_name["C3"], BOARD.by_name["C2"]
    assert cells_near(BOARD, cell.x, cell.y) == ["C3"]
    assert cells_near(BOARD, (cell.x + other.x) / 2 + 0.5, cell.y) == ["C3", "C2"]
    assert cells_near(BOARD, -50, -50) == []


def test_counts_from_areas() -> None:
    """An area yields one count where it is certain and two where it is not."""
    assert likely_counts(1.0) == (1,) and likely_counts(0.3) == (1, 0)
    assert likely_counts(1.85) == (2,) and likely_counts(2.8) == (3,) and set(likely_counts(3.45)) == {3, 4}
    assert set(likely_counts(1.42)) == {1, 2} and set(likely_counts(2.33)) == {2, 3}


def test_pieces_of_nobody_are_read_by_their_colour() -> None:
    """A neutral station and a seat's cube on one cell are told apart by colour."""
    mat = make_board_mat(msgspec.structs.replace(BOARD, neutral=(("station", "black"),)))
    made = RenderedTable(mat, {}, difficulty="easy", seed=11, size=SIZE, colours=COLOURS)
    made.set(Layout({}, pieces=by_cell([Piece("cube", Seat(0), "B4"), Piece("station", None, "B4")])))
    picture = made.picture()
    pose = find(picture, mat)
    assert pose is not None
    cells = {each.cell: each for each in cells_of(read_pieces(picture, pose, mat, SEATS), {"black": "station"})}
    assert cells["B4"] == CellSighting("B4", ("cube.red", "station")) and cells["C3"].pieces == ()
