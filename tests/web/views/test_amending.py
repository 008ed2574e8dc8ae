"""Test that amending offers the values that the rules accept, and names the event that does not fit."""

from __future__ import annotations

import re

import pytest

from companion.engine import Seat
from companion.games.game_of_trains import events as got
from tests.support.web import game_of_trains
from tests.support.web.visitors import Room, said
from web.presenters import corrections
from web.words import words

LINE = "amend?line={}"


def offered(room: Room, line: int, field: str) -> list[list[str]]:
    """Return the values that the page for amending a line offers for a field, for each select element."""
    html = room.anybody.get(room.host + LINE.format(line)).text
    selects = re.findall(rf'<select name="{field}".*?</select>', html, re.S)
    return [re.findall(r'value="([^"]*)"', select) for select in selects]


def turned_up(room: Room) -> None:
    """Turn up three locomotives in a game of real cards with a drawn Pass token."""
    room.set_up(deck="ours")
    room.join_all()
    room.begin("pass")
    cards = ["steam-1", "diesel-1", "electric-1"]
    assert room.anybody.say(room.page("tablet"), "locos_revealed", cards=cards).status_code == 204


def test_only_cards_that_can_turn_up_there_are_offered(room: Room) -> None:
    """For locomotives that turned up, the page offers no wagon, but two locomotives may change places."""
    turned_up(room)
    found = offered(room, 3, "cards")
    assert len(found) == 3 and {"steam-1", "diesel-1", "steam-2"} <= set(found[0])
    assert {card.partition("-")[0] for each in found for card in each} == {"steam", "diesel", "electric"}


def test_the_event_itself_is_blamed_where_it_could_not_happen(room: Room) -> None:
    """If two equal cards are entered, the page blames this line and no later move."""
    turned_up(room)
    form = {"line": "3", "cards": ["steam-2", "steam-2", "electric-1"]}
    answer = room.anybody.submit(room.host + "amend", form, room.host)
    assert answer.status_code == 409
    assert said(answer).startswith(words("en")("amend_page.not_here", why=""))


def test_a_later_move_is_blamed_where_it_no_longer_fits(room: Room) -> None:
    """If a card that was nominated later is changed, the page blames the nomination."""
    turned_up(room)
    assert room.anybody.say(room.seats[0], "nominated", card="diesel-1").status_code == 204
    form = {"line": "3", "cards": ["steam-1", "diesel-2", "electric-1"]}
    answer = room.anybody.submit(room.host + "amend", form, room.host)
    assert answer.status_code == 409 and "Jane" in said(answer)
    assert said(answer).startswith(words("en")("host.misfit", what="", why="").strip())


def test_what_had_no_other_value_is_not_asked_for(room: Room) -> None:
    """The page does not ask for the place of a drawn card, and offers only cards that were unseen."""
    game_of_trains.opened(room)
    game_of_trains.turn(room, 0, 6, 1)
    lines = range(1, len(room.table.snapshot().entries) + 1)
    pages = {line: room.anybody.get(room.host + LINE.format(line)) for line in lines}
    drawn = next(n for n, page in pages.items() if '<select name="card"' in page.text)
    (cards,) = offered(room, drawn, "card")
    seen = {str(card) for line in game_of_trains.LINES for card in line[1:]}
    assert "6" in cards and "7" in cards and not seen & set(cards)


def test_a_token_that_was_alone_in_the_bag_has_no_other(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """If nothing else was possible, the page says so instead of showing a form."""
    room.set_up(deck="ours")
    room.join_all()
    room.begin("pass")
    assert len(offered(room, 2, "kind")[0]) == 6
    monkeypatch.setattr(corrections, "is_accepted", lambda *event: False)
    answer = room.anybody.get(room.host + LINE.format(2))
    assert (answer.status_code, said(answer)) == (409, words("en")("amend_page.nothing_else"))


def test_a_seats_choice_of_a_hidden_card_is_typed(room: Room) -> None:
    """The cards that a seat keeps are typed, because a list would reveal the rest of its hand."""
    game_of_trains.opened(room)
    at = next(n for n, each in enumerate(room.table.snapshot().entries, 1) if isinstance(each.event, got.Kept))
    assert room.table.snapshot().entries[at - 1].event.seat == Seat(0)
    places = room.context.renderer.teller.places(room.table.snapshot())
    html = room.anybody.get(room.host + LINE.format(places.index(at - 1) + 1)).text
    assert '<input name="card"' in html and '<select name="position"' in html
