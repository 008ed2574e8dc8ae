"""Test in browsers that three people set up a game on a tablet and join it by PIN, all by touch.

One test uses one shared tablet, another one a phone in French.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from companion.engine import Seat
from companion.games.take_a_train import events as ev
from tests.web.browser.devices import UNHURRIED, Device
from tests.web.browser.room import SEAT_PINS, Room
from tests.web.browser.truth import unfit

pytestmark = pytest.mark.browser
REFUSED = r"status of (403|409|422)"
"""Console messages of a page after an intentional refusal."""


def enter(page: Page) -> None:
    """Tap a form's main button and wait for the next page."""
    with page.expect_navigation(wait_until="domcontentloaded"):
        page.locator("form .button.main").first.click()


def test_three_people_set_up_and_join_by_pin(room: Room) -> None:
    """People and cards are chosen on a tablet, and each person takes a seat with the room's PIN and their own."""
    set_up(room)
    table_page(room)
    for seat, phone in enumerate(room.phones[:2]):
        join(room, phone, seat)
    scan(room, room.phones[2], 2)
    room.agree()
    assert [(p.name, p.colour, p.shape) for p in room.match.setup.seated()] == [
        ("Jane", "blue", "square"),
        ("Bill", "red", "circle"),
        ("Tom", "green", "triangle"),
    ]
    room.tablet.move("starter_named", ("seat", 2))
    assert room.agree().starter == 2


def set_up(room: Room) -> None:
    """Open a lobby, seat people by name, correct a reported mistake, choose the cards and start."""
    page = room.host.open(room.server.address)
    page.locator('button.box[value="take-a-train"]').click()
    room.host.wanted.append(REFUSED)
    field = page.locator(".lobby-add input[name=name]")
    for number, name in enumerate(("Bill", "Jane", "JANE", "Tom"), 1):
        field.fill(name)
        page.locator('.lobby-add button[value="tablet"]').click()
        if name == "JANE":
            expect(page.locator(".lobby-add [data-answer]")).to_contain_text("Jane")
            field.fill("")
        else:
            expect(page.locator(".lobby-seat[data-number]")).to_have_count(min(number, 3))
    page.get_by_label("Jane: one place up").click()
    expect(page.locator(".lobby-seat[data-number]").first).to_contain_text("Jane")
    page.locator(".lobby-choices > details").first.locator("summary").click()
    page.locator('label:has(input[name=deck][value="ours"])').click()
    assert unfit(page, touch=True) == []
    with page.expect_navigation(wait_until="domcontentloaded"):
        page.locator("[data-start]").click()
    page.wait_for_url("**/h/**")
    room.running = True
    room.pin = re.sub(r"\D", "", str(page.locator(".join-code .pin").text_content()))


def table_page(room: Room) -> None:
    """Make the tablet the shared one by typing the room's PIN."""
    page = room.tablet.open(room.server.address)
    page.locator("input[name=room]").fill(room.pin)
    with page.expect_navigation(wait_until="domcontentloaded"):
        page.locator('button[formaction="/tablet"]').click()


def join(room: Room, phone: Device, seat: int) -> None:
    """Type the room's PIN, wrongly at first, then choose a free seat and a PIN."""
    phone.wanted.append(REFUSED)
    page = phone.open(room.server.address)
    assert unfit(page, touch=True) == []
    if seat == 0:
        page.locator("input[name=room]").fill("000000" if room.pin != "000000" else "111111")
        enter(page)
        expect(page.get_by_role("alert")).to_be_visible()
        page = phone.open(room.server.address)
    page.locator("input[name=room]").fill(f"{room.pin[:3]} {room.pin[3:]}")
    enter(page)
    assert unfit(page, touch=True) == []
    if seat == 1:
        take(page, 0, SEAT_PINS[1])
        expect(page.get_by_role("alert")).to_be_visible()
    take(page, seat, SEAT_PINS[seat])
    expect(page.locator("body")).to_have_class(re.compile("page-seat"))


def scan(room: Room, phone: Device, seat: int) -> None:
    """Go from the code on the table's page to a seat with two taps and four digits."""
    page = phone.open(str(room.tablet.page.locator("img.qr").first.get_attribute("alt")))
    page.locator("form .button.main").tap()
    page.locator(f"label:has(input[name=seat][value='{seat}'])").tap()
    expect(page.locator("input[name=pin]")).to_be_focused()
    page.keyboard.type(SEAT_PINS[seat])
    expect(page.locator("body")).to_have_class(re.compile("page-seat"))


def take(page: Page, seat: int, pin: str) -> None:
    """Take a seat with a PIN, which its last digit submits."""
    page.wait_for_function(UNHURRIED)
    page.locator(f"label:has(input[name=seat][value='{seat}'])").click()
    with page.expect_navigation(wait_until="domcontentloaded"):
        page.locator("input[name=pin]").fill(pin)


