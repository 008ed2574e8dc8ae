"""Play a whole game with a board by touch on three phones and a tablet; the companion deals."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.engine import Event
from companion.games import game_words, teller_of
from companion.games.examples.hill_and_harbour.bot import POLICY
from companion.games.examples.hill_and_harbour.rules import RULES
from companion.games.examples.hill_and_harbour.steps import Laid
from tests.support.web.board_room import board_room, next_record
from tests.support.web.served import served
from tests.support.web.visitors import Room
from tests.web.browser.devices import PATIENCE, TABLET, Device, wait_shown

pytestmark = pytest.mark.browser

SIZES = ((360, 740), (390, 844), (360, 640))
SAY = game_words(RULES, "en")


def tap(page: Page, event: Event) -> None:
    """Carry out an event by touch: tap a cell and confirm it, or tap a button."""
    if isinstance(event, Laid):
        page.locator(f'.board-map .cell.lit[data-cell="{event.cell}"] .ground').click()
        page.locator(f'.cell-question[data-question="{event.cell}"] button.main').click()
    else:
        label = teller_of(RULES).choice(event, (), SAY)
        page.locator("#region-actions").get_by_role("button", name=label, exact=True).click()


def play_on(room: Room, phones: list[Device], luck: random.Random) -> list[Event]:
    """Tap until the game is over; return the events."""
    done = []
    snapshot = room.table.snapshot()
    while snapshot.state is not None and not snapshot.over:
        seat = next(iter(snapshot.state.agenda[0].awaits(snapshot.state.table)), None)
        if seat is not None:
            event = POLICY.choose(POLICY.look(snapshot.state, seat), luck.random)
            assert event is not None
            page = phones[seat].page
            wait_shown(page, room, seat)
            expect(page.locator("#region-status .sign.mine")).to_be_attached(timeout=PATIENCE)
            if isinstance(event, Laid):
                expect(page.locator(f'.board-map .cell.lit[data-cell="{event.cell}"]')).to_be_attached(timeout=PATIENCE)
            tap(page, event)
            done.append(event)
        snapshot = next_record(room, snapshot, PATIENCE / 1000)
    return done


def test_three_phones_play_a_whole_game(browser: Browser, tmp_path: Path) -> None:
    """Players tap cells on the map and deliver contracts by a button; all pages end with the same board and ranking."""
    with board_room(tmp_path, game=RULES) as room, served(room.app) as address:
        phones = [Device(browser, {"width": width, "height": height}) for width, height in SIZES]
        tablet = Device(browser, TABLET)
        devices = [*phones, tablet]
        for device, page in zip(devices, (*room.seats, room.page("watch")), strict=True):
            device.open(address + page)
        done = play_on(room, phones, random.Random(1))
        snapshot = room.table.snapshot()
        assert snapshot.over and snapshot.state is not None
        assert [entry.event for entry in snapshot.entries if getattr(entry.event, "seat", None) is not None] == done
        winners = RULES.winners(snapshot.state)
        for device in devices:
            expect(device.page.locator("#region-ending .first .name")).to_have_count(len(winners), timeout=PATIENCE)
            expect(device.page.locator(".board-map .piece")).to_have_count(sum(map(len, snapshot.state.table.tracks)))
            assert device.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert device.complaints == []
        first = phones[0].page.locator("#region-ending .first").first.text_content() or ""
        assert first.endswith(f"{snapshot.state.table.coins[winners[0]]} coins")
