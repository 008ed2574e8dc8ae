"""Test cards in a browser: one sheet with all pictures, equal cards as one pile, and one enlarged card."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.engine import Seat, legal
from companion.games import game_words
from companion.games.trains import events as ev
from companion.games.trains.bot import POLICY
from companion.games.trains.catalogue import NORMAL
from companion.games.trains.rules import RULES
from companion.games.trains.table import hand_of
from companion.match.actor import Actor
from tests.support.web.board_room import board_room, next_record
from tests.support.web.served import served
from tests.support.web.visitors import Room
from tests.web.browser.devices import PATIENCE, Device, wait_shown

pytestmark = pytest.mark.browser

PHONE, WIDE = {"width": 390, "height": 844}, {"width": 1280, "height": 720}
SAY = game_words(RULES, "en")
HOLD = 700
"""Milliseconds of a long press that enlarges a card."""


@contextmanager
def turn(folder: Path) -> Iterator[tuple[Room, str, Seat]]:
    """Yield a room in which a seat may play at least two equal Trains."""
    luck = random.Random(5)
    with board_room(folder, 2, RULES) as room, served(room.app) as address:
        while True:
            state = room.table.snapshot().state
            plays = [event for offer in legal(RULES, state) for event in list(offer) if isinstance(event, ev.Played)]
            if plays and Counter(state.table.zones.named(hand_of(plays[0].seat)))[NORMAL] > 1:
                room.context.hub.refresh()
                yield room, address, plays[0].seat
                return
            event = next(filter(None, [POLICY.choose(POLICY.look(state, seat), luck.random) for seat in (0, 1)]), None)
            taken = room.table.propose(event, Actor.TABLE) if event else room.table.draw(Actor.TABLE)
            assert taken.accepted


def copies(room: Room, seat: Seat) -> int:
    """Return the number of a seat's Normal Trains."""
    return Counter(room.table.snapshot().state.table.zones.named(hand_of(seat)))[NORMAL]


def art(page: Page) -> None:
    """Wait until the sheet of pictures has loaded."""
    expect(page.locator("html.art")).to_have_count(1)


def test_equal_trains_are_one_pile_and_played_at_once(browser: Browser, tmp_path: Path) -> None:
    """The pile shows its number; one tap on its button plays them all."""
    with turn(tmp_path) as (room, address, seat):
        phone = Device(browser, PHONE)
        page = phone.open(address + room.seats[seat])
        pile = page.locator(f'.hand [data-card="{NORMAL}"]')
        expect(pile).to_have_count(1)
        count = copies(room, seat)
        expect(pile).to_contain_text(f"×{count}")
        wait_shown(page, room, seat)
        before = room.table.snapshot()
        page.locator(".play-all").click()
        next_record(room, before, PATIENCE / 1000)
        expect(pile).to_have_count(0)
        assert copies(room, seat) == 0
        expect(page.locator(f'#region-play [data-card="{NORMAL}"]')).to_contain_text(f"×{count}")
        assert phone.complaints == []


def test_a_long_press_shows_a_card_whole_and_plays_nothing(browser: Browser, tmp_path: Path) -> None:
    """A long press shows a card with its text and the number owned, and does not play it."""
    with turn(tmp_path) as (room, address, seat):
        phone = Device(browser, PHONE)
        page = phone.open(address + room.seats[seat])
        art(page)
        count = copies(room, seat)
        page.locator(f'.hand [data-card="{NORMAL}"]').click(delay=HOLD)
        about = page.locator(f"#about-{NORMAL}")
        expect(about).to_be_visible()
        expect(about).to_contain_text(SAY(f"card.{NORMAL}"))
        owned = room.table.snapshot().state.table.owned[seat][NORMAL]
        expect(about.locator(".about-now")).to_contain_text(SAY("now.owned", count=owned))
        assert copies(room, seat) == count


def test_a_card_without_its_sheet_says_its_name(browser: Browser, tmp_path: Path) -> None:
    """If the sheet does not load, only the pictures are missing."""
    with turn(tmp_path) as (room, address, seat):
        phone = Device(browser, PHONE)
        phone.context.route("**/art.webp*", lambda route: route.abort())
        with phone.page.expect_event("requestfailed", lambda request: "art.webp" in request.url):
            page = phone.open(address + room.seats[seat])
        expect(page.locator("html.art")).to_have_count(0)
        card = page.locator(f'.hand [data-card="{NORMAL}"]')
        expect(card).to_contain_text(SAY(f"card.{NORMAL}"))
        assert "art.webp" not in card.evaluate("node => getComputedStyle(node, '::before').backgroundImage")


def test_every_device_fetches_the_same_pictures(browser: Browser, tmp_path: Path) -> None:
    """Two seats with different hands and a television request the same sheet, and no other picture of a card."""
    with turn(tmp_path) as (room, address, _):
        asked = []
        for path, size in ((room.seats[0], PHONE), (room.seats[1], PHONE), (room.page("watch"), WIDE)):
            device = Device(browser, size)
            fetched: set[str] = set()
            device.page.on("request", lambda request, fetched=fetched: fetched.add(request.url))
            art(device.open(address + path))
            asked.append({url for url in fetched if "/trains/" in url})
            device.context.close()
        assert asked[0] == asked[1] == asked[2]
        assert ["art.webp" in url for url in asked[0]] == [True]
