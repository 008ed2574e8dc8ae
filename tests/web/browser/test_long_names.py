"""Test the longest names in four scripts: no page is wider than its screen, and none cuts a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from companion.engine import COLOURS, SHAPES
from companion.engine.names import LETTER, LONGEST_NAME
from tests.web.browser.devices import PHONE, Device, Server
from tests.web.browser.room import HOST_PIN, Room
from tests.web.browser.test_hall import open_pages

pytestmark = pytest.mark.browser

NAMES = (
    "Wilhelmine-Charlotte Grandpierre-Lefèvre",
    "Maximilianewolfeschlegelsteinhausenbergr",
    "АлександраЕкатерина ПреображенскаяМусина",
    "அலமேலுமங்கை திருநாவுக்கரசு பொன்னம்பலம் கிருஷ்ணமூர்த்தி வே சுந்தர்",
    "محمد عبد الرحمن بن عبد العزيز آل سعود آل",
)
SIZES = ((360, 740), (1024, 768), (1920, 1080))
HALL = (
    "/", "/wall", "/table/table001", "/judge", "/organiser", "/tournament", "/tournament/round/1",
    "/tournament/round/1/table/1", "/tournament/standings", "/tournament/players", "/tournament/print/seating", "/p/1",
    "/p?number=max", "/wall/seating", "/wall/standings",
)  # fmt: skip
CUT = """[...document.querySelectorAll('body *')].filter((each) => {
  const style = getComputedStyle(each), box = each.getBoundingClientRect();
  const hides = [style.overflowX, style.overflowY].some((way) => way === 'hidden' || way === 'clip');
  const named = '.name, .name *, :has(.name), .tname, .turn, .who, .who *';
  return hides && box.width > 2 && !each.closest('.page-seat .bar') && each.matches(named)
    && (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 2);
}).map((each) => `${each.tagName}.${each.className}: ${each.textContent.trim().slice(0, 60)}`)"""
"""Matches elements with names that clip their content. The bar of a person's own page omits a long name instead."""


def wrong(page: Page) -> list[str]:
    """Return the clipped content of a page, and whether the page is too wide, at each size."""
    found = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)
        where = f"{page.url} at {width}"
        found += [f"{where} cuts {each}" for each in page.evaluate(CUT)]
        if page.evaluate("document.scrollingElement.scrollWidth > innerWidth"):
            found.append(f"{where} is too wide")
    return found


def test_they_are_the_longest() -> None:
    """The names have the maximum length, counted in letters as people see them."""
    assert {len(LETTER.findall(name)) for name in NAMES} == {LONGEST_NAME}


def test_long_names_at_a_table(browser: Browser, server: Server) -> None:
    """Names fit the shared tablet, the host's page and everybody's phone, during the game and while people join."""
    room = Room(browser, server, NAMES)
    found: list[str] = []
    try:
        form = {"name": NAMES, "colour": COLOURS[: len(NAMES)], "shape": SHAPES[: len(NAMES)], "deck": "ours"}
        room.arrive(room.host.post("/setup", edition="en", pin=HOST_PIN, **form))
        for device in room.devices:
            found += wrong(device.page)
        newcomer = Device(browser, PHONE)
        newcomer.open(server.address)
        found += wrong(newcomer.page)
        newcomer.open(newcomer.post("/join", room=room.pin))
        found += wrong(newcomer.page)
    finally:
        room.leave()
    assert found == []


def test_long_names_in_a_hall(browser: Browser, tmp_path: Path) -> None:
    """Names fit the boards, walls, phones and organiser's pages of a hall."""
    found: list[str] = []
    with open_pages(tmp_path, (*NAMES, "Fay", "Max Maier")) as (address, _):
        page = browser.new_context(reduced_motion="reduce").new_page()
        for path in HALL:
            page.goto(address + path)
            page.wait_for_load_state("load")
            found += wrong(page)
        page.context.close()
    assert found == []
