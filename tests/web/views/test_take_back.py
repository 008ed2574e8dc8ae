"""Test taking back a player's own last move: only that seat's page offers it, and everybody is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from companion.engine import CellName, Seat, legal
from companion.games.examples.hill_and_harbour.rules import RULES as HILL_AND_HARBOUR
from companion.games.examples.hill_and_harbour.steps import Ended, Laid
from companion.games.trains.events import FirstNamed, StartPlaced
from companion.games.trains.rules import RULES
from companion.match.actor import Actor
from companion.messages import SECOND
from companion.table import take_back
from tests.support.web import any_game
from tests.support.web.board_room import board_room
from tests.support.web.visitors import Room, Visitor, regions, said
from web.security.access import Viewer, digest
from web.words import words

HOUR = 3600 * SECOND
JANE, BILL = 0, 1


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """Yield a match of Trains in which Jane places her first cube, with an hour for taking it back."""
    monkeypatch.setattr(take_back, "WINDOW", HOUR)
    with Room(tmp_path) as room:
        any_game.lay(room, RULES.name)
        assert room.table.propose(FirstNamed(Seat(JANE)), Actor.TABLE).accepted
        yield room


def cell(room: Room, at: int = 0) -> str:
    """Return a cell on which the acting seat may place its first cube."""
    shown = room.table.snapshot()
    assert shown.state is not None
    event = list(legal(shown.game, shown.state)[0])[at]
    assert isinstance(event, StartPlaced)
    return event.cell


def place(room: Room, seat: int, at: int = 0, page: str = "") -> str:
    """Place a seat's first cube on its own page, and return the cell."""
    name = cell(room, at)
    assert room.anybody.say(page or room.seats[seat], "start_placed", seat=seat, cell=name).status_code == 204
    return name


def shown(room: Room, page: str, visitor: Visitor | None = None) -> str:
    """Return the HTML of the region about taking back on a page."""
    return unescape(regions((visitor or room.anybody).get(page).text)["takeback"])


def plain(html: str) -> str:
    """Return the text of a region."""
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def test_only_the_seats_own_page_offers_it(room: Room) -> None:
    """Only Jane's page has the sentence and the moment; no other page or stream mentions them."""
    before = room.table.snapshot()
    name = place(room, JANE)
    own = shown(room, room.seats[JANE])
    until = room.table.snapshot().own_move.until  # type: ignore[union-attr]
    assert f'data-until="{until}"' in own and f'data-lasts="{HOUR}"' in own
    assert plain(own).startswith("Undo Jane") and name in own
    for page in (room.host, room.seats[BILL], room.seats[2], room.page("tablet"), room.page("watch")):
        text = room.anybody.get(page).text
        assert plain(regions(text)["takeback"]) == ""
        assert "data-takeback" not in text and str(until) not in text
    assert before.seq + 1 == room.count


def test_one_tap_takes_it_back_and_everybody_is_told(room: Room) -> None:
    """The table is as before, every page says what Jane took back, and the log keeps it when play goes on."""
    before = room.table.snapshot()
    name = place(room, JANE)
    assert room.anybody.tap(room.seats[JANE], "takeback").status_code == 204
    assert room.table.snapshot().state == before.state
    for page in (room.host, *room.seats, room.page("tablet"), room.page("watch")):
        told = plain(shown(room, page))
        assert told.startswith("Jane took back: Jane") and name in told
    french = room.visitor("fr")
    french.client._cookies = room.anybody.client._cookies
    assert plain(shown(room, room.seats[BILL], french)).startswith("Jane a repris son coup : Jane")
    place(room, JANE, 1)
    place(room, BILL, 2)
    page = regions(room.anybody.get(room.seats[2]).text)
    assert plain(page["takeback"]) == ""
    sentences = re.findall(r"<li[^>]*>(.*?)</li>", unescape(page["log"]), re.S)
    assert [each.partition(" ")[0] for each in sentences[:3]] == ["Bill", "Jane", "Jane"]
    assert "took back" in sentences[2] and name in sentences[2]


