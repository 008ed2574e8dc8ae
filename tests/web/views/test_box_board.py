"""Test a box's own board on the camera's page: its sketch, its outlines and its saved state."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from werkzeug.test import TestResponse

from companion.engine import AnyGame, Board, Cell, legal
from companion.games import GAMES
from companion.i18n import LANGUAGES
from companion.match.actor import Actor
from tests.support.web.any_game import lay
from tests.support.web.camera_double import Seeing, cells_of, seated
from tests.support.web.visitors import said
from web.presenters.box_board import board_sketches
from web.views.box_board import BadTaps, read_taps
from web.words import package, words

TRAINS = GAMES["trains"]
SQUARE = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
TAPPED: dict[str, Any] = {"board": "osaka", "corners": SQUARE, "moved": {"C4": [0.41, 0.3]}}


@pytest.fixture
def seeing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seeing]:
    """Yield two people at Trains on the box's board of Osaka, without a camera yet."""
    monkeypatch.setenv("COMPANION_SHELF", str(tmp_path / "shelf"))
    with Seeing(tmp_path) as room:
        lay(room, "trains", 2, "ours", board="osaka")
        yield room


def post(room: Seeing, where: str, tapped: object = None, page: str = "") -> TestResponse:
    """Send a tapped board as the page does, or an empty one."""
    form = {"board": "" if tapped is None else tapped if isinstance(tapped, str) else json.dumps(tapped)}
    return room.anybody.tap(page or room.host, f"camera/{where}", form)


# --- the page -------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_shows_the_boards_of_its_game(seeing: Seeing, lang: str) -> None:
    """Host and tablet have the button and both boards by name with numbered corners; the match's board is chosen."""
    for path in (seeing.host, seeing.page("tablet")):
        page = seeing.visitor(lang).read(path + "camera")
        assert words(lang)("box_board.open") in page
        assert re.findall(r'<option value="(\w+)"( selected)?>', page) == [("tokyo", ""), ("osaka", " selected")]
        assert re.findall(r'data-corner="(\w+)"', page) == ["A1", "A10", "H9", "H1"] * 2


