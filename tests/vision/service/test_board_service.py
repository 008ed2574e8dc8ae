"""Tests of the camera's service above a printed board: cells on the bus, and a game followed by its cubes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import cv2
import pytest

from companion.devices.frames import PICTURE_NAME, read_frame
from companion.engine import Event, Layout, Piece, Player, Seat, Setup, by_cell, follow, legal
from companion.games import SEEN
from companion.match.actor import Actor
from companion.messages import SECOND, CellSighting, Sighted
from companion.sight.tracker import SightTracker
from companion.table.table import Table
from tests.support.foreign_board import foreign_board, tapped
from tests.support.hex_rails.rules import BOARD, RULES, Laid, Rested
from tests.support.judging import proposed
from tests.support.web.board_room import offered
from tests.vision.service.test_loop import Camera, House, until
from vision.board.board_reader import BoardReader, usual_board
from vision.mat import make_board_mat, make_mat
from vision.simulate.rendered_table import RenderedTable

COLOURS = ("red", "blue")
PLAYERS = (Player("Jane", "red"), Player("Bill", "blue"))
MAT = make_board_mat(BOARD)
EVENTS = 10


def rendered(seed: int) -> RenderedTable:
    """Return a rendered board without cubes."""
    return RenderedTable(MAT, {}, seed=seed, size=(1280, 720), colours=COLOURS)


def test_the_service_tells_what_stands_on_a_board(tmp_path: Path) -> None:
    """A game without cards needs neither mat nor deck, and a passing hand changes nothing."""
    table = rendered(4)
    with offered():
        house = House(tmp_path, Camera(table.picture()), game=RULES.name)
        try:
            first = house.until(Sighted)
            assert {each.cell for each in first.cells} == BOARD.by_name.keys()
            assert all(each == CellSighting(each.cell) for each in first.cells) and first.game == RULES.name
            assert house.state(lambda state: state.looking == "still").trouble == ""
            table.set(
                Layout({}, pieces=by_cell(follow(RULES, RULES.begin(Setup(RULES.name, PLAYERS)), laid(0)).table.pieces))
            )
            assert house.camera is not None
            house.camera.picture = table.picture()
            told = house.until(Sighted, lambda each: any(cell.pieces for cell in each.cells))
            assert [each for each in told.cells if each.pieces] == [CellSighting("A2", ("cube.red",))]
        finally:
            house.end()


def laid(seat: int) -> Event:
    """Return a seat's cube on A2."""
    return Laid(Seat(seat), "A2")  # type: ignore[arg-type]


@pytest.mark.pixels
@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_is_followed_by_its_cubes(tmp_path: Path, seed: int) -> None:
    """A game is followed by its cubes alone, and each accepted event is what happened."""
    table, luck, tracker, now = rendered(seed), Random(seed), SightTracker(), 0
    with offered(), Table(tmp_path / "journal.db") as companion:
        companion.start(Setup(RULES.name, PLAYERS, deck="ours"))
        reader = BoardReader(RULES.name)
        for number in range(1, EVENTS + 1):
            before = companion.snapshot()
            assert before.state is not None
            event = luck.choice([e for offer in legal(RULES, before.state) for e in offer if not isinstance(e, Rested)])
            list(table.hand_piece(follow(RULES, before.state, event).table.pieces[-1], frames=2))
            now += 60 * SECOND
            tracker.follow_table(before)
            reader.read(table.picture(), now)  # a second picture confirms a change
            tracker.accept_reading(Sighted(now, number, game=RULES.name, cells=reader.read(table.picture(), now)))
            moves = [move.events for move in proposed(tracker, now)] or list(tracker.sight.choices)
            assert (event,) in moves, (event, tracker.sight)
            assert companion.propose(event, Actor.CAMERA).accepted


def corner_of(house: House) -> list[int]:
    """Return the colour in the live picture's corner, outside all places, or [] without a picture."""
    shown = cv2.imread(str(house.shelf / PICTURE_NAME)) if read_frame(house.shelf) else None
    return [] if shown is None else [int(part) for part in shown[4, 4]]


