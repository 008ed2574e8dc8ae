"""Test the end of a match in a browser: the report and the replay on a phone, and a rematch of the same people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.journal import database
from companion.journal.journal import Journal
from tests.support.web.finished import play_out, seat_people
from tests.support.web.served import served
from tests.support.web.visitors import JOURNAL, Room
from tests.web.browser.devices import PHONE, TABLET, Device
from tests.web.browser.truth import unfit
from web.words import words

pytestmark = pytest.mark.browser
GAMES = ("take-a-train", "trains", "express", "game-of-trains")
"""The games of matches 1 to 4. The last one is on the table."""
COVERED = """() => {
  const labels = [...document.querySelectorAll(".chart .scale-text, .chart-end use")];
  const boxes = labels.map((each) => each.getBoundingClientRect());
  const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  return boxes.filter((one, at) => boxes.slice(at + 1).some((other) => meet(one, other))).length;
}"""
"""Returns how many labels of the scale and marks of players overlap."""


@contextmanager
def finished(folder: Path) -> Iterator[tuple[Room, str]]:
    """Yield a room in which a match of each game has ended, and its address."""
    with Journal(folder / JOURNAL) as journal:
        for game in GAMES:
            play_out(journal, game, 4 if game == "express" else 3)
    with Room(folder) as room, served(room.app) as address:
        yield room, address


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Room, str]]:
    """Yield the room, whose matches do not change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "SYNCHRONOUS", "OFF")
        with finished(tmp_path_factory.mktemp("past")) as found:
            yield found


@contextmanager
def phone(browser: Browser) -> Iterator[Device]:
    """Yield a phone, whose pages must log no errors."""
    device = Device(browser, PHONE)
    try:
        yield device
    finally:
        device.context.close()
    assert device.complaints == []


@pytest.mark.parametrize("match", range(1, len(GAMES) + 1))
def test_report_and_replay_fit_a_phone(past: tuple[Room, str], browser: Browser, match: int) -> None:
    """Only tables in their own frames are wider than the screen, and in the chart no labels overlap."""
    with phone(browser) as device:
        device.open(f"{past[1]}/past/{match}/")
        assert unfit(device.page, touch=True) == []
        assert device.page.evaluate(COVERED) == 0
        device.open(f"{past[1]}/past/{match}/replay?step=20")
        device.page.locator("[data-shown='20']").wait_for()
        assert unfit(device.page, touch=True) == []
        device.open(f"{past[1]}/past/records")
        assert unfit(device.page, touch=True) == []


def shown(page: Page, step: int) -> None:
    """Wait until the page has drawn a step."""
    page.locator(f"[data-replay][data-shown='{step}']").wait_for()


def test_the_slider_goes_through_the_match_by_keyboard(past: tuple[Room, str], browser: Browser) -> None:
    """Arrows, Home, End and the space bar work; the address follows, and the drawing equals the server's."""
    room, address = past
    with phone(browser) as device:
        page = device.open(f"{address}/past/1/replay")
        last = room.context.finished.open(room.table.matches()[len(GAMES) - 1]).replay.last
        shown(page, 0)
        expect(page.locator("[data-told]")).to_have_text(words("en")("replay.begin"))
        slider = page.get_by_role("slider")
        slider.focus()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        shown(page, 3)
        page.keyboard.press("ArrowLeft")
        shown(page, 2)
        assert page.url.endswith("?step=2")
        page.keyboard.press("End")
        shown(page, last)
        expect(page.locator("#region-ending")).to_contain_text("wins!")
        page.locator("body").click(position={"x": 2, "y": 2})
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("ArrowLeft")
        shown(page, last - 1)
        expect(page.locator("#region-ending")).not_to_contain_text("wins!")
        page.keyboard.press("Home")
        shown(page, 0)
        page.keyboard.press(" ")
        expect(page.get_by_role("button", name=words("en")("replay.pause"))).to_have_attribute("aria-pressed", "true")
        shown(page, 1)
        page.keyboard.press(" ")
        expect(page.get_by_role("button", name=words("en")("replay.play"))).to_have_attribute("aria-pressed", "false")


