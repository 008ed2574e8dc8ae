"""Being ready is a state with a way back: the button says both, until the last seat is ready."""

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
    """After the tap the button says that it is so and how to come back; after the next one it offers it again."""
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
    """Who leads counts, everybody else may bid more: each page's sign says so, and no longer to who is out of money."""
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
