"""Play a hand of Freight Whist on four phones by taps on every card; the companion deals."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.games import game_words, teller_of
from companion.games.examples.freight_whist.bot import POLICY
from companion.games.examples.freight_whist.rules import DECK, RULES, CardPlayed
from companion.mechanics.zones_game import hand_of
from tests.support.web.board_room import board_room, next_record
from tests.support.web.served import served
from tests.web.browser.devices import PATIENCE, TABLET, Device, wait_shown

pytestmark = pytest.mark.browser

SIZES = ((360, 740), (390, 844), (360, 640), (412, 915))
SAY = game_words(RULES, "en")


def test_four_phones_play_a_hand(browser: Browser, tmp_path: Path) -> None:
    """Each hand is only on its own phone, and after 52 taps all pages name the side that scored."""
    luck = random.Random(2)
    with board_room(tmp_path, 4, RULES) as room, served(room.app) as address:
        phones = [Device(browser, {"width": width, "height": height}) for width, height in SIZES]
        devices = [*phones, Device(browser, TABLET)]
        for device, page in zip(devices, (*room.seats, room.page("watch")), strict=True):
            device.open(address + page)
        snapshot = room.table.snapshot()
        zones = snapshot.state.table.zones
        for seat, phone in enumerate(phones):
            shown = phone.page.locator("#region-holdings").inner_text()
            names = {card: teller_of(RULES).card_name(card, SAY) for card in DECK}
            assert sorted(card for card, name in names.items() if name in shown.splitlines()) == sorted(
                zones.named(hand_of(seat))
            )
        played = 0
        while not snapshot.state.table.match.history:
            seat = next(iter(snapshot.state.agenda[0].awaits(snapshot.state.table)), None)
            if seat is not None:
                event = POLICY.choose(POLICY.look(snapshot.state, seat), luck.random)
                assert isinstance(event, CardPlayed)
                wait_shown(phones[seat].page, room, seat)
                phones[seat].page.locator(f'.hand button.play[data-card="{event.card}"]').click(timeout=PATIENCE)
                played += 1
            snapshot = next_record(room, snapshot, PATIENCE / 1000)
        assert played == len(DECK)
        (points,) = snapshot.state.table.match.history
        for device in devices:
            expect(device.page.locator("#region-totals")).to_contain_text(str(max(points)), timeout=PATIENCE)
            assert device.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert device.complaints == []
