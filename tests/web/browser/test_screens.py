"""Test every page on the smallest phone: the screen's width, a title, a language, named inputs and tall buttons."""

from __future__ import annotations

from functools import partial

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from companion.engine import Seat, State
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.rules import RULES
from companion.games.take_a_train.table import Table
from tests.web.browser.devices import TABLET, Server
from tests.web.browser.room import HOST_PIN, SEAT_PINS, Room
from tests.web.browser.truth import unfit

pytestmark = pytest.mark.browser
TELEVISION = ViewportSize(width=1920, height=1080)
CARDS = ("steam-1", "steam-4", "diesel-1")
LINE = """sign => [...sign.querySelectorAll(".round, .stage")].map(place => {
  const words = document.createRange();
  words.selectNodeContents(place.firstChild);
  const box = words.getBoundingClientRect();
  return box.top + box.height / 2;
})"""
"""Returns the height of the words in the upper line of a sign."""


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_page_fits_a_phone(room: Room, lang: str) -> None:
    """The pages for joining, the host, the table, the hand-over, corrections and past games fit, in both languages."""
    room.begin(ev.StarterNamed(Seat(0)), ev.TokenDrawn("pass"), ev.LocosRevealed(CARDS))
    phone, address = room.phones[2], room.server.address
    phone.context.add_cookies([{"name": "lang", "value": lang, "url": address}])
    host = phone.post("/host", pin=HOST_PIN)
    table = phone.post("/tablet", "/join", room=room.pin)
    watch = phone.post("/watch", "/join", room=room.pin)
    pages = [f"{address}{path}" for path in ("/", "/join", f"/join?room={room.pin}", "/host", "/past/")]
    wrong: dict[str, list[str]] = {}
    camera = (f"{host}camera", f"{table}camera", f"{host}enrolment")
    for page in (*pages, host, table, watch, f"{table}hand", *camera):
        phone.open(page)
        phone.page.evaluate("() => document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
        wrong[page] = unfit(phone.page, touch=True)
        assert phone.page.locator("html").get_attribute("lang") == lang
    phone.open(host)
    phone.page.locator("[data-fold=undo] > summary").click()
    phone.page.locator("form[action=amend] button").first.click()
    phone.page.locator("form.amend").wait_for()
    phone.page.wait_for_load_state("load")
    wrong["amend"] = unfit(phone.page, touch=True)
    phone.context.clear_cookies(name="lang")
    phone.open(phone.post("/join", room=room.pin, seat=2, pin=SEAT_PINS[2]))
    assert {page: found for page, found in wrong.items() if found} == {}


def test_the_host_s_page_has_no_white_towers_before_the_first_move(room: Room) -> None:
    """The log is only as high as its text, and the players still to join are directly below the bank."""
    room.begin()
    page = room.host.page
    for width, height in ((1024, 768), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        log, bank = page.locator("#region-log").bounding_box(), page.locator("#region-totals").bounding_box()
        people = page.locator("#region-people").bounding_box()
        assert log and bank and log["height"] < 0.6 * height
        assert people is None or people["y"] - bank["y"] - bank["height"] < 40
    page.set_viewport_size(TABLET)


def waits_for(moment: str, state: State[Table]) -> bool:
    """Return whether a table waits for something."""
    return RULES.view(state, None).moment == moment


def test_a_table_of_four_is_whole_on_a_television(browser: Browser, server: Server) -> None:
    """A television shows the lot, the bank and all trains without scrolling, while locomotives are sold and wagons
    taken."""
    room = Room(browser, server, ("Jane", "Bill", "Tom", "Céline"))
    page = room.tablet.page
    try:
        room.begin(ev.StarterNamed(Seat(0)), ev.TokenDrawn("open"))
        page.set_viewport_size(TELEVISION)
        for moment in ("opening", "act"):
            room.hurry(partial(waits_for, moment))
            assert page.evaluate("() => document.documentElement.scrollHeight") <= TELEVISION["height"]
            assert page.locator(".board .seat").count() == 4
    finally:
        room.leave()
        for device in room.devices:
            device.context.close()


def test_the_upper_line_of_a_sign_is_one_line(room: Room) -> None:
    """The round and its stage are in one line on every device."""
    room.begin(ev.StarterNamed(Seat(0)), ev.TokenDrawn("pass"))
    for device in (room.tablet, room.phones[0], room.host):
        round_, kind = device.page.locator(".sign-line").evaluate(LINE)
        assert abs(round_ - kind) < 2, (round_, kind)


def test_every_locomotive_of_a_real_deck_is_in_sight(room: Room) -> None:
    """The tablet shows all cards that can turn up, with their button below them and above the bar."""
    room.begin(ev.StarterNamed(Seat(0)), ev.TokenDrawn("blind"))
    page = room.tablet.page
    choices = page.locator("#region-turnup .picker label")
    expect(choices).to_have_count(18)
    below = page.locator("header.bar").evaluate("bar => bar.getBoundingClientRect().top")
    for each in (*choices.all(), page.locator("#region-turnup [data-picked]")):
        box = each.bounding_box()
        assert box is not None and box["y"] + box["height"] <= below, (box, below)
        assert each.evaluate("each => each.scrollWidth <= each.clientWidth")
