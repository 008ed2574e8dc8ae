"""Test the pages' own buttons, cues on several screens, the verdict, lost buttons and the pins panel by touch."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from companion.engine import Event, Seat
from companion.games.take_a_train import events as ev
from tests.support.paces import HURRIED
from tests.web.browser.devices import PATIENCE, UNHURRIED, unfold
from tests.web.browser.room import Room

pytestmark = pytest.mark.browser
JANE, BILL, TOM = Seat(0), Seat(1), Seat(2)
CARDS = ("steam-1", "steam-4", "diesel-1")
REFUSED = r"409|422"
SHOWN = "(message) => (window.__cues || []).filter((cue) => cue.message === message)"
DOWN = """(pointer) => {
  const down = { bubbles: true, cancelable: true, pointerId: pointer, button: 0 };
  document.querySelector("[data-press]").dispatchEvent(new PointerEvent("pointerdown", down));
}"""

TAPPED = """(taps) => taps.slice(1).map(([at, x]) => {
  const [first, here] = [taps[0], document.querySelector("[data-press]")];
  const tap = (target, time, x) => {
    const down = new PointerEvent("pointerdown", { bubbles: true, cancelable: true, clientX: x, clientY: 0 });
    Object.defineProperty(down, "timeStamp", { value: time });
    target.dispatchEvent(down);
  };
  const begun = performance.now(), real = window.fetch;
  let pressed = false;
  window.fetch = (where, how) => { pressed ||= where === "press"; return Promise.reject(new Error("not sent")); };
  tap(document.querySelector("main form:last-child button"), begun + first[0], first[1]);
  tap(here, begun + at, x);
  window.fetch = real;
  window.dispatchEvent(new Event("blur"));
  return pressed;
})"""
"""Taps a form's button and later the page's own button, each at a time and a place; returns whether the page
pressed."""


def open_lot(room: Room, **options: str) -> None:
    """Begin an Open lot in which Jane has opened at 300."""
    room.begin(ev.StarterNamed(JANE), ev.TokenDrawn("open"), **options)
    cards: tuple[Event, ...] = (ev.LocosRevealed(CARDS[: room.view.reveal]),)
    for event in cards:
        room.say(event)
    if room.view.moment == "nominate":
        room.say(ev.Nominated(JANE, CARDS[0]))
    room.say(ev.Opened(JANE, 300))
    room.agree()


def shown(page: Page, message: str) -> list[dict[str, Any]]:
    """Return the cues of one kind that a page has shown, each with its frame's time."""
    found: list[dict[str, Any]] = page.evaluate(SHOWN, message)
    return found


def test_a_finger_that_stays_raises_by_more(room: Room) -> None:
    """A held press raises by more the longer it lasts, and the button's last text is the amount that counts."""
    open_lot(room)
    bill = room.phones[BILL]
    expect(bill.page.locator("[data-press]")).to_contain_text("$350")
    bill.press(1.0)
    view = room.until(lambda view: view.lot.price == 500)
    assert view.lot.leader == BILL
    room.agree()
    expect(bill.page.locator("[data-press]")).to_contain_text("One")
    expect(bill.page.locator("[data-press-hold]")).to_be_hidden()
    expect(room.phones[TOM].page.locator("[data-press]")).to_contain_text("$550")


@pytest.mark.parametrize("paced_room", [replace(HURRIED, double_tap_ms=2000)], indirect=True)
def test_two_quick_taps_raise_and_count_nothing(paced_room: Room) -> None:
    """After two quick taps Bill leads at 350 and nothing is counted; only his page explains that. Later he can
    count."""
    room = paced_room
    open_lot(room)
    jane, bill, tom = room.phones
    bill.press()
    expect(bill.page.locator("[data-press]")).to_contain_text("One")
    bill.press()
    expect(bill.page.locator("[data-press-message]")).to_contain_text("Your raise stands.")
    view = room.agree()
    assert (view.lot.leader, view.lot.price, view.lot.count) == (BILL, 350, 0)
    assert [mark.outcome for judged in room.match.line.verdicts() for mark in judged.marks] == ["leads", "too_soon"]
    for phone in (jane, tom):
        expect(phone.page.locator("[data-press-message]")).to_be_hidden()


