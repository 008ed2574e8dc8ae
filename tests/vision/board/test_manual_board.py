"""Tests of another edition's board: located by taps, read against its own print and followed when nudged."""

from __future__ import annotations

from pathlib import Path
from random import Random

import cv2
import msgspec
import numpy as np
import pytest

from companion.engine import Board, Layout, Piece, Seat, by_cell
from companion.games import SEEN
from tests.bench.bench_board import BoardFigures, judged, scattered
from tests.support.foreign_board import foreign_board, tapped
from vision.board import manual_board
from vision.board.board_locator import COVERED, BoardLocator
from vision.board.board_reader import COLOURS, BoardReader
from vision.board.covers import PX
from vision.board.manual_board import (
    NAME,
    ManualBoard,
    StoredBoard,
    bare_print,
    board_mat,
    board_pose,
    check_board,
    load,
    nudged,
    photograph,
)
from vision.board.nudge import nudge_of
from vision.board.pieces import read_pieces
from vision.deck.stored_decks import RequestRefused
from vision.image import Image
from vision.mat import make_board_mat, straighten
from vision.mat.pose import perspective
from vision.simulate.rendered_table import RenderedTable

GAME = "trains"
TOKYO: Board = SEEN[GAME].boards[0]  # type: ignore[attr-defined]
SIZE = (2304, 1296)
SQUARE = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))


def rendered(seed: int, board: Board = TOKYO, size: tuple[int, int] = SIZE, **more: str) -> RenderedTable:
    """Return a rendered table with another edition's board, without pieces."""
    return RenderedTable(foreign_board(board, seed), {}, seed=seed, size=size, **more)  # type: ignore[arg-type]