@pytest.mark.pixels
@pytest.mark.slow
def test_a_board_beside_a_mat_is_watched(tmp_path: Path) -> None:
    """A missing board is reported, a cube on it is news without a changed mat, and the live picture shows the board."""
    game, board = "hill-and-harbour", usual_board("hill-and-harbour", 2)
    mat = make_mat(SEEN[game].places(2), (63.0, 88.0), players=2)
    bare = RenderedTable(mat, {}, difficulty="easy", seed=3, size=(3648, 2052), board=None)
    table = RenderedTable(mat, {}, difficulty="easy", seed=3, size=(3648, 2052), board=board)
    house = House(tmp_path, Camera(bare.picture()), game=game)
    try:
        assert house.camera is not None
        assert house.state(lambda state: state.looking == "still" and bool(state.trouble)).trouble == "no_board"
        for whole in (False, True):  # while a board is being set, the area beside the mat is visible
            house.ask("watch", seconds=30, whole=whole)
            until(lambda whole=whole: corner_of(house) and (max(corner_of(house)) > 30) == whole)  # type: ignore[misc]
        house.camera.picture = table.picture()
        house.until(Sighted, lambda told: len(told.cells) == len(SEEN[game].boards[0].cells))  # type: ignore[attr-defined]
        table.set(Layout({}, pieces={"C3": (Piece("cube", Seat(0), "C3"),)}))
        house.camera.picture = table.picture()
        told = house.until(Sighted, lambda each: any(cell.pieces for cell in each.cells))
        assert [each for each in told.cells if each.pieces] == [CellSighting("C3", ("cube.red",))]
        house.state(lambda state: state.trouble == "no_deck")  # the missing board is no longer reported
        house.ask("watch", seconds=30)
        until(lambda: corner_of(house) and max(corner_of(house)) == 0)
        shown = cv2.imread(str(house.shelf / PICTURE_NAME))
        assert shown is not None
        laid = house.service.watch.board.laid
        assert laid is not None
        x, y = laid[1].resize((shown.shape[1], shown.shape[0])).project(laid[0].board_area().mean(axis=0)[None])[0]
        assert shown[round(y), round(x)].max() > 60
    finally:
        house.end()


@pytest.mark.pixels
def test_a_board_out_of_the_box_is_set_by_taps(tmp_path: Path) -> None:
    """Taps in the rotated live picture set a foreign board, whose hexes are reported, corrected, stored and removed."""
    board = SEEN["trains"].boards[0]  # type: ignore[attr-defined]
    table = RenderedTable(foreign_board(board), {}, seed=3, size=(2304, 1296))
    manual = tapped(table, "trains", board)
    corners = [(1 - x, 1 - y) for x, y in manual.corners]
    taps = {"board": "tokyo", "corners": corners, "across": manual.across}
    house = House(tmp_path, Camera(table.picture()), game="trains", rotate=180)
    try:
        assert house.ask("board_outline", tapped=taps).key in ("", "no_camera")
        house.state(lambda state: state.size == (2304, 1296))
        assert house.ask("board_outline").fields == {}
        for wrong, key in (
            ({"board": "kyoto"}, "bad_board"), ({"corners": corners[::-1]}, "bad_board"),
            ({"moved": {"Z9": (0.5, 0.5)}}, "bad_board"), ({"moved": {"C4": corners[2]}}, "board_torn"),
        ):  # fmt: skip
            for what in ("board_outline", "board"):
                assert house.ask(what, tapped={**taps, **wrong}).key == key
        shown = house.ask("board_outline", tapped=taps)
        assert shown.done and shown.fields["cells"].keys() == board.by_name.keys()
        middle = [sum(axis) / 6 for axis in zip(*shown.fields["cells"]["A1"], strict=True)]
        assert middle == pytest.approx(corners[0], abs=0.005)
        assert not any(isinstance(each, Sighted) for each in house.heard)
        assert house.ask("board", tapped=taps).done
        house.until(Sighted, lambda told: len(told.cells) == len(board.cells))
        table.set(Layout({}, pieces={"C4": (Piece("cube", Seat(0), "C4"),)}))
        assert house.camera is not None
        house.camera.picture = table.picture()
        told = house.until(Sighted, lambda each: any(cell.pieces for cell in each.cells))
        assert [each for each in told.cells if each.pieces] == [CellSighting("C4", ("cube.red",))]
    finally:
        house.end()
    (tmp_path / "again").mkdir()
    (tmp_path / "board.json").rename(tmp_path / "again" / "board.json")
    house = House(tmp_path / "again", Camera(table.picture()), game="trains", rotate=180)
    try:
        told = house.until(Sighted, lambda each: any(cell.pieces for cell in each.cells))
        assert [each for each in told.cells if each.pieces] == [CellSighting("C4", ("cube.red",))]
        kept = house.ask("board_outline").fields["tapped"]
        assert [tuple(tap) for tap in kept["corners"]] == [pytest.approx(tap, abs=1e-6) for tap in corners]
        assert house.ask("board").done and not (tmp_path / "again" / "board.json").exists()
    finally:
        house.end()
