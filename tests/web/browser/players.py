"""Let one person play a whole game with the offers on a page while programs play the other seats."""

from __future__ import annotations

import random
import time
from typing import Protocol

import msgspec

from companion.bots.bot import own_policy
from companion.bots.simulation import next_event
from companion.engine import Event, seat_of
from companion.games import GAMES
from companion.match.actor import Actor
from tests.support.web import any_game
from tests.support.web.visitors import Room
from tests.web.browser.truth import script
from web.live.channels import ChannelKey

OFFERS = script("offers.js")
GAME, PERSON, PLAYERS = "game-of-trains", 0, 2
PATIENCE = 30.0
"""Seconds until a page must show an event."""
LONGEST = 400
"""The maximum number of a person's decisions in one game; some forty are usual."""


class Page(Protocol):
    """A page that a test operates in one way, such as by touch."""

    def open(self, address: str) -> None:
        """Go to an address."""
        ...

    def shown(self) -> str:
        """Return the table's state shown by the page."""
        ...

    def offers(self) -> list[dict[str, str]]:
        """Return the page's offers in order."""
        ...

    def take(self, number: int) -> None:
        """Send one of the offers."""
        ...

    def judge(self) -> None:
        """Fail if the page has faults."""
        ...


def nearest(wanted: Event, offers: list[dict[str, str]]) -> int:
    """Return the number of the offer most similar to an event."""
    fields = {name: str(value) for name, value in msgspec.to_builtins(wanted).items()}

    def common(offer: dict[str, str]) -> int:
        return sum(offer.get(name) == value for name, value in fields.items())

    return max(range(len(offers)), key=lambda number: common(offers[number]))


def wait_shown(room: Room, page: Page) -> None:
    """Wait until the person's page is up to date."""
    room.context.hub.refresh()
    now = room.context.hub.page(ChannelKey(room.table.snapshot().match_id, "seat", PERSON, "en"))
    assert now is not None
    late = time.monotonic() + PATIENCE
    while page.shown() != now.id:
        assert time.monotonic() < late, f"the page shows {page.shown()}, the table is at {now.id}"
        time.sleep(0.02)


def play_a_game(room: Room, address: str, page: Page) -> str:
    """Play until the end, and return the name of the winner."""
    any_game.lay(room, GAME, PLAYERS)
    page.open(address + room.seats[PERSON])
    luck, policies = random.Random(4), [own_policy(GAMES[GAME])] * PLAYERS
    judged: set[str] = set()
    for _ in range(LONGEST):
        snapshot = room.table.snapshot()
        state, setup = snapshot.state, snapshot.setup
        assert state is not None and setup is not None
        moment = snapshot.game.view(state, None).moment
        if moment not in judged:
            judged.add(moment)
            wait_shown(room, page)
            page.judge()
        if snapshot.over:
            return str(setup.seated()[snapshot.game.winners(state)[0]].name)
        event = next_event(snapshot.game, state, policies, luck.random)
        if seat_of(event) == PERSON:
            wait_shown(room, page)
            page.take(nearest(event, page.offers()))
            late = time.monotonic() + PATIENCE
            while room.table.snapshot().seq == snapshot.seq:
                assert time.monotonic() < late, f"the page did not send {event}"
                time.sleep(0.01)
        elif not room.table.propose(event, Actor.at_seat(seat_of(event) or PERSON)).accepted:
            assert room.table.draw(Actor.TABLE).accepted, event
    raise AssertionError("the game did not end")
