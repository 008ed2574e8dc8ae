"""Test a hall in browsers: its pages at three sizes, and a table that joins it and calls a judge."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from companion.devices.hall_link import messages as m
from companion.hall import entries as e
from tests.support.brokers import needs_mosquitto, until
from tests.support.web.hall_pages import HallPages
from tests.support.web.hall_process import HallProcess
from tests.support.web.tournaments import begin, seat, typed
from tests.web.browser.room import Room
from tests.web.browser.test_axe import OPTIONS
from web.hall.app import body_limit, goes_first
from web.server import GRACE, open_listener
from web.serving.server import Listener

pytestmark = pytest.mark.browser

WAIT_MS = 20_000
"""Milliseconds after which an expected event counts as missing; joining alone polls every two seconds."""
PEOPLE = ("Maximiliane Obermüller", "Ann", "Bob", "Cid", "Dee", "Eve", "Fay")
PAGES = (
    "/", "/wall", "/table/table001", "/judge", "/organiser", "/tournament", "/tournament/round/1",
    "/tournament/standings", "/tournament/players", "/tournament/print/seating", "/p", "/p/1", "/wall/seating",
    "/judge/sheet", "/p/5/result", "/p/5",
    "/wall/standings",
)  # fmt: skip
LOOKS = ((390, 844, "en", "light"), (1024, 768, "fr", "dark"), (1920, 1080, "en", "dark"))


@contextmanager
def open_pages(folder: Path, people: tuple[str, ...] = PEOPLE, tables: int = 5) -> Iterator[tuple[str, HallPages]]:
    """Serve a hall with tables, calls, results and a round of a tournament."""
    pages = HallPages(folder)
    for number in range(1, tables + 1):
        pages.play(pages.add_table(number, f"By the window {number}"), *people[:4], leaders=(1,), health=("camera",))
    pages.hear("table001", m.PublicView("m1", 9, "game-of-trains", {}, (1, 2, 3, 4), {"en": ("Ann draws a card.",)}))
    pages.hall.record("table002", e.CallMade("c1", "table002", 1))
    pages.hall.record("table003", e.CallMade("c2", "table003", -1), e.CallTaken("c2", "Maximiliane"))
    pages.report("table004", *people[:3], disputed=(1,))
    pages.knock()
    begin(pages, *people)
    seat(pages, (1, 2, 3, 4), (5, 6, 7))
    typed(pages, 1, 1, 2, 3, 4)
    pages.hall.record("organiser", e.RoundCalled(1, int(time.time()) - 600, 50), e.MinutesAdded(1, 5, 2))
    pages.hall.record("judge Jo", e.Announced("Pizza is here. Please keep your places until the round is over."))
    placings = tuple([m.Placing((at,), place, 0) for at, place in enumerate((2, 1, 3))])
    pages.hall.record("phone", e.ResultSaid(1, 2, 5, True, (5, 6, 7), placings))
    pages.hall.record("phone", e.ResultSaid(1, 2, 6, False, (5, 6, 7), placings))
    pages.context.feeds.start()
    with ExitStack() as stack:
        stack.callback(pages.close)
        listener = stack.enter_context(open_listener("127.0.0.1", 0))
        front = Listener(pages.app, listener, goes_first, body_limit)
        front.when_stopping(pages.context.feeds.stop)
        thread = threading.Thread(target=front.run, daemon=True)
        thread.start()
        stack.callback(thread.join)
        stack.callback(front.stop, GRACE)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", pages


@pytest.mark.parametrize(("width", "height", "lang", "theme"), LOOKS)
def test_every_page_fits_and_can_be_read_by_everybody(
    browser: Browser, tmp_path: Path, width: int, height: int, lang: str, theme: str
) -> None:
    """No page is cut off sideways, axe-core finds no fault, and no script logs errors."""
    wrong: list[str] = []
    with open_pages(tmp_path) as (address, _):
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        context.add_cookies([{"name": k, "value": v, "url": address} for k, v in (("lang", lang), ("theme", theme))])
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(f"{page.url}: {error}"))
        for path in PAGES:
            page.goto(address + path)
            page.wait_for_load_state("load")
            page.wait_for_timeout(300)
            if page.evaluate("document.scrollingElement.scrollWidth > innerWidth"):
                wrong.append(f"{path} is too wide")
            violations = Axe().run(page, options=OPTIONS).response["violations"]
            wrong += [f"{path} {each['id']}: {each['nodes'][0]['html'][:150]}" for each in violations]
        context.close()
    assert wrong == []


SOUNDS = "window.rung = 0; document.addEventListener('companion:turn', () => { window.rung++; });"
"""Counts the tones that a page starts."""


def test_a_judge_hears_each_call(browser: Browser, tmp_path: Path) -> None:
    """The page says that it is silent until a tap allows its sound, and its title counts the open calls."""
    with open_pages(tmp_path) as (address, pages):
        context = browser.new_context()
        judge = context.new_page()
        judge.add_init_script(SOUNDS)
        judge.goto(f"{address}/judge")
        sound = judge.locator("[data-sound]")
        expect(sound).to_contain_text("No sound yet")
        expect(judge).to_have_title(re.compile(r"^\(1\) "))
        sound.click()
        expect(sound).to_contain_text("You hear calls")
        rung = judge.evaluate("window.rung")
        pages.hall.record("table001", e.CallMade("c3", "table001", -1))
        judge.wait_for_function("count => window.rung > count", arg=rung)
        expect(judge).to_have_title(re.compile(r"^\(2\) "))
        rung = judge.evaluate("window.rung")
        context.set_offline(True)
        judge.evaluate("window.dispatchEvent(new Event('offline'))")
        for key in list(pages.context.feeds._feeds.values()):
            for stream in key.streams:
                stream.put(None)  # the page loses its connection
        expect(judge.locator("#hall-lost")).to_be_visible()
        pages.hall.record("table005", e.CallMade("c4", "table005", -1))
        context.set_offline(False)
        judge.wait_for_function("count => window.rung > count", arg=rung)
        expect(judge).to_have_title(re.compile(r"^\(3\) "))
        pages.hall.record("judge Jo", *[e.CallTaken(each, "Jo") for each in ("c1", "c3", "c4")])
        expect(judge).to_have_title(re.compile(r"^[^(]"))
        context.close()


def test_walls_and_phones_count_by_the_halls_clock(browser: Browser, tmp_path: Path) -> None:
    """Pages count by the hall's clock even if their own is an hour off and they are disconnected; the end appears at
    once."""
    with open_pages(tmp_path) as (address, pages):
        begins = int(time.time()) - 60
        for path in ("/wall", "/wall/seating", "/p/5"):
            pages.hall.record("organiser", e.RoundCalled(1, begins, 31))
            page = browser.new_page()
            page.clock.install(time=time.time() + 3600)
            page.goto(address + path)
            shown = page.locator(".round-clock time")
            expect(shown).to_have_text(re.compile(r"^(30:00|29:\d\d) left$"))
            page.context.set_offline(True)  # otherwise the hall would send the time again
            page.clock.fast_forward(29 * 60_000)
            expect(shown).to_have_text(re.compile(r"^(1:00|0:\d\d) left$"))
            page.clock.fast_forward(60_000)
            expect(shown).to_have_text("Time!")
            page.close()


@pytest.mark.parametrize(("tables", "least", "pages"), [(4, 50, 1), (300, 25, 15)])
def test_a_wall_is_as_large_as_its_tables_fit(
    browser: Browser, tmp_path: Path, tables: int, least: int, pages: int
) -> None:
    """A few tables appear large on one page; many appear smaller, on a few pages without cutting."""
    with open_pages(tmp_path, tables=tables) as (address, hall):
        hall.hall.record("judge Jo", e.Announced(""), e.RoundCalled(1, int(time.time()), 0))
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.goto(f"{address}/wall")
        label = page.locator("[data-page-of]")
        expect(label).to_have_text("" if pages == 1 else re.compile("1.+"), timeout=WAIT_MS)
        page.wait_for_timeout(500)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        assert int(re.findall(r"\d+", label.inner_text() or "1")[-1]) <= pages
        assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('.turn')).fontSize)") >= least
        page.close()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallProcess]:
    """Yield a hall that runs on this machine."""
    needs_mosquitto()
    found = HallProcess(tmp_path, "--host", "127.0.0.1")
    until(lambda: found.get("/health") == "ok\n")
    yield found
    assert found.stop() == 0


def test_a_table_joins_calls_a_judge_and_leaves(browser: Browser, room: Room, hall: HallProcess) -> None:
    """The pages of host, organiser, tablet, phone and judge are enough to join, call a judge, answer and leave."""
    room.begin()
    context = browser.new_context()
    organiser = context.new_page()
    organiser.goto(f"{hall.address}/organiser")
    code = re.search(r"\b[0-9A-Z]{2}-[0-9A-Z]{4}\b", organiser.inner_text("main"))
    assert code is not None
    fold = room.host.page.locator("details[data-fold=hall]")
    fold.locator("summary").first.click()
    fold.locator("input[name=address]").fill(hall.address)
    fold.locator("input[name=code]").fill(code[0])
    fold.locator("input[name=table_name]").fill("The window")
    fold.locator("button").first.click()
    expect(organiser.get_by_role("button", name="Let in")).to_be_visible(timeout=WAIT_MS)
    mark = re.search(r"(?:[0-9A-F]{4} ){2}[0-9A-F]{4}", organiser.inner_text("main"))
    assert mark is not None
    expect(fold).to_contain_text(mark[0], timeout=WAIT_MS)
    organiser.get_by_role("button", name="Let in").click()
    expect(fold).to_contain_text("Connected", timeout=WAIT_MS)

    organiser.goto(hall.address)
    expect(organiser.locator("main")).to_contain_text("Take a Train", timeout=WAIT_MS)
    phone = room.phones[1].page
    phone.get_by_role("button", name="Call a judge").click()
    organiser.goto(f"{hall.address}/judge?name")
    organiser.locator("input[name=name]").fill("Jo")
    organiser.get_by_role("button", name="Start judging").click()
    expect(organiser.locator("main")).to_contain_text("The window", timeout=WAIT_MS)
    organiser.get_by_role("button", name="coming").click()
    for page in (phone, room.tablet.page):
        expect(page.locator("#region-hall").get_by_text("Jo is coming.")).to_be_visible(timeout=WAIT_MS)
    organiser.get_by_role("button", name="Done").click()
    expect(phone.get_by_role("button", name="Call a judge")).to_be_visible(timeout=WAIT_MS)

    room.host.page.once("dialog", lambda dialog: dialog.accept())
    fold.get_by_role("button", name="Leave the hall").click()
    expect(fold.locator("input[name=code]")).to_be_visible(timeout=WAIT_MS)
    expect(phone.get_by_role("button", name="Call a judge")).to_have_count(0, timeout=WAIT_MS)
    context.close()
