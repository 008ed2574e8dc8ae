"""Test advice: who can ask, when, the answer, its readers, and refusals."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from companion.bots.advice import advice
from companion.bots.adviser import AdviceFailed, Adviser
from companion.bots.bot import policy_of
from companion.bots.simulation import next_event
from companion.engine import Seat, Setup, apply
from companion.games import GAMES
from companion.games.trains.events import FirstNamed
from companion.match.actor import Actor
from companion.table.snapshot import Snapshot
from tests.support.web.hall_double import HallVisitors
from tests.support.web.visitors import Room, regions, said
from web.plugins.advice.desk import FAILED, HINT, MOVES, AdviceDesk, races
from web.plugins.advice.permissions import has_asked

WAIT = 20.0
"""Seconds until advice must have arrived, even on a busy machine."""


@pytest.fixture
def trains(room: Room) -> Room:
    """Return a room with two people at Trains, in which the first places a first cube."""
    room.set_up(2, game="trains", edition="okazu")
    room.join_all()
    assert room.table.propose(FirstNamed(Seat(0)), Actor.TABLE).accepted
    return room


def desk(room: Room) -> AdviceDesk:
    """Return the room's desk for advice."""
    found: AdviceDesk = room.app.extensions["advice"]
    return found


def asker(room: Room) -> int:
    """Return the seat that the table waits for."""
    shown = room.table.snapshot()
    assert shown.state is not None
    (seat,) = shown.game.view(shown.state, None).awaited
    return int(seat)


def allow(room: Room, seat: int, choice: str) -> str:
    """Set a seat's permission as the host, and return the refusal if there is one."""
    answer = room.anybody.tap(room.host, "advice", {"seat": seat, "allow": choice})
    return "" if answer.status_code == 204 else said(answer)


def ask(room: Room, seat: int) -> str:
    """Ask for advice as a seat, wait for the answer, and return the refusal if there is one."""
    answer = room.anybody.tap(room.seats[seat], "advice")
    until = time.monotonic() + WAIT
    while (told := desk(room)._told.get(Seat(seat))) is not None and told.stage == "thinking":
        assert time.monotonic() < until
        time.sleep(0.01)
    return "" if answer.status_code == 204 else said(answer)


def shown(room: Room, seat: int, name: str = "advice") -> str:
    """Return a region of a seat's page."""
    return regions(room.anybody.get(room.seats[seat]).text).get(name, "")


def act(room: Room, seat: int) -> None:
    """Make the move that the bot would make for a seat."""
    snapshot = room.table.snapshot()
    assert snapshot.state is not None
    best = advice(snapshot.game, snapshot.state, Seat(seat))[0]
    assert room.table.propose(best.event, Actor.at_seat(seat)).accepted


def test_first_a_hint_then_the_move(trains: Room) -> None:
    """The first tap gives a hint without the move, the second one the moves with reasons, both on that seat's page
    only."""
    seat = asker(trains)
    assert "What would you do?" not in shown(trains, seat)
    assert allow(trains, seat, "always") == ""
    assert "What would you do?" in shown(trains, seat)
    count = trains.count
    assert ask(trains, seat) == ""
    assert desk(trains)._told[Seat(seat)].stage == HINT
    hint = shown(trains, seat)
    assert "advice-hint" in hint
    assert "And the move?" in hint
    assert "<li" not in hint
    assert ask(trains, seat) == ""
    assert desk(trains)._told[Seat(seat)].stage == MOVES
    moves = shown(trains, seat)
    assert '<li class="first"><b>Begin at' in moves
    assert "It knows neither the next cards" in moves
    assert trains.count == count + 1
    assert shown(trains, 1 - seat).strip() == ""
    assert ask(trains, seat) == "You have all the advice there is for this decision."
    assert trains.count == count + 1


def test_everybody_reads_that_a_seat_asked_and_undo_passes_over(trains: Room) -> None:
    """The log says once who asked; an undo of the move before keeps that line, and removes the advice."""
    seat = asker(trains)
    allow(trains, seat, "always")
    ask(trains, seat)
    name = trains.table.snapshot().names[seat]
    assert f"{name} asked for advice." in shown(trains, 1 - seat, "log")
    before = trains.table.snapshot().state
    act(trains, seat)
    assert "advice-hint" not in shown(trains, seat)
    answer = trains.table.ask_undo(trains.table.snapshot().last_move or 0, Actor.HOST)
    assert answer.accepted
    assert trains.table.snapshot().state == before
    assert f"{name} asked for advice." in shown(trains, 1 - seat, "log")