def test_a_second_tap_and_a_late_one_change_nothing(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second tap and a late tap are refused with the same sentence in the reader's language."""
    place(room, JANE)
    assert room.anybody.tap(room.seats[JANE], "takeback").status_code == 204
    count = room.count
    again = room.anybody.tap(room.seats[JANE], "takeback")
    assert (again.status_code, said(again)) == (409, "You can no longer take that back.")
    monkeypatch.setattr(take_back, "WINDOW", 0)
    place(room, JANE)
    late = room.anybody.tap(room.seats[JANE], "takeback", **{"Accept-Language": "fr"})
    assert (late.status_code, said(late)) == (409, "Tu ne peux plus reprendre ce coup.")
    assert room.count == count + 1


def test_a_page_that_shows_an_older_move_cannot(room: Room) -> None:
    """The page sends the move that it shows, so that a slow tap leaves the next move alone."""
    place(room, JANE)
    key = re.search(r'data-shown="([^"]+)"', room.anybody.get(room.seats[JANE]).text)
    assert key is not None
    assert room.anybody.tap(room.seats[JANE], "takeback", {"seen": key[1]}).status_code == 204
    place(room, JANE, 1)
    count = room.count
    for seen in (key[1], "nonsense"):
        assert room.anybody.tap(room.seats[JANE], "takeback", {"seen": seen}).status_code == 409
    assert room.count == count


def test_nobody_else_can(room: Room) -> None:
    """Another seat is refused with a sentence, and host, tablet and spectators have no such address."""
    place(room, JANE)
    count = room.count
    refused = room.anybody.tap(room.seats[BILL], "takeback")
    assert (refused.status_code, said(refused)) == (409, words("en")("refusal.R-00.take_back_over"))
    for page in (room.host, room.page("tablet"), room.page("watch")):
        assert room.anybody.tap(page, "takeback").status_code in (403, 404)
    assert room.count == count
    assert room.table.snapshot().own_move is not None


def test_a_handed_over_tablet_is_the_seats_own_page(room: Room) -> None:
    """Jane, who plays on the shared tablet, can take her move back there."""
    before, tablet = room.table.snapshot(), room.page("tablet")
    key = digest(tablet.strip("/").split("/")[-1])
    handed = room.context.access.admit(Viewer("seat", before.match_id, JANE, key))
    page = f"{tablet}s/{handed}/"
    place(room, JANE, page=page)
    assert "data-takeback" in shown(room, page) and shown(room, tablet).strip() == ""
    assert room.anybody.tap(page, "takeback").status_code == 204
    assert room.table.snapshot().state == before.state


def test_a_restart_ends_it_and_keeps_the_news(room: Room) -> None:
    """After a restart the last move cannot be taken back, but the log still has what was taken back before."""
    name = place(room, JANE)
    assert room.anybody.tap(room.seats[JANE], "takeback").status_code == 204
    place(room, JANE, 1)
    room.restart()
    page = regions(room.anybody.get(room.seats[JANE]).text)
    assert plain(page["takeback"]) == ""
    assert "took back" in page["log"] and name in page["log"]
    assert room.anybody.tap(room.seats[JANE], "takeback").status_code == 409


def test_a_move_without_words_is_not_called_by_an_earlier_one(tmp_path: Path) -> None:
    """For the end of a turn, which is not in the log, the page does not name the cube placed before it."""
    with board_room(tmp_path, 3, HILL_AND_HARBOUR) as room:
        for event in (Laid(Seat(JANE), CellName("G3")), Ended(Seat(JANE))):
            assert room.table.propose(event, Actor.at_seat(Seat(JANE))).accepted
        room.context.hub.refresh()
        assert plain(shown(room, room.seats[JANE])) == "Undo"


def test_a_move_comes_before_what_it_led_to(tmp_path: Path) -> None:
    """The page names the move before its consequence, such as a city's payment."""
    with board_room(tmp_path, 3, HILL_AND_HARBOUR) as room:
        for cell in ("A1", "B1", "C2"):
            assert room.table.propose(Laid(Seat(JANE), CellName(cell)), Actor.at_seat(Seat(JANE))).accepted
        room.context.hub.refresh()
        assert plain(shown(room, room.seats[JANE])) == (
            "Undo Jane lays track at Tarn (C2). Jane is first in Tarn and gets 3 coins."
        )
