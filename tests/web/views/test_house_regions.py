"""What the house's own regions show of a game that brings no page: chance, the hand, partners, standing facts."""

from __future__ import annotations

import re

import pytest

from companion.engine import Seat
from companion.games.examples.twenty_tons import GAME as TWENTY_TONS
from companion.games.examples.twenty_tons.steps import Took, WagonTurned
from companion.match.actor import Actor
from tests.support.web import any_game
from tests.support.web.visitors import Room, regions

TURN_UP = frozenset({"turn_up"})


def test_a_person_sets_off_chance(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the companion deals, a moment that a person triggers has a button; it draws, and then there is none."""
    monkeypatch.setattr(type(TWENTY_TONS), "person_triggered", TURN_UP)
    any_game.lay(room, TWENTY_TONS.name)
    for page in (room.host, *room.seats):
        turnup = regions(room.anybody.get(page).text)["turnup"]
        assert re.findall(r'hx-post="(\w+)"', turnup) == ["draw"], page
        assert "Leave it to chance" in turnup
    assert room.anybody.tap(room.host, "draw").status_code == 204
    view = room.table.snapshot().view(None)
    assert (view.moment, view.wagon > 0) == ("ask", True)
    assert "hx-post" not in regions(room.anybody.get(room.host).text)["turnup"]


def test_a_moment_of_chance_that_nobody_triggers_has_no_button(room: Room) -> None:
    """With real cards people say what turned up; the companion draws by itself where it deals."""
    any_game.lay(room, TWENTY_TONS.name, deck="ours")
    turnup = regions(room.anybody.get(room.host).text)["turnup"]
    assert set(re.findall(r'hx-post="(\w+)"', turnup)) == {"propose"}
    assert room.anybody.tap(room.host, "draw").status_code == 409


def test_people_enter_chance_that_the_game_leaves_to_them(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the button that draws there is one for each outcome, though the companion deals."""
    monkeypatch.setattr(type(TWENTY_TONS), "person_triggered", TURN_UP)
    monkeypatch.setattr(type(TWENTY_TONS), "person_entered", frozenset({"wagon_turned"}))
    any_game.lay(room, TWENTY_TONS.name)
    turnup = regions(room.anybody.get(room.host).text)["turnup"]
    assert re.findall(r'hx-post="(\w+)"', turnup) == ["propose"] * 9 + ["draw"]
    assert room.anybody.tap(room.host, "propose", {"event": "wagon_turned", "wagon": "4"}).status_code == 204
    assert room.table.propose(Took(Seat(0)), Actor.at_seat(Seat(0))).accepted
    assert room.table.snapshot().entries[-2].event == WagonTurned(4)
