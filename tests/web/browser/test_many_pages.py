"""Test many pages of one browser: all load and follow the game, and a hidden one never shows an outdated
instruction."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route

from companion.engine import Seat
from companion.games.take_a_train import events as ev
from tests.web.browser.devices import PATIENCE, PHONE, Device
from tests.web.browser.room import Room

pytestmark = pytest.mark.browser
WINDOWS = 10
NO_WORKERS = "delete window.SharedWorker"
HIDE = """hidden => {
  Object.defineProperty(document, "visibilityState", { value: hidden ? "hidden" : "visible", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
STREAMS = "() => performance.getEntriesByType('resource').filter((each) => each.name.includes('/stream?')).length"
REGIONS = """() => [...document.querySelectorAll("[data-region]")]
  .some((each) => each.checkVisibility({ visibilityProperty: true }))"""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Device]:
    """Yield one more phone, whose pages must log no errors."""
    found = Device(browser, PHONE)
    yield found
    found.context.close()
    assert found.complaints == []


def until_shown(page: Page, like: Page) -> None:
    """Wait until a page shows the same as another page of its channel."""
    page.wait_for_function("shown => document.body.dataset.shown === shown", arg=shown_on(like), timeout=PATIENCE)


def shown_on(page: Page) -> str:
    """Return the id of the last message that a page shows."""
    return str(page.evaluate("document.body.dataset.shown"))


def test_ten_windows_of_one_browser_load_and_follow(room: Room, phone: Device) -> None:
    """Ten windows show a move without connections of their own, and closing some of them does not disturb the
    others."""
    room.begin()
    seat, table = room.phones[0].page, room.tablet.page
    windows = [phone.page, *(phone.context.new_page() for _ in range(WINDOWS - 1))]
    for number, window in enumerate(windows):
        window.goto((seat if number % 2 else table).url, wait_until="domcontentloaded")
    before = shown_on(seat), shown_on(table)
    room.say(ev.StarterNamed(Seat(0)))
    seat.wait_for_function("was => document.body.dataset.shown !== was", arg=before[0])
    table.wait_for_function("was => document.body.dataset.shown !== was", arg=before[1])
    for number, window in enumerate(windows):
        until_shown(window, seat if number % 2 else table)
        assert window.evaluate(STREAMS) == 0
        assert window.locator("[data-lost]").is_hidden()
    for window in windows[2:]:
        window.close()
    before = (shown_on(seat), "")
    room.say(ev.TokenDrawn("pass"))
    windows[1].wait_for_function("was => document.body.dataset.shown !== was", arg=before[0])
    until_shown(windows[1], seat)


def test_a_page_of_another_game_ends_and_the_others_go_on(room: Room, phone: Device) -> None:
    """Only the page of the ended game reports the end."""
    room.begin()
    old = phone.context.new_page()
    old.goto(room.tablet.page.url, wait_until="domcontentloaded")
    for device in (*room.devices, phone):  # the page may ask for the time just then
        device.wanted.append(r"404 .*/clock\?")
    room.leave()
    old.locator("[data-ended]").wait_for()
    room.begin()
    phone.open(room.tablet.page.url)
    before = shown_on(phone.page)
    room.say(ev.StarterNamed(Seat(0)))
    phone.page.wait_for_function("was => document.body.dataset.shown !== was", arg=before)
    assert old.locator("[data-ended]").is_visible()


def test_a_hidden_page_without_a_shared_stream_rests_and_catches_up(room: Room, phone: Device) -> None:
    """A hidden page closes its connection, and on return shows nothing until it knows the state of the table."""
    room.begin()
    phone.context.add_init_script(NO_WORKERS)
    page = phone.page
    page.clock.install()
    phone.open(room.phones[0].page.url)
    page.wait_for_function(STREAMS.replace(".length", ".length || true"))
    page.evaluate(HIDE, True)
    page.clock.run_for(6000)
    assert page.evaluate("'resting' in document.body.dataset")
    before = shown_on(page)
    room.say(ev.StarterNamed(Seat(0)))
    room.phones[0].page.wait_for_function("was => document.body.dataset.shown !== was", arg=before)
    held: list[Route] = []
    page.route("**/stream?*", lambda route: held.append(route))
    page.evaluate(HIDE, False)
    page.wait_for_timeout(0)
    assert shown_on(page) == before and not page.evaluate(REGIONS)
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    until_shown(page, room.phones[0].page)
    page.wait_for_function(REGIONS)


def test_a_hidden_page_with_its_sound_on_stays_awake(room: Room, phone: Device) -> None:
    """A hidden page still chimes when the seat's turn comes."""
    room.begin(ev.StarterNamed(Seat(1)))
    phone.context.add_init_script(NO_WORKERS)
    page = phone.page
    page.clock.install()
    phone.open(room.phones[0].page.url)
    page.locator("[data-sound-yes]").click()
    page.evaluate(HIDE, True)
    page.clock.run_for(60_000)
    assert not page.evaluate("'resting' in document.body.dataset")
    before = shown_on(page)
    room.say(ev.TokenDrawn("pass"))
    page.wait_for_function("was => document.body.dataset.shown !== was", arg=before)


def test_a_worker_that_does_not_answer_is_replaced(room: Room, phone: Device) -> None:
    """If the shared worker does not answer, the page opens its own connection."""
    room.begin()
    phone.context.add_init_script("window.SharedWorker = class { port = new MessageChannel().port1; }")
    page = phone.page
    page.clock.install()
    phone.open(room.phones[0].page.url)
    page.clock.run_for(6000)
    before = shown_on(page)
    room.say(ev.StarterNamed(Seat(0)))
    page.wait_for_function("was => document.body.dataset.shown !== was", arg=before)