def test_one_tablet_is_handed_over(room: Room) -> None:
    """The shared tablet shows a seat's page after that seat's PIN, and nothing of it after it returns to the table."""
    room.begin(ev.StarterNamed(Seat(0)), ev.TokenDrawn("blind"), ev.LocosRevealed(("steam-1", "steam-4", "diesel-1")))
    tablet, page = room.tablet, room.tablet.page
    table = page.url
    tablet.wanted.append(REFUSED)
    with page.expect_navigation(wait_until="domcontentloaded"):
        page.locator('a[href="hand"]').click()
    assert unfit(page, touch=False) == []
    take(page, 0, SEAT_PINS[2])
    expect(page.get_by_role("alert")).to_be_visible()
    take(page, 0, SEAT_PINS[0])
    expect(page.locator("#region-holdings .cash b")).to_have_text("$5,000")
    handed = page.url
    tablet.move("nominated", ("card", "steam-4"))
    page.wait_for_url(table)
    room.agree()
    assert "region-holdings" not in page.content()
    tablet.wanted.append("status of 404")
    page.goto(handed, wait_until="domcontentloaded")
    expect(page.locator(".message.bad")).to_be_visible()
    assert "5,000" not in page.content()
    tablet.open(table)
    room.agree()


CLOCK = "window.now = 1e12; Date.now = () => window.now;"
"""Stops a page's clock, and starts the next page's at the same moment."""
TWICE = """() => {
  const form = document.querySelector("form.handover"), submit = form.requestSubmit;
  let sent = 0;
  form.addEventListener("submit", (event) => { if (!event.defaultPrevented) sessionStorage.setItem("sent", ++sent); });
  form.requestSubmit = (button) => { submit.call(form, button); submit.call(form, button); };
}"""
"""Taps the button while a PIN submits itself."""
TAP = """([x, y, later]) => {
  window.now = 1e12 + later;
  const reached = [], hear = (event) => reached.push(event.type);
  const at = { clientX: x, clientY: y, detail: 1, bubbles: true };
  for (const kind of ["pointerdown", "click"]) document.addEventListener(kind, hear, { once: true });
  document.body.dispatchEvent(new PointerEvent("pointerdown", at));
  document.body.dispatchEvent(new MouseEvent("click", at));
  for (const kind of ["pointerdown", "click"]) document.removeEventListener(kind, hear);
  return reached;
}"""
"""Taps a point after some milliseconds, and returns the taps that reached the page's own controls."""


def test_a_tap_meant_for_the_button_does_not_act_on_the_page_that_a_pin_opened(room: Room) -> None:
    """The last digit submits a PIN once, and taps at the button's old position count again after a second."""
    room.begin(ev.StarterNamed(Seat(0)), ev.TokenDrawn("blind"), ev.LocosRevealed(("steam-1", "steam-4", "diesel-1")))
    tablet = Device(room.tablet.context.browser, {"width": 1180, "height": 820})  # type: ignore[arg-type]
    try:
        tablet.open(room.tablet.page.url.split("/t/")[0])
        tablet.open(tablet.post("/tablet", "/join", room=room.pin))
        tablet.context.add_init_script(CLOCK)
        page = tablet.page
        with page.expect_navigation(wait_until="domcontentloaded"):
            page.locator('a[href="hand"]').click()
        page.locator("label:has(input[name=seat][value='0'])").click()
        box = page.locator("form .button.main").bounding_box()
        assert box is not None
        with page.expect_navigation(wait_until="domcontentloaded"):
            page.keyboard.type(SEAT_PINS[0][:3])
            page.evaluate(TWICE)
            page.keyboard.type(SEAT_PINS[0][3])
        assert page.evaluate("() => sessionStorage.getItem('sent')") == "1"
        expect(page.locator("body")).to_have_class(re.compile("page-seat"))
        button = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        elsewhere = [button[0], button[1] - 300]
        assert page.evaluate(TAP, [*elsewhere, 300]) == []
        assert page.evaluate(TAP, [*elsewhere, 500]) == ["pointerdown", "click"]
        assert page.evaluate(TAP, [*button, 900]) == []
        assert page.evaluate(TAP, [*button, 1100]) == ["pointerdown", "click"]
    finally:
        tablet.context.close()


def test_one_phone_speaks_french(room: Room) -> None:
    """Bill's phone shows the game in French, while the other phones show the same state in English."""
    room.begin(ev.StarterNamed(Seat(0)), ev.TokenDrawn("pass"), ev.LocosRevealed(("steam-1", "steam-4", "diesel-1")))
    page = room.phones[1].page
    page.locator(".menu summary").click()
    with page.expect_navigation(wait_until="domcontentloaded"):
        page.locator('button[name=lang][value="fr"]').click()
    try:
        expect(page.locator("html")).to_have_attribute("lang", "fr")
        room.phones[0].move("nominated", ("card", "steam-4"))
        room.phones[0].move("opened", amount=250)
        room.agree()
        expect(page.locator(".tote-price b")).to_have_text("250\u202f$")
        expect(page.locator("#region-actions")).to_contain_text("Passer")
        assert [phone.page.locator("html").get_attribute("lang") for phone in room.phones] == ["en", "fr", "en"]
        assert room.tablet.page.locator(".round").text_content() == "Round 1 of 3 · Pass auction"
        assert page.locator(".round").text_content() == "Tour 1 sur 3 · Enchère Passée"
        room.phones[1].move("bid", amount=1250)
        room.agree()
    finally:
        room.phones[1].context.clear_cookies(name="lang")
