"""Play a whole game on six devices at one table.

One device sleeps, one loses the network, one is in French with dark colours, and one has only a keyboard.
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, ViewportSize, expect

from companion.bots.bot import own_policy
from companion.bots.simulation import next_event
from companion.engine import Event, Seat, name_of, seat_of
from companion.match.actor import Actor
from companion.table.snapshot import Snapshot
from tests.support.web.board_room import next_record
from tests.support.web.cable import Cable
from tests.support.web.visitors import Room
from tests.web.browser.devices import PATIENCE, PHONE, TABLET, UNHURRIED, Device
from tests.web.browser.hands import ByKeyboard, ByTouch, Hands
from tests.web.browser.truth import script
from web.live.channels import ChannelKey

FRENCH, SLEEPER, CUT_OFF, KEYBOARD = range(4)
"""The seats with special devices. The others are plain phones, the shared tablet or a spectator's television."""
DEVICES = 6
TELEVISION = ViewportSize(width=1920, height=1080)
CUT_OFF_AT, SLEEPS_AT, LASTS = 4, 12, 4
"""The moves after which a device loses the network or falls asleep, and the minimum number of moves until it
returns."""
TAPS, KEYS = 1, 2
"""The number of moves of each kind that each person makes on their own page. Later ones are announced at the table."""
MOST, MOST_KEYS = 6, 20
"""The maximum number of moves on each person's own page: every page must show one before the next."""
UNREACHABLE = r"ERR_\w+|Failed to fetch"
"""Matches the console messages of a page without a network."""
NO_WORKERS = "delete window.SharedWorker"
HIDE = """(hidden) => {
  Object.defineProperty(document, "visibilityState", { value: hidden ? "hidden" : "visible", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
RESTS = "() => 'resting' in document.body.dataset"
SEES = """() => [...document.querySelectorAll("[data-region]")]
  .some((each) => each.checkVisibility({ visibilityProperty: true }))"""
INERT = "() => [...document.querySelectorAll('[data-region]')].every((each) => each.inert)"
AT = "() => document.body.dataset.shown"
KNOWS = "() => ({ ...document.body.dataset })"
UNTRUE = script("untrue.js")
CARDS = """(selector) => [...document.querySelectorAll(selector)].map((each) => each.dataset.card).sort()"""

BY_BUTTON = "counted"
"""The move made by the seat's physical button, not by a control on its page."""
OWN: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "take-a-train": ("#region-holdings .cash b", lambda own: own.cash),
    "trains": ("#region-holdings .hand [data-card]", lambda own: sorted(set(own.own_cards))),
    "express": ("#region-holdings .xp-handful:not(details *) [data-card]", lambda own: sorted(set(own.own_cards))),
}
"""Maps a game to the place of private facts on a seat's page, and to the same values in the seat's view."""


class Place(NamedTuple):
    """A device, and the page on it."""

    device: Device
    path: str
    role: str
    seat: int | None = None
    lang: str = "en"

    @property
    def page(self) -> Page:
        """Return the open page."""
        return self.device.page


def seat_place(browser: Browser, path: str, seat: int) -> Place:
    """Return the phone of a seat."""
    more: dict[str, Any] = {"locale": "fr-FR", "color_scheme": "dark"} if seat == FRENCH else {}
    device = Device(browser, PHONE, **more)
    if seat == CUT_OFF:
        device.wanted.append(UNREACHABLE)
    if seat == SLEEPER:  # a stream shared by all pages of a browser does not pause
        device.context.add_init_script(NO_WORKERS)
        device.page.clock.install()
    return Place(device, path, "seat", seat, "fr" if seat == FRENCH else "en")