@pytest.mark.parametrize("paced_room", [replace(HURRIED, double_tap_ms=600)], indirect=True)
def test_a_second_tap_on_a_move_is_no_press(paced_room: Room) -> None:
    """A second tap of the finger that made a move is no press of the button that appears there; a later tap is."""
    room = paced_room
    open_lot(room)
    jane = room.phones[JANE].page
    jane.evaluate(
        "() => document.querySelector('main').insertAdjacentHTML('beforeend', '<form><button type=button></form>')"
    )
    tapped: list[bool] = jane.evaluate(TAPPED, [[0, 10], [200, 20], [599, 10], [300, 200], [600, 10]])
    assert tapped == [False, False, True, True]


def test_keys_press_too_and_do_not_repeat(room: Room) -> None:
    """Enter presses once, however long it is held, and the leader's space bar counts."""
    open_lot(room)
    page = room.phones[BILL].page
    page.locator("[data-press]").focus()
    page.keyboard.down("Enter")
    room.until(lambda view: view.lot.price == 350)
    page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(page.locator("[data-press]")).to_contain_text("One")
    page.keyboard.press("Space")
    assert room.until(lambda view: view.lot.count == 1).lot.price == 350
    room.agree()


def test_a_screen_readers_tap_presses(room: Room) -> None:
    """A click without a finger or a key raises like a press."""
    open_lot(room)
    room.phones[TOM].page.locator("[data-press]").evaluate("(button) => button.click()")
    assert room.until(lambda view: view.lot.price == 350).lot.leader == TOM
    room.agree()


def test_a_count_is_seen_on_every_screen(room: Room) -> None:
    """The leader's presses count to a sale, every screen shows the numbers, and the buyer pays the right sum."""
    open_lot(room)
    jane = room.phones[JANE]
    for count in (1, 2):
        jane.press()
        room.until(lambda view, count=count: view.lot.count == count)
        room.agree()
    jane.press()
    room.until(lambda view: view.seats[JANE].trains)
    room.agree()
    for device in room.devices:
        device.page.wait_for_function("() => window.__moments.filter((kind) => kind === 'sold').length === 1")
        assert [cue["number"] for cue in shown(device.page, "count")] == [1, 2, 3]
        expect(device.page.locator("#region-verdict [data-verdict=sold]").first).to_be_visible()
        expect(device.page.locator("#region-verdict .verdict-title").first).to_have_text("Jane counted to three.")
    assert room.state.table.cash == (4700, 5000, 5000)


def test_a_press_too_late_is_told_to_its_seat_and_shown_to_all(room: Room) -> None:
    """When Bill presses after three, only his page says how late he was; every page shows the verdict."""
    open_lot(room)
    jane, bill, tom = room.phones
    for count in (1, 2):
        jane.press()
        room.until(lambda view, count=count: view.lot.count == count)
    bill.page.locator("[data-press]").wait_for()
    jane.press()
    room.until(lambda view: view.seats[JANE].trains)
    bill.page.evaluate(DOWN, 7)
    expect(bill.page.locator("[data-press-message]")).to_contain_text("Too late")
    for device in (room.tablet, tom, bill):
        expect(device.page.locator("#region-verdict .verdict-title").first).to_contain_text("Bill was")
        expect(device.page.locator("#region-verdict .verdict-text .too_late").first).to_be_visible()
    expect(tom.page.locator("[data-press-message]")).to_be_hidden()
    room.agree()