def pushed(picture: Image, along: float = 14.0, turn: float = 0.5) -> Image:
    """Return a picture of the same table after the board was shifted in pixels and turned in degrees."""
    high, wide = picture.shape[:2]
    way = cv2.getRotationMatrix2D((wide / 2, high / 2), turn, 1.0)
    way[:, 2] += (along, -along / 2)
    return np.asarray(cv2.warpAffine(picture, way, (wide, high), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def set_up(table: RenderedTable, folder: Path) -> tuple[BoardReader, ManualBoard]:
    """Return a reader for a board whose corners were just tapped."""
    reader = BoardReader(GAME, folder)
    manual = tapped(table, GAME, TOKYO)
    reader.locator.set_by_hand(manual, table.picture())
    return reader, manual


# --- taps -------------------------------------------------------------------------------------------


def test_every_hex_follows_the_taps() -> None:
    """Four taps locate hexes laid out differently from our print, and taps on a row correct it and its neighbours."""
    table = rendered(1)
    off = []
    for moved in ((), tuple(f"D{n}" for n in range(1, 10))):
        manual = tapped(table, GAME, TOKYO, moved=moved)
        mat = board_mat(manual, TOKYO)
        pose = board_pose(manual, TOKYO, mat, SIZE)
        assert mat.board is not None and table.board is not None and table.board.mat.board is not None
        cells = table.board.mat.board.cells
        there = table.view().to_picture(np.array([(cell.x, cell.y) for cell in cells]))
        found = pose.project(
            np.array([(mat.board.by_name[cell.name].x, mat.board.by_name[cell.name].y) for cell in cells])
        )
        off.append(np.linalg.norm(found - there, axis=1) / pose.scale)
    assert off[0].max() < 8 and off[1].mean() < 0.6 * off[0].mean()


@pytest.mark.parametrize(
    ("corners", "more"),
    [
        (SQUARE[:3], {}),  # only three taps
        (SQUARE[::-1], {}),  # wrong order
        (((0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9)), {}),  # crossed
        (((0.1, 0.1), (0.9, 0.1), (0.9, 0.15), (0.1, 0.15)), {}),  # squashed
        (((float("nan"), 0.1), *SQUARE[1:]), {}),
        (SQUARE, {"across": 3.0}),
        (SQUARE, {"moved": {"Z9": (0.5, 0.5)}}),
        (SQUARE, {"moved": {"C4": "here"}}),
        ("corners", {}),
    ],
)
def test_taps_that_make_no_board_are_refused(corners: object, more: dict[str, object]) -> None:
    """Taps that do not form a plausible board are refused."""
    with pytest.raises(RequestRefused) as refused:
        check_board(GAME, TOKYO, SIZE, corners, **more)  # type: ignore[arg-type]
    assert refused.value.key == "bad_board"


def test_a_hex_cannot_be_dragged_over_another() -> None:
    """A hex cannot be moved onto its neighbours."""
    with pytest.raises(RequestRefused) as refused:
        check_board(GAME, TOKYO, SIZE, SQUARE, 0.0, {"C4": (0.7, 0.7)})
    assert refused.value.key == "board_torn"


# --- reading ----------------------------------------------------------------------------------------


@pytest.mark.pixels
@pytest.mark.parametrize("seed", [1, 2])
def test_pieces_on_another_boxs_board_are_read(seed: int) -> None:
    """With a picture of the empty foreign board, no cell is read wrongly and few are asked about."""
    table, total = rendered(seed), BoardFigures()
    manual = tapped(table, GAME, TOKYO, seed)
    mat = board_mat(manual, TOKYO)
    pose = board_pose(manual, TOKYO, mat, SIZE)
    bare = bare_print(StoredBoard(manual, photograph(manual, TOKYO, table.picture())), mat)
    for nth in range(2):
        table.set(Layout({}, pieces=by_cell(scattered(TOKYO, Random(10 * seed + nth), 4))))
        total = total.plus(
            judged(read_pieces(table.picture(), pose, mat, COLOURS[:4], bare=bare), table.pieces.truth())
        )
    assert (total.wrong, total.missed, total.lost) == (0, 0, 0)
    assert total.right >= 0.9 * 2 * len(TOKYO.cells)


@pytest.mark.pixels
def test_a_reader_uses_the_board_that_was_set(tmp_path: Path) -> None:
    """A reader reads cells only once its board is set, and still does after a restart."""
    table = rendered(3)
    assert BoardReader(GAME, tmp_path).read(table.picture(), 1) == ()
    reader, _ = set_up(table, tmp_path)
    table.set(Layout({}, pieces={"C4": (Piece("cube", Seat(0), "C4"),)}))
    for again in (reader, BoardReader(GAME, tmp_path)):
        for at in range(1, 4):
            cells = again.read(table.picture(), at)
        assert {each.cell: each.pieces for each in cells if each.pieces} == {"C4": ("cube.red",)}
        assert len(cells) == len(TOKYO.cells)
    assert BoardReader("hill-and-harbour", tmp_path).read(table.picture(), 1) == ()


# --- nudges -----------------------------------------------------------------------------------------


def test_a_nudge_is_measured() -> None:
    """A nudge is measured by patches of the print, even with pieces on some, but not if the board lies far away."""
    table = rendered(2)
    manual = tapped(table, GAME, TOKYO)
    mat = board_mat(manual, TOKYO)
    pose = board_pose(manual, TOKYO, mat, SIZE)
    bare = bare_print(StoredBoard(manual, photograph(manual, TOKYO, table.picture())), mat)
    table.set(Layout({}, pieces=by_cell(scattered(TOKYO, Random(1), 4))))
    picture = pushed(table.picture())
    nudge = nudge_of(bare.picture, straighten(picture, pose, PX, mat.size))
    assert nudge is not None
    after = board_pose(nudged(manual, TOKYO, nudge), TOKYO, mat, SIZE)
    points = mat.board_area()
    high, wide = picture.shape[:2]
    way = cv2.getRotationMatrix2D((wide / 2, high / 2), 0.5, 1.0)
    way[:, 2] += (14.0, -7.0)
    wanted = perspective(np.vstack([way, [0, 0, 1]]), pose.project(points))
    assert np.linalg.norm(after.project(points) - wanted, axis=1).max() < 1.5 * pose.scale
    assert nudge_of(bare.picture, straighten(pushed(picture, 300.0, 20.0), pose, PX, mat.size)) is None


@pytest.mark.pixels
def test_a_nudged_board_is_followed_and_a_lost_one_is_told(tmp_path: Path) -> None:
    """The corners follow a nudged board and are stored; a board taken away is not read and is soon reported."""
    table = rendered(3)
    reader, manual = set_up(table, tmp_path)
    for at in range(1, 4):
        reader.read(table.picture(), at)
    table.set(Layout({}, pieces={"F6": (Piece("cube", Seat(1), "F6"),)}))
    for at in range(4, 7):
        cells = reader.read(pushed(table.picture()), at)
    assert {each.cell: each.pieces for each in cells if each.pieces} == {"F6": ("cube.blue",)}
    kept = load(tmp_path, GAME, (TOKYO,))
    assert kept is not None and kept.manual.corners != manual.corners
    assert not reader.locator.moved
    for at in range(7, 7 + COVERED):
        assert reader.read(pushed(table.picture(), 400.0, 30.0), at) == () and reader.pending
    assert reader.locator.moved
    assert reader.read(pushed(table.picture()), 20) and not reader.locator.moved


# --- the data folder --------------------------------------------------------------------------------


@pytest.mark.pixels
def test_hexes_are_corrected_with_pieces_on_the_board(tmp_path: Path) -> None:
    """Correcting hexes during a game keeps the corners and the picture of the empty board."""
    table = rendered(3)
    reader, manual = set_up(table, tmp_path)
    table.set(Layout({}, pieces={"C4": (Piece("cube", Seat(0), "C4"),)}))
    before = load(tmp_path, GAME, (TOKYO,))
    moved = msgspec.structs.replace(manual, moved=tapped(table, GAME, TOKYO, moved=("D5",)).moved)
    reader.locator.set_by_hand(moved, table.picture())
    after = load(tmp_path, GAME, (TOKYO,))
    assert before is not None and after is not None
    assert before.picture == after.picture and after.manual == moved
    for at in range(1, 4):
        cells = reader.read(table.picture(), at)
    assert {each.cell: each.pieces for each in cells if each.pieces} == {"C4": ("cube.red",)}
    reader.locator.set_by_hand(None, None)
    assert not (tmp_path / NAME).exists() and reader.read(table.picture(), 9) == ()


def test_a_nudge_is_followed_with_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a full disk a nudge is not stored, but the board is still read."""
    table = rendered(3)
    reader, _ = set_up(table, tmp_path)
    before = (tmp_path / NAME).read_bytes()
    reader.read(table.picture(), 1)

    def full(folder: Path, stored: StoredBoard) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(manual_board, "store", full)
    for at in range(2, 5):
        cells = reader.read(pushed(table.picture()), at)
    assert len(cells) == len(TOKYO.cells)
    assert (tmp_path / NAME).read_bytes() == before


@pytest.mark.pixels
def test_a_board_that_was_pushed_far_is_set_again_with_pieces_on_it(tmp_path: Path) -> None:
    """A board pushed far is set again with pieces on it by its stored picture, and another board is photographed."""
    table = rendered(3)
    reader, manual = set_up(table, tmp_path)
    before = load(tmp_path, GAME, (TOKYO,))
    table.set(Layout({}, pieces={"C4": (Piece("cube", Seat(0), "C4"),)}))
    high, wide = table.size[1], table.size[0]
    picture = pushed(table.picture(), 120.0, 6.0)
    way = cv2.getRotationMatrix2D((wide / 2, high / 2), 6.0, 1.0)
    way[:, 2] += (120.0, -60.0)
    there = perspective(np.vstack([way, [0, 0, 1]]), np.array(manual.corners) * table.size) / table.size
    a, b, c, d = [(float(x), float(y)) for x, y in there + 0.003]  # human taps are a few pixels off
    assert reader.read(picture, 1) == ()
    reader.locator.set_by_hand(msgspec.structs.replace(manual, corners=(a, b, c, d)), picture)
    for at in range(2, 5):
        cells = reader.read(picture, at)
    assert {each.cell: each.pieces for each in cells if each.pieces} == {"C4": ("cube.red",)}
    after = load(tmp_path, GAME, (TOKYO,))
    assert before is not None and after is not None and before.picture == after.picture
    other = rendered(4)
    reader.locator.set_by_hand(tapped(other, GAME, TOKYO), other.picture())
    another = load(tmp_path, GAME, (TOKYO,))
    assert another is not None and another.picture != after.picture


@pytest.mark.parametrize("held", [b"", b"{}", b"[1]", b'{"manual": 1, "picture": ""}'])
def test_a_spoilt_file_is_no_board(tmp_path: Path, held: bytes) -> None:
    """The camera starts without a board if its file or its picture is damaged."""
    (tmp_path / NAME).write_bytes(held)
    assert BoardLocator(GAME, tmp_path).manual is None
    manual = check_board(GAME, TOKYO, SIZE, SQUARE)
    (tmp_path / NAME).write_bytes(msgspec.json.encode(StoredBoard(manual, b"no picture")))
    assert BoardLocator(GAME, tmp_path).manual is None


@pytest.mark.pixels
def test_markers_come_first(tmp_path: Path) -> None:
    """A printed board with markers prevents a board set by hand and replaces it when it returns."""
    box, own = rendered(3), RenderedTable(make_board_mat(TOKYO), {}, seed=4, size=SIZE)
    reader, manual = BoardReader(GAME, tmp_path), tapped(box, GAME, TOKYO)
    reader.read(own.picture(), 1)
    with pytest.raises(RequestRefused) as refused:
        reader.locator.set_by_hand(manual, own.picture())
    assert refused.value.key == "board_seen" and not (tmp_path / NAME).exists()
    reader.read(box.picture(), 2)
    reader.locator.set_by_hand(manual, box.picture())
    for at in range(3, 6):
        cells = reader.read(box.picture(), at)
    assert len(cells) == len(TOKYO.cells) and not any(each.pieces for each in cells)
    reader.read(own.picture(), 6)
    assert reader.laid is not None and reader.laid[0] == make_board_mat(TOKYO)