class Evening:
    """A game played on six devices.

    `done` lists the moves of seats, `tapped` counts the taps on each page.
    """

    def __init__(self, room: Room, address: str, cable: Cable, browser: Browser) -> None:
        self.room, self.address, self.cable = room, address, cable
        seats = [seat_place(browser, path, seat) for seat, path in enumerate(room.seats)]
        table = Place(Device(browser, TABLET), room.page("tablet"), "table")
        watch = Place(Device(browser, TELEVISION), room.page("watch"), "watch")
        self.places = (*seats, table, watch)[:DEVICES]
        self.hands: list[Hands] = [(ByKeyboard if s.seat == KEYBOARD else ByTouch)(s.page) for s in seats]
        self.luck, self.policies = random.Random(4), [own_policy(self.now.game)] * len(seats)
        self.away: set[int] = set()
        self.since: dict[int, int] = {}
        self.done: list[Event] = []
        self.tapped: Counter[tuple[int, str]] = Counter()

    @property
    def now(self) -> Snapshot:
        """Return the current snapshot of the table."""
        return self.room.table.snapshot()

    def open(self) -> None:
        """Open every page; one seat's page is open twice."""
        for place in self.places:
            place.device.open((self.cable.address if place.seat == CUT_OFF else self.address) + place.path)
        double = self.places[FRENCH]
        self.second = double.device.context.new_page()
        self.second.on("console", double.device.heard)
        self.second.goto(double.page.url)
        self.true()

    def close(self) -> list[str]:
        """Close every page, and return their complaints."""
        complaints = [complaint for place in self.places for complaint in place.device.complaints]
        for place in self.places:
            place.device.context.close()
        return complaints

    # --- a game -------------------------------------------------------------------------------------

    def play(self) -> None:
        """Play until the end."""
        while not self.now.over:
            self.leave()
            before = self.now
            assert before.state is not None
            event = next_event(before.game, before.state, self.policies, self.luck.random)
            seat = seat_of(event)
            if seat is not None:
                self.come_back(seat)
            if seat is not None and self.taps(seat, name_of(event)):
                self.tap(seat, event, before)
            else:
                self.happen(event)
        self.come_back(SLEEPER)
        self.come_back(CUT_OFF)
        self.true()

    def taps(self, seat: Seat, kind: str) -> bool:
        """Return whether a move is made on its seat's own page."""
        each, most = (KEYS, MOST_KEYS) if seat == KEYBOARD else (TAPS, MOST)
        made = sum(count for (other, _), count in self.tapped.items() if other == seat)
        return kind != BY_BUTTON and seat not in self.away and made < most and self.tapped[seat, kind] < each

    def tap(self, seat: Seat, event: Event, before: Snapshot) -> None:
        """Make a move on its seat's own page, after checking that the page shows the seat's private facts."""
        place = self.places[seat]
        self.wait_shown(place)
        self.shows_own(place)
        self.hands[seat].do(event)
        after = next_record(self.room, before, PATIENCE / 1000)
        found = [entry.event for entry in after.entries if entry.seq > before.seq]
        assert found[0] == event, (event, found)
        self.done.append(event)
        self.tapped[seat, name_of(event)] += 1

    def happen(self, event: Event) -> None:
        """Apply an event without using a page."""
        seat = seat_of(event)
        if not self.room.table.propose(event, Actor.TABLE if seat is None else Actor.at_seat(seat)).accepted:
            assert self.room.table.draw(Actor.TABLE).accepted, event
        elif seat is not None:
            self.done.append(event)

    # --- what happens to devices ----------------------------------------------------------------------

    def leave(self) -> None:
        """At the scripted moves, disconnect one device from the network and put another to sleep."""
        for seat, at, go in ((CUT_OFF, CUT_OFF_AT, self.lose_network), (SLEEPER, SLEEPS_AT, self.fall_asleep)):
            if len(self.done) >= at and seat not in self.since:
                self.since[seat] = len(self.done)
                self.wait_shown(self.places[seat])
                go(self.places[seat])
                self.away.add(seat)

    def come_back(self, seat: int) -> None:
        """Return a device to use after its absence; its page must be right without reloading."""
        if seat not in self.away or (not self.now.over and len(self.done) - self.since[seat] < LASTS):
            return
        self.away.remove(seat)
        (self.find_network if seat == CUT_OFF else self.wake_up)(self.places[seat])
        self.true(seat)
        assert self.places[seat].page.evaluate("() => window.stayed") is True

    def lose_network(self, place: Place) -> None:
        """Disconnect a phone from the network."""
        place.page.evaluate("() => { window.stayed = true; }")
        place.device.context.set_offline(True)
        self.cable.pull()
        is_lost(place.page)

    def find_network(self, place: Place) -> None:
        """Reconnect a phone to the network."""
        is_lost(place.page)
        self.cable.plug()
        place.device.context.set_offline(False)
        expect(place.page.locator("[data-lost]")).to_be_hidden()
        expect(place.page.locator("#region-status")).to_be_visible()

    def fall_asleep(self, place: Place) -> None:
        """Put a phone to sleep until it gives up its connection."""
        place.page.evaluate("() => { window.stayed = true; }")
        place.page.evaluate(HIDE, True)
        place.page.clock.run_for(6000)
        assert place.page.evaluate(RESTS) and not place.page.evaluate(SEES)

    def wake_up(self, place: Place) -> None:
        """Wake the phone: it shows nothing until it knows the state of the table."""
        assert place.page.evaluate(RESTS) and not place.page.evaluate(SEES)
        place.page.evaluate(HIDE, False)
        place.page.wait_for_function(SEES, timeout=PATIENCE)

    # --- what pages show ------------------------------------------------------------------------------

    def shown(self, role: str, seat: int | None = None, lang: str = "en") -> str:
        """Return the id of the last message to a kind of page."""
        self.room.context.hub.refresh()
        now = self.room.context.hub.page(ChannelKey(self.now.match_id, role, seat, lang))
        assert now is not None
        return now.id

    def wait_shown(self, place: Place) -> None:
        """Wait until a page is up to date."""
        late = time.monotonic() + PATIENCE / 1000
        while (at := place.page.evaluate(AT)) != (now := self.shown(place.role, place.seat, place.lang)):
            assert time.monotonic() < late, (place.page.url, at, now, place.page.evaluate(KNOWS))
            place.page.wait_for_timeout(20)
        place.page.wait_for_function(UNHURRIED, timeout=PATIENCE)

    def true(self, *seats: int) -> None:
        """Check that every region of these pages, or of all, equals the server's current rendering."""
        late = time.monotonic() + PATIENCE / 1000
        pages = [self.places[seat].page for seat in seats] or [*[place.page for place in self.places], self.second]
        for page in pages:
            while untrue := page.evaluate(UNTRUE):
                assert time.monotonic() < late, (page.url, untrue)
                page.wait_for_timeout(20)

    def shows_own(self, place: Place) -> None:
        """Check that a seat's page shows the seat's private facts."""
        game = self.now.game
        if game.name in OWN:
            where, told = OWN[game.name]
            assert self.now.state is not None and place.seat is not None
            view = game.view(self.now.state, Seat(place.seat))
            if game.name == "take-a-train":
                shown: Any = digits(place.page.locator(where).inner_text())
            else:
                shown = place.page.evaluate(CARDS, where)
            assert shown == told(view), (place.page.url, shown, told(view))

    def result(self, page: Page) -> tuple[list[str], dict[str, int]]:
        """Return a page's final standings: the winner, and everybody's money."""
        assert self.now.setup is not None
        title = page.locator("#region-ending h2").first.inner_text()
        rows = page.locator("#region-ending .ranking li").all()
        told = [(row.locator(".name").all_inner_texts(), digits(row.locator(".cash").inner_text())) for row in rows]
        assert [each for _, each in told] == sorted([each for _, each in told], reverse=True)
        winners = [player.name for player in self.now.setup.seated() if player.name in title]
        return winners, {name: each for names, each in told for name in names}


def is_lost(page: Page) -> None:
    """Check that a disconnected page says so, and offers nothing to follow or use."""
    expect(page.locator("[data-lost]")).to_be_visible()
    expect(page.locator("#region-status")).to_be_hidden()
    assert page.evaluate(INERT)


def digits(text: str) -> int:
    """Return the number in a text."""
    return int(re.sub(r"[^\d-]", "", text.replace("−", "-")) or 0)
