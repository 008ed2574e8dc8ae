"""Test the pages of a game with a board: the public map, lit cells with prices, taps and amending."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from companion.engine import Amounts, CellName, Choice, Event, Offer, Seat, SeatEvent
from tests.support.hex_rails.rules import Laid, Lay, Rested, Table
from tests.support.web.board_room import board_room, play
from tests.support.web.visitors import Room, messages, regions
from web.live.channels import ChannelKey
from web.live.parts import split

LAID = [("A2", 0), ("B4", 1), ("C1", 2), ("A3", 0), ("C4", 1), ("B1", 2)]


def laid(*cells: tuple[str, int]) -> list[Event]:
    """Return the cubes that seats have laid."""
    return [Laid(Seat(seat), CellName(cell)) for cell, seat in cells]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """Yield a match of Hex Rails after two rounds, in which Jane is on turn."""
    with board_room(tmp_path) as found:
        play(found, *laid(*LAID))
        yield found


def board(room: Room, page: str) -> str:
    """Return the region with the board."""
    return regions(room.anybody.get(page).text)["board"]


def test_everybody_sees_the_board(room: Room) -> None:
    """Cells have names for screen readers, pieces have their owners' colours and shapes, and nobody else can tap a
    cell."""
    for page in (room.page("watch"), room.host, room.seats[1]):
        html = board(room, page)
        assert 'aria-label="B4, city: 1 cube (Bill)"' not in html
        assert 'aria-label="B4, field: 1 cube (Bill)"' in html
        assert 'aria-label="A6, Kyoto, city, 3 sites"' in html or "A6" in html
        assert html.count('class="piece"') == len(LAID) and "shape-square" in html
        assert "data-choose" not in html and 'role="button"' not in html


def test_the_seat_on_turn_sees_what_it_may_do(room: Room) -> None:
    """Each legal cell is lit for the seat on turn, and shows the parts of its price."""
    html = board(room, room.seats[0])
    lit = set(re.findall(r'class="cell lit"[^>]*data-cell="(\w+)"', html))
    assert lit == {"A1", "A4", "B1", "B2", "B3"}
    assert set(re.findall(r'data-choose="(\w+)"', html)) == lit
    assert "1 (others&#39; cubes), and 1 waste" in html
    assert "1 (river)" in html and "2 (mountain)" in html
    assert "B1, field: 1 cube (Tom). You may choose it for 1." in unescape(html)


class Offered(SeatEvent, frozen=True):
    """An event that offers an amount."""

    amount: int


@pytest.mark.parametrize("listed", [False, True])
def test_a_bid_beside_a_board_is_a_field(room: Room, monkeypatch: pytest.MonkeyPatch, listed: bool) -> None:
    """A range of amounts, as one offer or one by one, has one field and one button, and the cells stay on the map."""
    lay_legal = Lay.legal

    def lay_or_offer(self: Lay, table: Table) -> tuple[Offer, ...]:
        amounts = Amounts(self.seat, Offered, 1, 300, 1)
        return (*lay_legal(self, table), Choice(self.seat, tuple(amounts)) if listed else amounts)

    monkeypatch.setattr(Lay, "legal", lay_or_offer)
    play(room, Rested(Seat(0)))
    shown = regions(room.anybody.get(room.seats[1]).text)
    assert re.findall(r'data-low="(\d+)" data-high="(\d+)"', shown["actions"]) == [("1", "300")]
    assert shown["actions"].count("<button") == 2 and shown["board"].count("data-choose") > 0


def test_a_tap_proposes_the_event(room: Room) -> None:
    """A cell sends the same form as every other control; an unlit cell is refused with the game's reason."""
    html = board(room, room.seats[0])
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)"', html))
    assert form == {"event": "laid", "seat": "0"}
    wrong = room.anybody.tap(room.seats[0], "propose", form | {"cell": "D6"})
    assert wrong.status_code == 409 and "No cube may lie on Awaji (D6)." in unescape(wrong.text)
    assert room.anybody.tap(room.seats[0], "propose", form | {"cell": "B2"}).status_code == 204
    room.context.hub.refresh()
    assert 'data-cell="B2"' in board(room, room.seats[0]) and "data-choose" not in board(room, room.seats[0])
    assert "data-choose" in board(room, room.seats[1])


def test_a_cell_is_amended_on_the_map(room: Room) -> None:
    """The page for amending shows the board before the event, with its possible cells lit."""
    line = len(LAID)
    page = room.anybody.get(f"{room.host}amend?line={line}").text
    assert "select" in page and "data-cells" in page
    options = re.findall(r'<option value="(\w+)"( selected)?>', page)
    assert ("B1", " selected") in options and {value for value, _ in options} > {"B1", "D1"}
    assert "cell lit chosen" in page
    form = {"line": str(line), "seat": "2", "cell": "D1", "sure": "1"}
    answer = room.anybody.follow(room.host + "amend", form, room.host)
    assert answer.status_code == 200, answer.text
    assert "Take 1 cube (Tom) off B1." in answer.text and "Put 1 cube (Tom) on D1." in answer.text
    state = room.table.snapshot().state
    assert state is not None and ("D1", 2) in {(p.cell, p.owner) for p in state.table.pieces}


def test_a_move_sends_the_cells_that_it_changed(room: Room) -> None:
    """A page that has the map receives only the changed cells, pieces and choices."""
    where = ChannelKey(room.table.snapshot().match_id, "seat", 1, "en")
    shown = room.context.hub.page(where)
    assert shown is not None
    opened = room.context.hub.open(where, "page", shown.id)
    assert opened is not None
    play(room, Laid(Seat(0), CellName("B2")))
    queue = opened[0].outbox
    (message,) = messages([sent for sent in (queue.get() for _ in range(len(queue))) if sent])
    assert "board" not in message["regions"]
    parts = message["parts"]["board"]
    assert {"B2", "pieces", "moves"} <= set(parts) and "D6" not in parts
    after = room.context.hub.page(where)
    assert after is not None
    frame, now = split(after.regions["board"])
    assert (frame, now) == (split(shown.regions["board"])[0], split(shown.regions["board"])[1] | parts)


def test_a_kind_of_piece_is_described_once(room: Room) -> None:
    """A piece refers to the drawing of its kind in its seat's colour, so that a move with many pieces stays small."""
    html = board(room, room.seats[1])
    described = re.findall(r'<g id="p-(\w+)"', html)
    stands = re.findall(r'class="piece" href="#p-(\w+)"', html)
    assert sorted(described) == sorted(set(stands)) == ["cube"] and len(stands) == len(LAID)
    assert len(set(re.findall(r'<g class="seat-(\w+)" transform="[^"]+"><use class="piece"', html))) == 3


def test_what_lies_below_pieces_stays_when_they_come(room: Room) -> None:
    """The picture of a cell's ground stays under a piece."""
    bare, laid_on = [next(each for each in parts.values() if 'data-cell="B2"' in each) for parts in drawn_twice(room)]
    pictures = [re.findall(r'href="#g-\d+" transform="[^"]*"', html) for html in (bare, laid_on)]
    assert pictures[0] == pictures[1] != []


def drawn_twice(room: Room) -> list[dict[str, str]]:
    """Return the parts of the map before and after a cube is laid on B2."""
    before = split(board(room, room.seats[1]))[1]
    play(room, Laid(Seat(0), CellName("B2")))
    return [before, split(board(room, room.seats[1]))[1]]