def test_a_game_without_boards_has_no_such_button(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At Take a Train the page has no such button, and a tapped board is refused."""
    with seated(tmp_path, monkeypatch) as room:
        camera = room.camera()
        assert "data-box" not in room.anybody.read(room.host + "camera")
        answer = post(room, "board", TAPPED)
        assert (answer.status_code, said(answer)) == (422, words("en")("answer.bad_board"))
        assert camera.said == []


def test_a_board_without_four_corners_is_not_offered() -> None:
    """A board without four corners is omitted, because two cells cannot determine its position."""

    class Game:
        boards = (
            Board("pair", (20, 10), (Cell("A1", 5, 5, radius=4), Cell("A2", 15, 5, radius=4))),
            TRAINS.boards[0],  # type: ignore[attr-defined]
        )

    game: AnyGame = Game()  # type: ignore[assignment]
    assert [sketch.name for sketch in board_sketches(game, words("en", package(TRAINS)))] == ["tokyo"]


# --- outlines and saving ----------------------------------------------------------------------------


def test_outlines_are_the_cameras_own(seeing: Seeing) -> None:
    """The camera receives the tapped board, and the answer contains the camera's position of every cell."""
    camera = seeing.camera()
    answer = post(seeing, "board/outline", TAPPED)
    assert answer.status_code == 200
    cells = {name: [list(point) for point in outline] for name, outline in cells_of(TAPPED).items()}
    assert answer.get_json() == {"tapped": TAPPED, "cells": cells}
    assert [asked.fields for asked in camera.said if asked.what == "board_outline"] == [{"tapped": TAPPED}]


def test_no_camera_looks_into_a_hand_while_people_play(seeing: Seeing) -> None:
    """Before the game and during a public pause, the whole table can be seen and a board can be set; during play
    neither can."""
    camera, luck = seeing.camera(), Random(1)

    def tried() -> tuple[bool, int]:
        """Return whether the camera was asked for the whole table, and the answer to a board."""
        seeing.anybody.tap(seeing.host, "camera/watch", {"whole": "1"})
        (*_, asked) = [each.fields for each in camera.said if each.what == "watch"]
        return asked.get("whole", False), post(seeing, "board", TAPPED).status_code

    assert tried() == (True, 200)
    snapshot = seeing.table.snapshot()
    assert snapshot.state is not None
    event = legal(snapshot.game, snapshot.state)[0].pick(luck.random)
    assert seeing.table.propose(event, Actor.TABLE).accepted
    assert tried() == (False, 409)
    assert post(seeing, "board/outline", TAPPED).status_code == 200  # the answer contains only numbers, no picture
    assert seeing.table.pause(Actor.HOST).accepted
    assert tried() == (True, 200)
    assert seeing.table.unpause(Actor.HOST).accepted
    assert tried() == (False, 409)
    assert post(seeing, "board").status_code == 200  # clearing a board shows nothing


@pytest.mark.parametrize("prefix", ["host", "tablet"])
def test_a_board_is_kept_shown_again_and_forgotten(seeing: Seeing, prefix: str) -> None:
    """A saved board is confirmed, an empty request shows it, and saving an empty one deletes it."""
    camera, page = seeing.camera(), seeing.host if prefix == "host" else seeing.page("tablet")
    assert post(seeing, "board/outline", page=page).get_json() == {"tapped": None, "cells": {}}
    kept = TAPPED | {"across": 480.0}
    answer = post(seeing, "board", kept, page)
    assert (answer.status_code, said(answer)) == (200, words("en")("box_board.saved"))
    assert post(seeing, "board/outline", page=page).get_json()["tapped"] == kept == camera.tapped
    answer = post(seeing, "board", page=page)
    assert (answer.status_code, said(answer)) == (200, words("en")("box_board.forgotten"))
    assert camera.tapped is None


@pytest.mark.parametrize("key", ["bad_board", "board_torn", "board_seen", "no_camera"])
@pytest.mark.parametrize("where", ["board", "board/outline"])
def test_a_refusal_is_a_sentence(seeing: Seeing, where: str, key: str) -> None:
    """The page gives the camera's reason in a sentence."""
    seeing.camera().refuse = {"board": key, "board_outline": key}
    answer = post(seeing, where, TAPPED)
    assert (answer.status_code, said(answer)) == (409, words("en")(f"answer.{key}"))


def test_without_a_camera_nothing_is_set(seeing: Seeing) -> None:
    """The page says that no camera answers."""
    for where in ("board", "board/outline"):
        answer = post(seeing, where, TAPPED)
        assert (answer.status_code, said(answer)) == (409, words("en")("answer.absent"))


def test_seats_and_spectators_set_no_board(seeing: Seeing) -> None:
    """Only the host and the shared tablet can set a board, as with places."""
    camera = seeing.camera()
    seeing.join_all()
    for page in (seeing.seats[0], seeing.page("watch")):
        for where in ("board", "board/outline"):
            assert post(seeing, where, TAPPED, page).status_code in (403, 404)
    assert camera.said == []


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["board", "board/outline"])
@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "null",
        "[" * 5000,
        json.dumps({"board": "osaka"}),
        json.dumps(TAPPED | {"board": "country"}),
        json.dumps(TAPPED | {"corners": SQUARE[:3]}),
        json.dumps(TAPPED | {"corners": SQUARE[::-1]}),
        json.dumps(TAPPED | {"corners": [SQUARE[0]] * 4}),
        json.dumps(TAPPED | {"corners": [[-0.1, 0.1], *SQUARE[1:]]}),
        json.dumps(TAPPED | {"corners": [[0.1, 0.1], [1.1, 0.1], *SQUARE[2:]]}),
        json.dumps(TAPPED | {"corners": [[float("nan"), 0.1], *SQUARE[1:]]}),
        json.dumps(TAPPED).replace("0.41", "1e999"),
        json.dumps(TAPPED | {"moved": {"C4": [0.5, 1.5]}}),
        json.dumps(TAPPED | {"moved": {"Z9": [0.5, 0.5]}}),
        json.dumps(TAPPED | {"moved": {f"C{n}": [0.5, 0.5] for n in range(500)}}),
    ],
)
def test_nonsense_is_not_handed_on(seeing: Seeing, where: str, text: str) -> None:
    """Impossible taps are refused with instructions, and the camera receives nothing."""
    camera = seeing.camera()
    answer = post(seeing, where, text)
    assert (answer.status_code, said(answer)) == (422, words("en")("answer.bad_board"))
    assert camera.said == []


@pytest.mark.parametrize("across", [-1, 0.5, 49, 2501, 1e300])
def test_a_board_is_as_large_as_a_table_at_most(across: float) -> None:
    """An impossible length is refused with a sentence of its own."""
    with pytest.raises(BadTaps, match=r"^box_board\.bad_across$"):
        read_taps(json.dumps(TAPPED | {"across": across}), TRAINS)
    assert read_taps(json.dumps(TAPPED | {"across": 480}), TRAINS).across == 480