def test_once_a_turn(trains: Room) -> None:
    """A seat that may ask once a turn is refused a second question until another seat has acted."""
    seat = asker(trains)
    allow(trains, seat, "once")
    assert ask(trains, seat) == ""
    assert has_asked(trains.table.snapshot(), Seat(seat))
    act(trains, seat)
    other = asker(trains)
    assert other != seat
    assert has_asked(trains.table.snapshot(), Seat(seat))
    act(trains, other)
    assert not has_asked(trains.table.snapshot(), Seat(seat))
    while asker(trains) != seat:
        act(trains, other)
    assert ask(trains, seat) == ""
    act(trains, seat)
    assert asker(trains) == seat
    assert ask(trains, seat) == "You have asked once in this turn."
    assert "What would you do?" not in shown(trains, seat)


def test_who_may_not_ask_is_told_why(trains: Room) -> None:
    """Without permission, during another seat's turn and in a pause, a seat is refused with a sentence and nothing
    is stored."""
    seat, count = asker(trains), trains.count
    assert ask(trains, seat) == "The host has not allowed advice for your seat."
    allow(trains, seat, "always")
    allow(trains, 1 - seat, "always")
    assert ask(trains, 1 - seat) == "You may ask when it is your turn."
    trains.table.pause(Actor.HOST)
    assert ask(trains, seat) == "You may ask when the game goes on."
    trains.table.unpause(Actor.HOST)
    assert trains.count == count
    allow(trains, seat, "off")
    assert ask(trains, seat) == "The host has not allowed advice for your seat."


def test_a_hall_gives_advice_only_where_its_organiser_allows_it(tmp_path: Path) -> None:
    """In a hall the organiser decides whether hosts can allow advice, and earlier permissions do not count."""
    with HallVisitors(tmp_path) as room:
        room.set_up(2, game="trains", edition="okazu")
        room.join_all()
        assert room.table.propose(FirstNamed(Seat(0)), Actor.TABLE).accepted
        seat = asker(room)
        allow(room, seat, "always")
        room.enter()
        assert ask(room, seat) == "The hall's organiser allows no advice."
        assert allow(room, seat, "once").startswith("There is no advice at this table")
        assert "What would you do?" not in shown(room, seat)
        room.say(advice=True)
        assert ask(room, seat) == ""
        assert "advice-hint" in shown(room, seat)


def test_no_advice_where_presses_race_or_bids_are_sealed() -> None:
    """Nobody can ask in an Open auction or while fists are closed, but the acting seat can during a turn with
    wagons."""
    game, found = GAMES["take-a-train"], dict[str, set[bool]]()
    for seed in range(4):
        luck = random.Random(seed)
        policies = [policy_of(game, "sensible")] * 3
        state = game.begin(Setup(game.name, 3))
        while state.agenda:
            shown, asked = Snapshot(1, match_game=game, state=state), policies[0].asked(state)
            found.setdefault(type(state.agenda[0]).__name__, set()).update([races(shown, seat) for seat in asked])
            state = apply(game, state, next_event(game, state, policies, luck.random))
    assert {name: found[name] for name in ("Calling", "Fists", "Act", "Bidding", "Nominate")} == {
        "Calling": {True}, "Fists": {True}, "Act": {False}, "Bidding": {False}, "Nominate": {False}
    }  # fmt: skip


def test_a_failed_answer_is_said_and_can_be_asked_again(trains: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the process gives no answer, the page says so, and asking again stores nothing more."""
    seat = asker(trains)
    allow(trains, seat, "once")

    def fail(*_: object) -> None:
        raise AdviceFailed("gone")

    with monkeypatch.context() as patch:
        patch.setattr(Adviser, "ask", fail)
        assert ask(trains, seat) == ""
        assert desk(trains)._told[Seat(seat)].stage == FAILED
    count = trains.count
    assert "No advice came. Ask again." in shown(trains, seat)
    assert ask(trains, seat) == ""
    assert desk(trains)._told[Seat(seat)].stage == HINT
    assert trains.count == count


def test_permissions_survive_a_restart_but_not_the_match(trains: Room) -> None:
    """The host's permissions survive a restart and end with the match."""
    seat = asker(trains)
    allow(trains, seat, "once")
    trains.restart()
    assert desk(trains).choices() == {seat: "once"}
    trains.table.leave()
    trains.set_up(2, game="trains", edition="okazu")
    assert desk(trains).choices() == {}


def test_words_the_host_does_not_know(trains: Room) -> None:
    """An unknown choice is refused."""
    assert trains.anybody.tap(trains.host, "advice", {"seat": 0, "allow": "sometimes"}).status_code == 422
