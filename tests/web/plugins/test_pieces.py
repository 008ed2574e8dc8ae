"""Test the card table of a game with a board: pages name pieces by seat, the camera by colour."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine import CellName, Layout, Seat
from companion.engine.layout import cell_places
from companion.games import SEEN
from companion.games.examples.hill_and_harbour.steps import OPEN, ContractTurned, Laid
from companion.games.trains import boards
from companion.match.actor import Actor
from companion.messages import CardLaid, CellSighting, Sighted, Sighting
from tests.support.web.camera_double import PATIENCE, Seeing
from tests.web.plugins.test_card_table import Drawn, do, waited
from web.game_pages import OFFERED
from web.plugins.card_table.pieces import supply

GAME = SEEN["hill-and-harbour"]
PLAYERS = 3


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seeing]:
    """Yield three people at a rendered table with a board."""
    monkeypatch.setitem(OFFERED, GAME.name, GAME)
    monkeypatch.setenv("COMPANION_SHELF", str(tmp_path / "shelf"))
    with Seeing(tmp_path) as room:
        room.set_up(PLAYERS, game=GAME.name, deck="ours")
        yield room


@pytest.fixture
def drawn(room: Seeing) -> Drawn:
    """Return the service of a rendered table with a red cube on A1."""
    heard = threading.Event()
    room.board.camera_link.listen_to_readings(lambda sighted: heard.set())
    camera = Drawn(room.board.bus.path, room.context.frames)
    room.cameras.append(camera)
    camera.places = [place.name for place in (*GAME.places(PLAYERS), *cell_places(GAME.boards[0]))]
    camera.lain = [{"place": "board.A1", "card": "cube.red", "face": "up"}]
    assert heard.wait(PATIENCE)
    return camera


def test_pieces_are_named_by_seat(room: Seeing, drawn: Drawn) -> None:
    """Programs read pieces like cards, and the page draws the board and offers a cube of each seat."""
    lies = room.anybody.get(room.host + "laying.json").get_json()
    assert {place: cards for place, cards in lies.items() if cards} == {"board.A1": [["cube.1", "up"]]}
    page = room.anybody.read(room.host + "laying")
    assert 'data-cell="A1"' in page and 'data-choose="C3"' in page
    assert all(f'data-card-table-card="cube.{seat}"' in page for seat in (1, 2, 3))


def test_the_first_piece_of_nobody_is_offered() -> None:
    """Trains offers its first station before any station is on the board."""
    for board in boards.shipped():
        assert supply(board, Layout({}), (), 2) == ("cube.1", "cube.2", "station")


def test_pieces_are_moved_by_colour(room: Seeing, drawn: Drawn) -> None:
    """A piece can be moved from beside the table to a cell, between cells, and off the board."""
    do(room, "move", card="cube.2", place="board.C3")
    do(room, "move", card="cube.1", source="board.A1", place="board.A2")
    do(room, "move", card="cube.2", source="board.C3", place="")
    assert waited(drawn, 3) == [
        CardLaid("cube.blue", "board.C3"),
        CardLaid("cube.red", "board.A2", "board.A1"),
        CardLaid("cube.blue", "", "board.C3"),
    ]


def test_the_board_is_put_right(room: Seeing, drawn: Drawn) -> None:
    """If no cube has been laid in the match, the cube on A1 is removed."""
    do(room, "settle")
    assert waited(drawn, 1) == [CardLaid("cube.red", "", "board.A1")]


@pytest.mark.parametrize(
    ("code", "form"),
    [
        (422, {"card": "cube.4", "place": "board.C3"}),
        (422, {"card": "cube.1", "place": "board.Z9"}),
        (422, {"card": "wine-8", "place": "board.C3"}),
        (422, {"card": "cube.1", "source": "board.A1", "place": "open"}),
        (410, {"card": "cube.2", "source": "board.A1", "place": "board.C3"}),
    ],
)
def test_what_cannot_be_moved_is_refused(room: Seeing, drawn: Drawn, code: int, form: dict[str, str]) -> None:
    """An unknown seat, cell or piece, a card on the board, a piece among cards and a missing piece are refused."""
    assert do(room, "move", **form).status_code == code
    assert drawn.moved == []


def test_a_cell_in_doubt_is_asked_and_answered_with_a_tap(room: Seeing, drawn: Drawn) -> None:
    """The table's page shows the possible explanations of a doubtful cell, and one tap enters one of them."""
    table = room.context.table
    cards = table.snapshot().state.table.deck[:OPEN]  # type: ignore[union-attr]
    for card in cards:
        assert table.propose(ContractTurned(card), Actor.HOST).accepted
    lies = tuple([Sighting("open", card, at) for at, card in enumerate(cards)])
    doubt = (CellSighting("D5", choices=(("cube.red",), ())),)
    room.observer.accept_reading(Sighted(room.now, 2, lies, cells=doubt))
    room.observer.look()
    room.context.hub.refresh()
    tablet = room.page("tablet")
    page = room.anybody.read(tablet)
    found = re.search(r'name="mark" value="(\w+)"', page)
    assert found is not None and "D5" in page
    answer = room.anybody.tap(tablet, "sight", {"do": "choose", "mark": found[1]})
    assert answer.status_code == 204
    assert table.snapshot().entries[-1].event == Laid(Seat(0), CellName("D5"))