def test_a_step_is_fetched_once(past: tuple[Room, str], browser: Browser) -> None:
    """Going back makes no request."""
    with phone(browser) as device:
        page = device.open(f"{past[1]}/past/2/replay")
        shown(page, 0)
        page.get_by_role("button", name=words("en")("replay.on")).click()
        shown(page, 1)
        page.wait_for_load_state("networkidle")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.get_by_role("button", name=words("en")("replay.back")).click()
        shown(page, 0)
        assert [url for url in asked if "/replay/" in url] == []


def test_one_tap_leads_every_open_page_to_the_further_match(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rematch leads every open page to the new match, even from a report or a replay."""
    monkeypatch.setattr(database, "SYNCHRONOUS", "OFF")
    with finished(tmp_path) as (room, address):
        seat_people(room)
        match = len(GAMES)
        pages = [f"{address}{page}" for page in (room.host, room.seats[0], room.page("watch"))]
        pages += [f"{address}{page}" for page in room.seats[1:3]]
        devices = [Device(browser, size) for size in (TABLET, PHONE, TABLET, PHONE, PHONE)]
        try:
            for device, page in zip(devices, pages, strict=True):
                device.open(page).locator(f"body[data-match='{match}']").wait_for()
            for device, link in zip(devices[3:], ("people.chart", "replay.open"), strict=True):
                device.page.get_by_role("link", name=words("en")(link)).click()
                expect(device.page.locator("[data-own-page]")).to_be_visible()
            devices[0].page.get_by_role("button", name=words("en")("again.play")).click()
            for device, page in zip(devices, pages, strict=True):
                device.page.locator(f"body[data-match='{match + 1}']").wait_for()
                assert device.page.url == page
                expect(device.page.locator("[data-lost]")).to_be_hidden()
            assert room.table.snapshot().match_id == str(match + 1)
        finally:
            for device in devices:
                device.context.close()
        assert [device.complaints for device in devices] == [[]] * len(devices)


def test_a_printed_report_is_black_on_white_and_has_no_controls(past: tuple[Room, str], browser: Browser) -> None:
    """A page with dark colours prints black on white, with every table as wide as the paper and no controls."""
    with phone(browser) as device:
        page = device.open(f"{past[1]}/past/1/")
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        page.set_viewport_size({"width": 680, "height": 960})
        page.emulate_media(media="print")
        look = page.evaluate("""() => ["body", ".report", ".report-table td"].map((each) => {
          const style = getComputedStyle(document.querySelector(each));
          return [style.backgroundColor, style.color];
        })""")
        assert {ink for _, ink in look} == {"rgb(0, 0, 0)"}
        assert {ground for ground, _ in look} <= {"rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"}
        assert page.locator(".bar, .button").filter(visible=True).count() == 0
        assert page.locator(".report-table").filter(visible=True).count() == 4
        wide = page.evaluate(
            "() => [...document.querySelectorAll('.report-wide')]"
            ".filter((each) => each.scrollWidth > each.clientWidth).length"
        )
        assert wide == 0


@pytest.mark.parametrize("match", range(1, len(GAMES) + 1))
def test_no_part_of_a_replay_covers_another_on_a_tablet(past: tuple[Room, str], browser: Browser, match: int) -> None:
    """The controls, the sign, the table and the seats lie inside the screen and do not overlap."""
    page = Device(browser, TABLET).open(f"{past[1]}/past/{match}/replay?step=20")
    shown(page, 20)
    regions = page.locator(".replay-bar, .replay .region").all()
    boxes = [box for region in regions if region.is_visible() and (box := region.bounding_box())]
    assert len(boxes) >= 4
    for at, one in enumerate(boxes):
        assert one["x"] >= 0 and one["x"] + one["width"] <= TABLET["width"]
        for other in boxes[at + 1 :]:
            beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            assert beside or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
