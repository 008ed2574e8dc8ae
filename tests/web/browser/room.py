"""A room with one shared tablet, three phones, the host's page, and their games."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from playwright.sync_api import Browser, expect

from companion.engine import COLOURS, SHAPES, Event, State, legal
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.rules import RULES
from companion.games.take_a_train.table import Table
from companion.games.take_a_train.view import SeatView, TableView
from companion.match.match import Match
from tests.web.browser.devices import PATIENCE, PHONE, TABLET, Device, Server
from tests.web.browser.truth import match_in, shows, told, unfit

NAMES = ("Jane", "Bill", "Tom")
HOST_PIN, SEAT_PINS = "2468", ("1111", "2222", "3333", "4444", "5555", "6666")


class Room:
    """People with phones, a tablet on the table and a host; `begin` starts a new game."""

    def __init__(self, browser: Browser, server: Server, names: tuple[str, ...] = NAMES) -> None:
        self.server = server
        self.names = names
        self.host = Device(browser, TABLET)
        self.tablet = Device(browser, TABLET)
        self.phones = tuple(Device(browser, PHONE) for _ in names)
        self.luck = random.Random(7)
        self.pin = ""
        self.running = False
        self.unfit: set[str] = set()
        for device in self.devices:
            device.open(server.address)

    @property
    def devices(self) -> tuple[Device, ...]:
        """Every device in the room."""
        return (self.host, self.tablet, *self.phones)

    # --- a game -------------------------------------------------------------------------------------

    def begin(self, *events: Event, deck: str = "ours", **options: str) -> None:
        """Set up a game and take the seats by direct requests; then apply some events."""
        host = self.host.post(
            "/setup",
            name=self.names,
            colour=COLOURS[: len(self.names)],
            shape=SHAPES[: len(self.names)],
            deck=deck,
            edition="en",
            pin=HOST_PIN,
            **options,
        )
        self.arrive(host)
        for event in events:
            self.say(event)
        self.agree()

    def arrive(self, host: str) -> None:
        """Open everybody's page of this game."""
        self.running = True
        self.host.open(host)
        self.pin = re.sub(r"\D", "", str(self.host.page.locator(".join-code .pin").text_content()))
        self.tablet.open(self.tablet.post("/tablet", "/join", room=self.pin))
        for seat, phone in enumerate(self.phones):
            phone.open(phone.post("/join", room=self.pin, seat=seat, pin=SEAT_PINS[seat]))

    def leave(self) -> None:
        """Take the game off the table, as the host; afterwards every page must say so and stop sending moves."""
        if not self.running:
            return
        self.running = False
        if not self.state.over:
            self.host.open(re.sub(r"(/h/[^/]+/).*", r"\1", self.host.page.url))
            self.host.send_form("leave", sure=1)
            for device in (self.tablet, *self.phones):
                expect(device.page.locator("[data-ended]")).to_be_visible(timeout=PATIENCE)
        for device in self.devices:  # an open page would request its ended stream during the next test
            device.open(self.server.address)

    # --- the truth -------------------------------------------------------------------------------------

    @property
    def match(self) -> Match:
        """Return the newest match in the journal."""
        return match_in(self.server.folder)

    @property
    def state(self) -> State[Table]:
        """Return the match's state."""
        return self.match.state

    @property
    def view(self) -> TableView:
        """Return the server's public view."""
        view: TableView = RULES.view(self.state, None)
        return view

    def own(self, seat: int) -> SeatView:
        """Return one seat's own view."""
        view: SeatView = RULES.view(self.state, seat)
        return view

    def agree(self) -> TableView:
        """Check that all pages show the journal's state and fit their screens."""
        match = self.match
        wanted = told(match)
        for device in (self.tablet, *self.phones, self.host):
            shows(device.page, wanted)
        for seat, phone in enumerate(self.phones):
            cash = phone.page.locator("#region-holdings .cash b").text_content() or ""
            assert re.sub(r"\D", "", cash) == str(match.state.table.cash[seat]), (seat, cash)
            self.unfit |= set(unfit(phone.page, touch=True))
        self.unfit |= set(unfit(self.tablet.page, touch=False))
        view: TableView = RULES.view(match.state, None)
        return view

    def until(self, so: Callable[[TableView], Any]) -> TableView:
        """Wait until a condition holds at the table; fail if it never does."""
        late = time.monotonic() + PATIENCE / 1000
        while not so(view := self.view):
            assert time.monotonic() < late, view
            self.host.page.wait_for_timeout(20)
        return view

    # --- by touch -----------------------------------------------------------------------------------

    def locos_turned_up(self, *cards: str) -> None:
        """Turn up these locomotives on the tablet, in order."""
        self.tablet.move("locos_revealed", pick=cards)

    def cards_turned_up(self, *cards: str) -> None:
        """Turn up these wagon cards on the tablet, in order."""
        form = self.tablet.form("cards_revealed")
        for card in cards:
            form.locator(f'[data-put="{card}"]').click()
        self.tablet.tap(form.locator("[data-picked]"))

    # --- by direct requests ----------------------------------------------------------------------------

    def say(self, event: Event, by: int | None = None) -> None:
        """Send an event from its seat's own page, or from the tablet if everybody may send it."""
        seat = getattr(event, "seat", None) if not isinstance(event, ev.StarterNamed) else None
        device = self.tablet if seat is None else self.phones[seat]
        device.send(event)

    def hurry(self, until: Callable[[State[Table]], bool], *kinds: str) -> None:
        """Play simple moves for everybody until a condition holds; `kinds` are the tokens to draw."""
        state, tokens = self.state, list(kinds)
        with ExitStack() as stack:
            for device in self.devices:
                stack.enter_context(device.asleep())
            while not until(state) and not state.over:
                if legal(RULES, state)[0].chance and self.match.setup.deck == "dealt":
                    self.tablet.send_form("draw")
                else:
                    self.say(thoughtless(state, self.luck, tokens))
                state = self.state


def thoughtless(state: State[Table], luck: random.Random, tokens: list[str]) -> Event:
    """Return a simple move: pass if possible, pay the minimum, take any wagon, and ask for nothing."""
    offers = legal(RULES, state)
    moment = RULES.view(state, None).moment
    if moment == "draw_token" and tokens:
        return ev.TokenDrawn(tokens.pop(0))  # type: ignore[arg-type]
    if offers[0].chance:
        return offers[0].pick(luck.random)
    waits = RULES.view(state, None).awaited
    asked = [offer for offer in offers if offer.by is None or offer.by in waits or not waits]
    first: list[Any] = [next(iter(offer)) for offer in asked]
    for kind in (ev.Passed, ev.Counted, ev.Bought, ev.Opened, ev.Committed, ev.OpeningDeclined, ev.ClaimsDone):
        for event in first:
            if isinstance(event, kind):
                return event
    took = [event for offer in asked for event in offer if isinstance(event, ev.Took)]
    if took:
        return max(took, key=lambda e: -1 if e.train is None else len(state.table.trains[e.seat][e.train].wagons))
    others = (ev.Claimed, ev.PurposesEntered, ev.CashCorrected, ev.CountBroken, ev.Exchanged, ev.Raised)
    found: Event = next(event for event in first if not isinstance(event, others))
    return found
