"""Test the browser's Back button after accepted and refused forms: nothing is sent a second time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.support.web import any_game
from tests.support.web.served import served
from tests.support.web.visitors import Room
from tests.web.browser.devices import PHONE, Device

pytestmark = pytest.mark.browser

WRONG = "9999"


class Person:
    """A person with a phone.

    `sent` contains the addresses of the forms sent, `pages` the status codes of the pages received.
    """

    def __init__(self, browser: Browser, address: str) -> None:
        self.address = address
        self.device = Device(browser, PHONE)
        self.device.wanted.append("status of 4")
        self.sent: list[str] = []
        self.pages: list[int] = []
        self.page: Page = self.device.page
        self.page.on("request", self.note)
        self.page.on("response", lambda answer: self.pages.append(answer.status) if is_page(answer.request) else None)
        self.device.open(address)

    def note(self, request: Request) -> None:
        """Record a form that the page sends."""
        if request.method == "POST" and is_page(request):
            self.sent.append(request.url)

    def back(self, most: int = 9) -> list[str]:
        """Go back to the first page, and return the paths on the way."""
        found: list[str] = []
        while not found or (found[-1] != "/" and len(found) < most):
            self.page.go_back(wait_until="domcontentloaded")
            assert self.page.url.startswith(self.address), self.page.url
            found.append(self.page.url.removeprefix(self.address).removesuffix("/") or "/")
        return found


def is_page(request: Request) -> bool:
    """Return whether a request is for a page."""
    return request.is_navigation_request()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[tuple[Room, str]]:
    """Yield a match of Trains in which Jane's seat is taken."""
    with Room(tmp_path) as room, served(room.app) as address:
        any_game.lay(room, "trains")
        yield room, address


def test_back_from_a_joined_phone(browser: Browser, house: tuple[Room, str]) -> None:
    """After a wrong room PIN and a wrong seat PIN, Back leads to pages that open, and no address contains a PIN."""
    room, address = house
    person = Person(browser, address)
    page = person.page
    for pin in (f"{(int(room.pin) + 1) % 10**6:06d}", room.pin):
        page.locator("[name=room]").fill(pin)
        page.get_by_role("button", name="Join", exact=True).click()
        page.wait_for_load_state("domcontentloaded")
    expect(page.locator("[name=seat]")).to_have_count(3)
    for pin in (WRONG, "1110"):
        page.locator("[name=seat]").first.check(force=True)
        page.locator("[name=pin]").press_sequentially(pin)
        page.wait_for_load_state("domcontentloaded")
        page.wait_for_function("pin => !document.querySelector('[name=pin]')?.value", arg=pin)
    page.wait_for_selector("#region-status")
    assert len(person.sent) == 4
    shown = person.back()
    assert shown[-1] == "/" and set(shown) <= {"/", "/join", "/join/seat"} and "/join/seat" in shown
    assert len(person.sent) == 4 and max(person.pages[-len(shown) :]) < 400
    assert room.pin not in "".join(shown) and WRONG not in "".join(shown)
    assert person.device.complaints == []


def test_a_scanned_pin_does_not_stay_in_the_address(browser: Browser, house: tuple[Room, str]) -> None:
    """The address in the code fills in the room's PIN, which then disappears from the page's address."""
    room, address = house
    person = Person(browser, address)
    page = person.device.open(f"{address}/join?room={room.pin}")
    expect(page.locator("[name=room]")).to_have_value(room.pin)
    assert page.url == f"{address}/join"
    page.locator(".button.main").click()
    page.wait_for_url(f"{address}/join/seat")
    assert person.back(2) == ["/join", "/"]


def test_back_from_a_game_that_was_begun(browser: Browser, tmp_path: Path) -> None:
    """Going back past a refusal and the start sends nothing again, and the lobby's page leads to the game."""
    with Room(tmp_path) as room, served(room.app) as address:
        person = Person(browser, address)
        page = person.page
        page.locator("button.box[value=game-of-trains]").click()
        page.locator(".lobby-add input[name=name]").fill("Zoë")
        page.locator('.lobby-add button[value="tablet"]').click()
        expect(page.locator(".lobby-seat[data-number]")).to_have_count(1)
        page.locator("[data-start]").evaluate("button => { button.disabled = false; button.click(); }")
        expect(page.locator("[role=alert]")).to_be_visible()
        assert page.url.endswith("/") and "/l/" in page.url
        page.locator('.lobby-add button[value="bot"]').click()
        expect(page.locator(".lobby-seat[data-number]")).to_have_count(2)
        page.locator("[data-start]").click()
        page.wait_for_url("**/h/**")
        assert len(person.sent) == 3
        page.go_back()
        page.wait_for_url("**/h/**")
        assert len(person.sent) == 3 and room.table.snapshot().match_id == "1"
