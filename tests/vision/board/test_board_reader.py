"""Tests of board reading across pictures: noise in one picture is not reported, and hands are not read as pieces."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from companion.engine import Layout, Piece, Seat, by_cell
from companion.messages import CellSighting
from tests.bench.bench_board import judged
from tests.support.hex_rails import BOARD
from vision.board import board_reader
from vision.board.board_reader import AGREED, COLOURS, BoardReader, CellVotes, coarse, differs
from vision.board.pieces import PieceReading, read_pieces
from vision.mat import find, make_board_mat
from vision.simulate.hands import CLOTHS, SKINS, Hand, paint_hand
from vision.simulate.rendered_table import RenderedTable

MAT = make_board_mat(BOARD)
EMPTY, RED = CellSighting("A1"), CellSighting("A1", ("cube.red",))


def test_two_pictures_must_agree() -> None:
    """A cube is reported only after two pictures show it, and earlier readings stay until then."""
    votes = CellVotes()
    assert votes.count([EMPTY]) == ((), True)
    assert votes.count([EMPTY]) == ((EMPTY,), False)
    assert votes.count([RED]) == ((EMPTY,), True)
    assert votes.count([EMPTY]) == ((EMPTY,), False)
    assert votes.count([RED]) == ((EMPTY,), True)
    assert votes.count([RED]) == ((RED,), False)


def test_hidden_cells_are_remembered() -> None:
    """A cell under a hand is not reported, and its earlier contents need no second picture once the hand is gone."""
    votes = CellVotes()
    votes.count([RED])
    votes.count([RED])
    assert votes.count([]) == ((), False)
    assert votes.count([RED]) == ((RED,), False)


@pytest.mark.pixels
@pytest.mark.parametrize("cloth", CLOTHS)
def test_sleeves_are_no_pieces(cloth: str) -> None:
    """A hand that rests over the board is never read as cubes, for any colour of sleeve."""
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


@pytest.mark.parametrize("difficulty", ["easy", "default", "hard"])
def test_a_board_is_read_again_when_something_is_laid(difficulty: str) -> None:
    """Noise does not trigger a new reading of a board, and one more cube does, at any place."""
    table = RenderedTable(MAT, {}, difficulty=difficulty, seed=7, size=(1280, 720))
    before = table.picture()
    pose = find(before, MAT)
    assert pose is not None
    empty = coarse(before, MAT, pose)
    assert not any(differs(empty, coarse(table.picture(), MAT, pose)) for _ in range(4))
    for nth, cell in enumerate(BOARD.cells):
        table.set(Layout({}, pieces=by_cell([Piece("cube", Seat(nth % 6), cell.name)])))
        assert differs(empty, coarse(table.picture(), MAT, pose)), cell.name


def test_a_board_at_rest_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards laid beside a board do not trigger a reading of it, and a new cube does and is reported."""
    reads = Counter[str]()

    def counted(*given: Any, **named: Any) -> PieceReading:
        reads["board"] += 1
        return read_pieces(*given, **named)

    monkeypatch.setattr(board_reader, "read_pieces", counted)
    reader, table = BoardReader("take-a-train"), RenderedTable(MAT, {}, seed=3, size=(1280, 720))
    reader.boards = reader.locator.boards = (BOARD,)
    told = [reader.read(table.picture(), n) for n in range(6)]
    assert reads["board"] == AGREED and told[0] == () and told[1:] == [told[1]] * 5
    first = BOARD.cells[0].name
    table.set(Layout({}, pieces=by_cell([Piece("cube", Seat(0), first)])))
    told = [reader.read(table.picture(), 6 + n) for n in range(4)]
    cells = [{each.cell: each.pieces for each in cells}[first] for cells in told]
    assert cells[0] == () and cells[1:] == [(f"cube.{table.colours[0]}",)] * 3
    assert reads["board"] == 2 * AGREED
