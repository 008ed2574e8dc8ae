"""Test the generic pages of a game with a board and no pages of its own: options, moves and the end."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from companion.engine import CellName, Event, Seat
from companion.games.examples.hill_and_harbour.bot import POLICY
from companion.games.examples.hill_and_harbour.options import FIRST_TRIP
from companion.games.examples.hill_and_harbour.rules import RULES
from companion.games.examples.hill_and_harbour.steps import Laid
from companion.match.actor import Actor
from tests.support.web.board_room import board_room
from tests.support.web.visitors import Room, regions


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """Yield a match of three people that the companion has dealt."""
    with board_room(tmp_path, game=RULES) as found:
        yield found


def decided(room: Room) -> Event | None:
    """Return the bot's decision for the seat on turn, or None at the end."""
    state = room.table.snapshot().state
    assert state is not None
    if not state.agenda:
        return None
    (seat,) = state.agenda[0].awaits(state.table)
    return POLICY.choose(POLICY.look(state, seat), random.Random(1).random)


def test_a_cell_is_chosen_on_the_map_alone(room: Room) -> None:
    """No button repeats the map's cells, and the only other move is not the main button."""
    shown = regions(room.anybody.get(room.seats[0]).text)
    assert re.findall(r"<button[^>]*>([^<]+)</button>", shown["actions"]) == ["Wait: take 3 coins"]
    assert "button main" not in shown["actions"]
    assert shown["board"].count("data-choose") == 10
    assert "Lay track at Halport (C8)" in shown["board"] and "1 (city)" in shown["board"]


def test_everybody_reads_how_many_cubes_each_has_left(room: Room) -> None:
    """Every page shows the number of cubes left beside each name."""
    assert room.table.propose(Laid(Seat(0), CellName("C8")), Actor.at_seat(Seat(0))).accepted
    room.context.hub.refresh()
    for page in (room.host, *room.seats):
        seats = regions(room.anybody.get(page).text)["seats"]
        assert re.findall(r'class="pieces-left">([^<]*)<', seats) == ["14 cubes", "15 cubes", "15 cubes"]


def test_a_cube_is_moved_on_the_page_for_corrections(room: Room) -> None:
    """The generic page for amending offers every other city for a cube, without words of the game's own."""
    event = decided(room)
    assert event is not None and room.table.propose(event, Actor.at_seat(Seat(0))).accepted
    room.context.hub.refresh()
    page = room.anybody.get(f"{room.host}amend?line={len(room.table.snapshot().entries)}").text
    assert page.count('class="glow') == 10 and page.count("<option") == 10


def test_values_that_are_cards_are_called_like_the_cards(room: Room) -> None:
    """The lobby names contracts in words, and shows the coins for each number of players."""
    play_to_the_end(room)
    for lang, name in (("en", "Coal: Oskery – Midmar, 10 coins"), ("fr", "Charbon : Oskery – Midmar, 10 pièces")):
        page = unescape(room.visitor(lang).get(room.lobby("hill-and-harbour")).text).replace("\N{NO-BREAK SPACE}", " ")
        assert name in page.replace("\N{NARROW NO-BREAK SPACE}", " ")
        assert len(re.findall(r'name="goods" value="[\w-]+" checked', page)) == len(FIRST_TRIP)


def play_to_the_end(room: Room) -> None:
    """Play the match with bots."""
    while event := decided(room):
        assert room.table.propose(event, Actor.TABLE).accepted, event
    room.context.hub.refresh()


def test_a_past_game_ends_with_its_board(room: Room) -> None:
    """The map of a past match shows every cube, and no cell can be tapped."""
    play_to_the_end(room)
    state = room.table.snapshot().state
    assert state is not None
    page = room.anybody.get("/past/1/").text
    assert page.count('class="piece"') == sum(map(len, state.table.tracks))
    assert 'role="button"' not in page


def test_everybody_is_called_to_join(room: Room) -> None:
    """Until a seat is taken, every page names it as free, even while the others play."""

    def waiting() -> str:
        room.context.hub.refresh()
        people = regions(room.anybody.get(room.page("watch")).text)["people"]
        return "".join(re.findall(r'class="note (waiting[ \w]*)"', people))

    assert waiting() == ""
    room.context.access.free(room.table.snapshot().match_id, 2)
    assert waiting() == "waiting"
    event = decided(room)
    assert event is not None and room.table.propose(event, Actor.at_seat(Seat(0))).accepted
    assert waiting() == "waiting"
