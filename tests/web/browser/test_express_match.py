"""Play a whole match of Express on four phones with two sides: one hand by taps, the rest without pages."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from companion.engine import SeatEvent, legal, name_of
from companion.games import game_words, teller_of
from companion.games.express import events as ev
from companion.games.express.bot import POLICY
from companion.games.express.rules import RULES
from companion.match import match
from companion.match.actor import Actor
from companion.table.snapshot import Snapshot
from tests.support.web.board_room import board_room, next_record
from tests.support.web.served import served
from tests.support.web.visitors import Room
from tests.web.browser.devices import PATIENCE, TABLET, Device, wait_shown
from tests.web.browser.truth import unfit

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES = ((360, 740), (390, 844), (320, 640), (412, 915))
SAY = game_words(RULES, "en")
SEED = f"{15:064x}"
"""The seed of a deal with a short first hand."""
OFTEN = 6
"""How many moves of each kind are tapped; later ones are announced at the table."""


class Match:
    """A match on phones."""

    def __init__(self, room: Room, phones: list[Device]) -> None:
        self.room = room
        self.phones = phones
        self.luck = random.Random(4)
        self.asked = False
        self.tapped: Counter[type[SeatEvent]] = Counter()

    @property
    def now(self) -> Snapshot:
        """Return the current snapshot of the table."""
        return self.room.table.snapshot()

    @property
    def state(self) -> Any:
        """Return the state of the match."""
        return self.now.state

    def decide(self) -> SeatEvent:
        """Return the next action: once, as early as possible, a question to the partner, and otherwise a program's
        choice."""
        state, head = self.state, self.state.agenda[0]
        questions = [event for offer in legal(RULES, state) for event in offer if isinstance(event, ev.PartnerAsked)]
        if questions and not self.asked:
            self.asked = True
            return questions[0]
        turn = state.table.turn
        seat = (
            state.table.fixed.sides.partners(turn)[0] if head.name == "answer_partner" else head.awaits(state.table)[0]
        )
        event = POLICY.choose(POLICY.look(state, seat), self.luck.random)
        assert isinstance(event, SeatEvent)
        return event

    def tap(self, event: SeatEvent) -> None:
        """Carry out an event by touch, and check that it is recorded."""
        before, phone = self.now, self.phones[event.seat]
        wait_shown(phone.page, self.room, event.seat)
        phone.tap(control(phone, event, before))
        after = next_record(self.room, before, PATIENCE / 1000)
        assert next(entry.event for entry in after.entries if entry.seq > before.seq) == event
        self.tapped[type(event)] += 1

    def play_hand(self) -> None:
        """Play the first hand, and begin the second."""
        while not self.state.table.match.history:
            event = self.decide()
            if self.tapped[type(event)] < OFTEN:
                self.tap(event)
            else:
                self.say(event)
        self.tap(self.decide())

    def say(self, event: SeatEvent) -> None:
        """Apply an event without a page."""
        assert self.room.table.propose(event, Actor.at_seat(event.seat)).accepted, event

    def finish(self) -> None:
        """Play to the end without pages."""
        while not self.now.over:
            self.say(self.decide())


def control(phone: Device, event: SeatEvent, now: Snapshot) -> Locator:
    """Tap an event's card, and return its button."""
    held, both = phone.page.locator("#region-holdings"), phone.page.locator("#region-holdings, #region-actions")
    match event:
        case ev.CarLaid(_, number, card):
            choose(phone, card)
            return held.locator(f"#lay-{number}")
        case ev.TrainBegun(_, card, locomotive):
            choose(phone, card)
            return held.locator(f'.xp-train.new button[value="{locomotive}"]').filter(visible=True)
        case ev.LaidTakenBack(_, number, card):
            return phone.form("laid_taken_back", train=number, card=card).locator("button")
        case ev.MaintenanceLaid(_, card) | ev.Discarded(_, card) | ev.DiscardedUnused(_, card) | ev.WentOut(_, card):
            choose(phone, card)
            return phone.form(name_of(event), card=card).locator("button").first
        case ev.DisasterPlayed(_, card):
            choose(phone, card)
        case ev.TurntablePlayed():
            choose(phone, "turntable")
    assert now.setup is not None and now.state is not None
    label = teller_of(RULES).choice(event, now.setup.seated(), SAY, now.state.table)
    return both.get_by_role("button", name=label, exact=True, include_hidden=True)


def choose(phone: Device, card: str) -> None:
    """Tap a card of the hand, unless it is already chosen."""
    pick = phone.page.locator(f'.xp-pick:has(input[value="{card}"])')
    if not pick.locator("input").is_checked():
        pick.click()


def test_four_phones_play_a_match(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A partner is asked and answers, hands are added up to 100 points, and all pages end with the same ranking."""
    monkeypatch.setattr(match, "new_seed", lambda: SEED)
    with board_room(tmp_path, 4, RULES) as room, served(room.app) as address:
        phones = [Device(browser, {"width": width, "height": height}) for width, height in SIZES]
        tablet = Device(browser, TABLET)
        pages = [*zip(phones, room.seats, strict=True), (tablet, room.page("watch"))]
        for device, page in pages:
            device.open(address + page)
        played = Match(room, phones)
        played.play_hand()
        kinds = played.tapped.keys()
        assert kinds >= {ev.PartnerAsked, ev.TrainBegun, ev.CarLaid, ev.MaintenanceLaid, ev.Discarded, ev.WentOut}
        assert kinds & {ev.PartnerAgreed, ev.PartnerForbade} and ev.HandCalled in kinds
        for device, _ in pages:
            assert unfit(device.page, touch=device in phones) == []
        with ExitStack() as stack:
            for device, _ in pages:
                stack.enter_context(device.asleep())
            played.finish()
            room.context.hub.refresh()
        hands, totals = len(played.state.table.match.history), played.state.table.match.totals
        assert hands > 1 and max(totals) >= 100
        for device, page in pages:
            device.open(address + page)
            points = device.page.locator("#region-ending .ranking .cash")
            expect(points).to_have_text([f"{total} points" for total in sorted(totals, reverse=True)], timeout=PATIENCE)
            expect(device.page.locator(".xp-course tbody tr")).to_have_count(hands)
            assert unfit(device.page, touch=device in phones) == [] and device.complaints == []
        chart = tablet.page.get_by_role("link", name="Ranking and chart")
        expect(chart).to_have_count(0)  # a television shows controls only while a pointer moves
        tablet.page.mouse.move(300, 300)
        chart.click()
        expect(tablet.page.locator("svg.chart").first).to_be_visible(timeout=PATIENCE)
        assert tablet.complaints == []
