"""Test that being ready can be withdrawn until the last seat is ready, and that the button says so."""

from __future__ import annotations

import re

import pytest

from companion.engine import Seat
from companion.games.take_a_train import events as ev
from companion.match.actor import Actor
from tests.support.web.visitors import Room
from web.words import words


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_who_is_ready_reads_so_and_may_take_it_back(room: Room, lang: str) -> None:
    """After a tap the button says that the seat is ready and how to withdraw, and after the next tap it offers
    "ready" again."""
    room.set_up(3, deck="ours", reveal="signal")
    room.join_all()
    room.begin("blind")
    seat = room.seats[0]
    room.anybody.client.set_cookie("lang", lang)
    for event, fields in (
        ("locos_revealed", {"cards": ["steam-1", "diesel-1", "electric-1"]}),
        ("nominated", {"card": "steam-1"}),
        ("committed", {"amount": "2000"}),
    ):
        assert room.anybody.say(seat, event, **fields).status_code == 204
    say = words(lang)
    for ready in (False, True, False):
        page = room.anybody.read(seat)
        shown = {key: say(f"press.{key}") in page for key in ("is_ready", "take_back")}
        assert shown == {"is_ready": ready, "take_back": ready}
        assert room.table.snapshot().ready == ((0,) if ready else ())
        assert room.anybody.tap(seat, "press").status_code == 204


def test_the_sign_speaks_to_whoever_may_press(room: Room) -> None:
    """The leader's sign asks to count, and everybody else's asks for a raise."""
    room.set_up(3, deck="ours")
    room.join_all()
    jane = Seat(0)
    begun = (ev.StarterNamed(jane), ev.TokenDrawn("open"), ev.LocosRevealed(("steam-1",)), ev.Opened(jane, 100))
    for event in begun:
        assert room.table.propose(event, Actor.TABLE).accepted, event
    signs = [re.sub(r"<[^>]*>", "", page.partition('<h1 class="say">')[2].partition("</h1>")[0]).strip()
             for page in map(room.anybody.read, (*room.seats, room.page("watch")))]  # fmt: skip
    more = "Raise before Jane counts three, or let it go."
    assert signs == ["You lead. Count slowly to three!", more, more, "Jane leads and counts to three. Who raises?"]
    assert "Jane leads with $100. A raise starts the count again." in room.anybody.read(room.seats[1])
