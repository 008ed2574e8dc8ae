"""Test that a phone takes back its own last move: one tap, a double tap, a late tap, and the shared tablet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.engine import Seat, legal
from companion.games.trains.events import FirstNamed
from companion.games.trains.rules import RULES
from companion.match.actor import Actor
from companion.messages import SECOND
from companion.table import take_back
from tests.support.web import any_game
from tests.support.web.served import served
from tests.support.web.visitors import Room
from tests.web.browser.devices import PHONE, TABLET, UNHURRIED, Device, wait_shown

pytestmark = pytest.mark.browser

FINGER = 44
"""The minimum size of a touch target, in pixels."""
HOUR = 3600 * SECOND
FROM_AN_HOUR = re.compile(r"^(3600|35\d\d) s$")
"""The seconds left that a slow test may find on the page."""
LATER = """minutes => {
  const now = performance.now.bind(performance);
  performance.now = () => now() + minutes * 60000;
}"""
"""Moves the page's clock forward by some minutes."""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Room, str]]:
    """Yield a match of Trains in which Jane places her first cube, at a table with an hour for taking back."""
    monkeypatch.setattr(take_back, "WINDOW", HOUR)
    with Room(tmp_path) as room, served(room.app) as address:
        any_game.lay(room, RULES.name)
        assert room.table.propose(FirstNamed(Seat(0)), Actor.TABLE).accepted
        room.context.hub.refresh()
        yield room, address


def place(room: Room) -> None:
    """Place a cube for Jane, as her page does."""
    shown = room.table.snapshot()
    assert shown.state is not None
    event = next(iter(legal(shown.game, shown.state)[0]))
    assert room.table.propose(event, Actor.at_seat(0)).accepted
    room.context.hub.refresh()


def arrived(page: Page, room: Room, seat: int) -> None:
    """Wait until a page is up to date and knows the table's clock."""
    wait_shown(page, room, seat)
    page.wait_for_function("() => window.companion.clock.here(0) !== null")


def test_a_double_tap_takes_one_move_back(browser: Browser, house: tuple[Room, str]) -> None:
    """A double tap takes back one move and Bill is told; the bar is tall enough, moves nothing and fits the phone."""
    room, address = house
    before = room.table.snapshot()
    jane, bill = Device(browser, PHONE), Device(browser, PHONE)
    page, other = jane.open(address + room.seats[0]), bill.open(address + room.seats[1])
    arrived(page, room, 0)
    sign = page.locator("#region-status")
    top = sign.bounding_box()
    place(room)
    bar = page.locator("[data-takeback] button")
    expect(bar).to_contain_text("Undo Jane")
    expect(bar.locator("[data-left]")).to_have_text(FROM_AN_HOUR)
    box, now = bar.bounding_box(), sign.bounding_box()
    assert box is not None and box["height"] >= FINGER and box["width"] >= FINGER
    assert top is not None and now is not None and now["y"] == top["y"]
    assert box["y"] > now["y"] + now["height"], "on top of the action bar, where it hides neither name nor sign"
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert other.locator("[data-takeback]").count() == 0
    bar.dblclick()
    expect(page.locator("#region-takeback")).to_contain_text("Jane took back: Jane")
    expect(other.locator("#region-takeback")).to_contain_text("Jane took back: Jane")
    for each in (page, other):
        each.evaluate("document.getAnimations().forEach((each) => each.finish())")
        expect(each.locator("[data-told]")).to_be_hidden()
    shown = room.table.snapshot()
    assert (shown.state, shown.seq) == (before.state, before.seq + 2)
    assert page.locator("[data-toast]").is_hidden()
    assert jane.complaints == bill.complaints == []


def test_the_line_follows_the_tables_clock(browser: Browser, house: tuple[Room, str]) -> None:
    """The line shrinks with the time, and the page hides the offer by itself when it expires."""
    room, address = house
    jane = Device(browser, PHONE, reduced_motion="no-preference")
    page = jane.open(address + room.seats[0])
    arrived(page, room, 0)
    place(room)
    bar = page.locator("[data-takeback]")
    expect(bar.locator("[data-left]")).to_have_text(FROM_AN_HOUR)
    page.evaluate(LATER, 30)
    page.wait_for_function("() => /^scaleX[(]0[.][45]/.test(document.querySelector('[data-line]').style.transform)")
    page.evaluate(LATER, 30)
    expect(bar).to_be_hidden()
    assert bar.count() == 1 and room.table.snapshot().own_move is not None, "hidden by the page, not by the table"
    assert jane.complaints == []


def test_a_handed_over_tablet_stays_while_it_offers_that(browser: Browser, house: tuple[Room, str]) -> None:
    """After a move a handed-over tablet hides its page only when the offer expires, or at a tap on its button."""
    room, address = house
    tablet = Device(browser, TABLET)
    page = tablet.open(address + room.page("tablet") + "hand")
    page.locator("label.choice", has_text="Jane").click()
    page.locator("input[name=pin]").fill("1110")
    hide = page.locator("[data-hide]")
    expect(hide).to_be_visible()
    page.wait_for_function(UNHURRIED)
    cell = page.locator(".board-map .cell.lit .ground").first
    cell.click()
    bar = page.locator("[data-takeback]")
    expect(bar).to_be_visible()
    box, free = bar.bounding_box(), hide.bounding_box()
    assert box is not None and free is not None and box["y"] >= free["y"] + free["height"]
    page.wait_for_timeout(2500)  # longer than the delay after any other move
    expect(bar).to_be_visible()
    room.table.pause(Actor.HOST)
    room.context.hub.refresh()
    expect(hide).to_have_count(0)
