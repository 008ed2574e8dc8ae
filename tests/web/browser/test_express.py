"""A turn of Express on a phone: a card and a train are tapped, laid, taken back, and a discard ends the turn."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.engine import Seat
from companion.games.examples.express import events as ev
from companion.games.examples.express.rules import GAME
from tests.games.express.build import laid
from tests.support.web.board_room import board_room, served
from tests.web.browser.devices import PATIENCE, Device

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}


def test_a_phone_plays_a_turn(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only trains that take the tapped card are lit; all is said on one phone's width, and nothing complains."""
    state = laid({0: "hopper gondola reefer"}, {0: ("hopper hopper", "reefer reefer caboose")})
    monkeypatch.setattr(type(GAME), "begin", lambda *_: state)
    with board_room(tmp_path, 2, GAME) as room, served(room) as address:
        phone = Device(browser, PHONE)
        page = phone.open(address + room.seats[0])
        lit = page.locator("#region-holdings .here").filter(visible=True)
        expect(lit).to_have_count(0)
        page.locator(".xp-pick", has_text="Reefer").click(timeout=PATIENCE)
        expect(lit).to_have_count(0)
        expect(page.get_by_text("A caboose closes train 2.").filter(visible=True)).to_have_count(1)
        page.locator(".xp-pick", has_text="Hopper").click()
        expect(lit).to_have_count(1)
        phone.tap(lit)
        expect(page.locator("#region-holdings .xp-score").first).to_contain_text("3 points", timeout=PATIENCE)
        phone.tap(page.get_by_role("button", name="Take back Hopper"))
        expect(page.locator("#region-holdings .xp-score").first).to_contain_text("0 points", timeout=PATIENCE)
        page.locator(".xp-pick", has_text="Gondola").click()
        phone.tap(page.locator(".xp-train.new button", has_text="Reefer").filter(visible=True))
        expect(page.locator("#region-holdings figure")).to_have_count(3, timeout=PATIENCE)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("button", name="Take back Gondola").wait_for()
        phone.tap(page.get_by_role("button", name="Take back Gondola"))
        expect(page.locator("#region-holdings figure")).to_have_count(2, timeout=PATIENCE)
        page.locator(".xp-pick", has_text="Gondola").click()
        phone.tap(page.get_by_role("button", name="Discard Gondola"))
        expect(page.locator(".xp-pick")).to_have_count(0, timeout=PATIENCE)
        assert [entry.event for entry in room.table.snapshot().entries[:5]] == [
            ev.CarLaid(Seat(0), 1, "hopper"),
            ev.LaidTakenBack(Seat(0), 1, "hopper"),
            ev.TrainBegun(Seat(0), "gondola", "reefer"),
            ev.LaidTakenBack(Seat(0), 3, "gondola"),
            ev.Discarded(Seat(0), "gondola"),
        ]
        assert phone.complaints == []