@pytest.mark.parametrize("paced_room", [replace(HURRIED, count_gap_ms=150)], indirect=True)
def test_fists_open_together_when_all_are_ready(paced_room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    """When all seats are ready, one cue counts from three to one on every page and opens all fists at once."""
    room = paced_room
    begun = (ev.StarterNamed(JANE), ev.TokenDrawn("blind"), ev.LocosRevealed(CARDS), ev.Nominated(JANE, "steam-4"))
    room.begin(*begun, reveal="signal")
    for seat, amount in enumerate((200, 350, 300)):
        expect(room.phones[seat].page.locator("#region-press")).to_contain_text("Close your fist")
        room.say(ev.Committed(Seat(seat), amount))
    jane, bill, tom = room.phones
    jane.press()
    expect(jane.page.locator("[data-press]")).to_have_attribute("aria-pressed", "true")
    jane.press()
    expect(jane.page.locator("[data-press]")).to_have_attribute("aria-pressed", "false")
    for phone in (bill, tom, jane):
        assert not shown(phone.page, "reveal")
        phone.press()
    room.until(lambda view: view.seats[BILL].trains)
    room.agree()
    frames = []
    for device in room.devices:
        device.page.wait_for_function(f"() => ({SHOWN})('reveal').length === 1", timeout=PATIENCE)
        (cue,) = shown(device.page, "reveal")
        assert [count["number"] for count in shown(device.page, "count")] == [3, 2, 1]
        frames.append((cue["at"], cue["wall"]))
        expect(device.page.locator("#region-verdict [data-verdict=reveal]").first).to_be_visible()
    assert len({at for at, _ in frames}) == 1 and frames[0][0] > 0
    with capsys.disabled():
        print(f"\nfists opened on {len(frames)} pages within {spread([wall for _, wall in frames]):.1f} ms")
    assert room.state.table.cash == (5000, 4650, 5000)


def spread(times: list[float]) -> float:
    """Return the time between the first and the last."""
    return max(times) - min(times)


def test_a_seat_on_the_shared_tablet_has_its_button(room: Room) -> None:
    """The button on a handed-over tablet raises for the tablet's seat."""
    open_lot(room)
    page = room.tablet.page
    before = page.url
    page.locator('a[href="hand"]').click()
    page.locator("label.choice", has_text="Bill").click()
    page.locator("input[name=pin]").fill("2222")
    page.locator("[data-press]").wait_for()
    page.wait_for_function(UNHURRIED)
    room.tablet.press()
    assert room.until(lambda view: view.lot.price == 350).lot.leader == BILL
    room.tablet.open(before)
    room.agree()


def service(room: Room) -> int:
    """Return the process of the server's buttons."""
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = line.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"buttons" in words and os.fsencode(room.server.folder) in b" ".join(words):
            return int(line.parent.name)
    raise AssertionError("no buttons' service runs")


def test_lost_buttons_are_told_and_nothing_stops(room: Room) -> None:
    """When the buttons' service stops answering, every page says so and a page's own button still raises."""
    open_lot(room)
    number = service(room)
    expect(room.host.page.locator("#region-wiring")).to_contain_text("simulated")
    os.kill(number, signal.SIGSTOP)
    try:
        for device in room.devices:
            expect(device.page.locator("#region-buttons .lost")).to_be_visible(timeout=PATIENCE)
        room.phones[BILL].press()
        room.until(lambda view: view.lot.price == 350)
    finally:
        os.kill(number, signal.SIGCONT)
    for device in room.devices:
        expect(device.page.locator("#region-buttons .lost")).to_have_count(0, timeout=PATIENCE)
    room.agree()


def test_the_pins_panel_goes_the_way_of_a_real_button(room: Room) -> None:
    """The panel's buttons raise, even two at once, and the leader's lamp is lit on the panel."""
    open_lot(room)
    host = room.host
    back = host.page.url
    panel = host.page.locator("#region-wiring a[href='pins']")
    unfold(panel)
    panel.click()
    bill = host.page.locator("[data-pins-panel] [data-pin]").nth(BILL)
    bill.hover()
    host.page.mouse.down()
    host.page.wait_for_timeout(80)
    host.page.mouse.up()
    assert room.until(lambda view: view.lot.leader == BILL).lot.price == 350
    lamp = host.page.locator("[data-pins-panel] [data-lamp]").nth(BILL)
    expect(lamp).to_have_class("pins-lamp lit", timeout=PATIENCE)
    host.open(back)
    room.agree()
