"""Play whole games by keyboard only, and by accessible names only."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.web.served import served
from tests.support.web.visitors import Room
from tests.web.browser.devices import PHONE, Device
from tests.web.browser.players import OFFERS, play_a_game

pytestmark = pytest.mark.browser

FAR = 120
"""The maximum number of Tab presses that may be needed to reach a control."""
FOCUSED = "(number) => document.activeElement === window.__way[number]"
WAY = """(number) => {
  const button = window.__offers[number], folds = [];
  for (let fold = button.closest("details"); fold; fold = fold.parentElement.closest("details")) {
    if (!fold.open) folds.unshift(fold.querySelector("summary"));
  }
  const radios = [...button.form.querySelectorAll("input[type=radio][required]")];
  window.__way = [...folds, ...(radios.some((each) => each.checked) ? [] : radios.slice(0, 1)), button];
  return window.__way.map((each) => each.localName);
}"""
"""Finds the controls on the way to an offer: folds to open, an alternative to choose, and the button."""

PART = re.compile(r'heading "([^"\n]*)" \[level=2\]\n(.*?)(?=- heading "[^"\n]*" \[level=2\]|\Z)', re.DOTALL)
"""Matches a region's heading and the content below it."""


class ByKeyboard:
    """A person who uses a phone's page with Tab, Enter and Space."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.page = device.page
        self.presses = 0

    def open(self, address: str) -> None:
        """Open the page."""
        self.device.open(address)

    def shown(self) -> str:
        """Return the state shown by the page."""
        return str(self.page.evaluate("() => document.body.dataset.shown"))

    def offers(self) -> list[dict[str, str]]:
        """Return the page's offers."""
        found: list[dict[str, str]] = self.page.evaluate(OFFERS)
        return found

    def take(self, number: int) -> None:
        """Focus each control on the way with Tab, and press it."""
        for at, kind in enumerate(self.page.evaluate(WAY, number)):
            for _ in range(FAR):
                if self.page.evaluate(FOCUSED, at):
                    break
                self.page.keyboard.press("Tab")
                self.presses += 1
            else:
                raise AssertionError(f"Tab does not reach the {kind}")
            self.page.keyboard.press("Space" if kind == "input" else "Enter")

    def judge(self) -> None:
        """Check that the focus is visible."""
        self.page.keyboard.press("Tab")
        assert self.page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle") != "none"


class ByReading:
    """A person who uses a phone's page only by the roles and names that a screen reader gets."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.page = device.page
        self.buttons: list[str] = []

    def open(self, address: str) -> None:
        """Open the page."""
        self.device.open(address)

    def shown(self) -> str:
        """Return the state shown by the page."""
        return str(self.page.evaluate("() => document.body.dataset.shown"))

    def offers(self) -> list[dict[str, str]]:
        """Return the moves of the buttons below "Your move", "Your train" or the repeated question of the sign."""
        told = self.page.locator("main").aria_snapshot()
        asked = self.page.get_by_role("heading", level=1).inner_text().strip()
        parts = PART.findall(told)
        own = "".join(below for heading, below in parts if heading in ("Your move", "Your train", asked))
        self.buttons = re.findall(r'- button "((?:[^"\\]|\\.)*)"', own)
        assert self.buttons, told
        return [dict(re.findall(r"(position) (\d+)", name)) | offered(name) for name in self.buttons]

    def take(self, number: int) -> None:
        """Press the button of that name, after choosing an alternative if its form asks for one."""
        button = self.page.locator("main").get_by_role("button", name=self.buttons[number], exact=True).first
        several = button.locator("xpath=ancestor::form[1]").get_by_role("radio")
        if several.count() and not several.and_(self.page.get_by_role("radio", checked=True)).count():
            several.first.press("Space")
        button.click()

    def judge(self) -> None:
        """Check that the sign is the page's only first-level heading, and not empty."""
        expect(self.page.get_by_role("heading", level=1)).to_have_count(1)
        assert self.page.get_by_role("heading", level=1).inner_text().strip()


def offered(name: str) -> dict[str, str]:
    """Return the event that a button names."""
    return {"event": "drew"} if name.startswith("Draw") else {}


@pytest.mark.parametrize("operated", [ByKeyboard, ByReading])
def test_a_whole_game_is_played(tmp_path: Path, browser: Browser, operated: type[ByKeyboard] | type[ByReading]) -> None:
    """A person can play a game until the page reports its end."""
    device = Device(browser, PHONE)
    with Room(tmp_path) as room, served(room.app) as address:
        page = operated(device)
        winner = play_a_game(room, address, page)
        expect(device.page.get_by_role("heading", name=f"{winner} wins")).to_have_count(1)
        assert device.complaints == []
    device.context.close()
