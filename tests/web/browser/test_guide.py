"""Test the tips of a first turn: each one is beside its control, appears once, blocks nothing, and disappears."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from companion.engine import AnyState, Offer, Seat, legal
from companion.games import GAMES
from companion.games.take_a_train import events as ev
from companion.games.trains.rules import RULES as TRAINS
from companion.i18n import LANGUAGES
from companion.match.actor import Actor
from tests.support.web.board_room import board_room, play
from tests.support.web.served import served
from tests.support.web.visitors import Room as Table
from tests.web.browser.devices import PHONE, TABLET, Device, opened, wait_shown
from tests.web.browser.room import Room
from web.presenters.guide import guide_steps
from web.words import package, words

pytestmark = pytest.mark.browser

TELEVISION, LYING = ViewportSize(width=1920, height=1080), ViewportSize(width=740, height=360)
SMALL, UPRIGHT = ViewportSize(width=320, height=640), ViewportSize(width=390, height=844)
TIP = ".guide-tip"
AT_ONCE = 10_000
"""Milliseconds until a dismissed tip must be gone: less than a tip stays by itself."""
COVERED = """() => {
  const tip = document.querySelector(".guide-tip").getBoundingClientRect(), share = tip.height / innerHeight;
  const covers = (node) => { const { left, top, right, bottom } = node.getBoundingClientRect();
    return right > tip.left && tip.right > left && bottom > tip.top && tip.bottom > top; };
  const apart = "#region-status .sign, .action-bar, .guide-ring:not([hidden])";
  const covered = [...document.querySelectorAll(apart)].filter(covers);
  const inside = tip.left >= 0 && tip.right <= innerWidth;
  return [covered.map((node) => node.className), inside, share, document.querySelector(".guide-tip").className];
}"""
"""Returns the forbidden areas that the tip covers, whether it is at most as wide as the screen, and its share of the
height."""


def tips(game: str, lang: str = "en") -> dict[str, str]:
    """Return the texts of a game's tips, by name."""
    return {step.name: step.text for step in guide_steps(words(lang, package(GAMES[game])))}


@pytest.fixture
def trains(tmp_path: Path) -> Iterator[tuple[Table, str]]:
    """Yield a table of Trains at which seat 0 places the first cube, and its address."""
    with board_room(tmp_path, game=TRAINS) as table, served(table.app) as address:
        while moment(table) != "place_start":
            assert table.table.draw(Actor.TABLE).accepted
        while not awaited(table):
            play(table, next(iter(offers(table)[0])))
        table.context.hub.refresh()
        yield table, address


def state(table: Table) -> AnyState:
    """Return the current match."""
    found = table.table.snapshot().state
    assert found is not None
    return found


def moment(table: Table) -> str:
    """Return the table's current moment."""
    return str(TRAINS.view(state(table), None).moment)


def awaited(table: Table) -> bool:
    """Return whether the table waits for seat 0."""
    return 0 in TRAINS.view(state(table), None).awaited


def offers(table: Table) -> list[Offer]:
    """Return the events that people may choose now."""
    return [offer for offer in legal(TRAINS, state(table)) if not getattr(offer, "chance", False)]


def to_turn(table: Table) -> None:
    """Let everybody place the first cube, and go on to a turn of seat 0."""
    while moment(table) != "act" or not awaited(table):
        if found := offers(table):
            play(table, next(iter(found[-1])))
        else:
            assert table.table.draw(Actor.TABLE).accepted
    table.context.hub.refresh()


def test_a_tip_comes_once_and_the_next_one_by_a_tap(trains: tuple[Table, str], browser: Browser) -> None:
    """The first tip survives a reload, a tip that was read never returns, and "Next" leads through the turn."""
    table, address = trains
    said = tips("trains")
    with opened(browser, address + table.seats[0], first_game=True) as page:
        tip = page.locator(TIP)
        expect(tip).to_contain_text(said["any.sign"])
        expect(page.locator("[data-guide-said]")).to_have_text(said["any.sign"])
        page.reload()
        expect(tip).to_contain_text(said["any.sign"])
        tip.locator("[data-guide-next]").click()
        expect(tip).to_contain_text(said["place_start.board"])
        expect(tip.locator("[data-guide-next]")).to_have_text(words("en")("guide_page.last"))
        tip.locator("[data-guide-next]").click()
        expect(tip).to_have_count(0, timeout=AT_ONCE)
        page.reload()
        expect(page.locator("#region-status .sign.mine")).to_be_visible()
        expect(tip).to_have_count(0, timeout=AT_ONCE)
        to_turn(table)
        for name in ("act.hand", "act.supply", "act.choices"):
            expect(tip).to_contain_text(said[name])
            tip.locator("[data-guide-next]").click()
        expect(tip).to_have_count(0, timeout=AT_ONCE)
        assert page.evaluate("JSON.parse(localStorage.getItem('guide trains')).done") is True


def test_one_tap_ends_it_and_the_question_mark_offers_it_again(trains: tuple[Table, str], browser: Browser) -> None:
    """After one tap no tip appears, now or at the next moment, until the player asks for tips."""
    table, address = trains
    with opened(browser, address + table.seats[0], first_game=True) as page:
        tip = page.locator(TIP)
        tip.locator("[data-guide-end]").click()
        expect(tip).to_have_count(0, timeout=AT_ONCE)
        page.reload()
        to_turn(table)
        wait_shown(page, table, 0)
        expect(tip).to_have_count(0, timeout=AT_ONCE)
        page.locator("#region-status [data-help]").click()
        page.locator("[data-guide-again]").click()
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(tip).to_contain_text(tips("trains")["any.sign"])


def test_a_key_ends_it(trains: tuple[Table, str], browser: Browser) -> None:
    """Tab reaches the tip's buttons, Enter uses them, and Escape ends all tips."""
    table, address = trains
    with opened(browser, address + table.seats[0], first_game=True) as page:
        tip = page.locator(TIP)
        expect(tip).to_be_visible()
        page.locator("#region-status [data-help]").focus()
        page.keyboard.press("Tab")
        expect(tip.locator("[data-guide-next]")).to_be_focused()
        page.keyboard.press("Enter")
        expect(tip).to_contain_text(tips("trains")["place_start.board"])
        page.keyboard.press("Escape")
        expect(tip).to_have_count(0, timeout=AT_ONCE)
        page.reload()
        expect(page.locator("#region-status .sign.mine")).to_be_visible()
        expect(tip).to_have_count(0, timeout=AT_ONCE)


def test_a_tip_goes_when_its_control_is_used(trains: tuple[Table, str], browser: Browser) -> None:
    """The sign's tip explains the "?", and the next tip waits until the dialog is closed."""
    table, address = trains
    with opened(browser, address + table.seats[0], first_game=True) as page:
        expect(page.locator(TIP)).to_contain_text(tips("trains")["any.sign"])
        page.locator("#region-status [data-help]").click()
        expect(page.locator("dialog[open]")).to_be_visible()
        expect(page.locator(TIP)).to_have_count(0, timeout=AT_ONCE)
        page.keyboard.press("Escape")
        expect(page.locator(TIP)).to_contain_text(tips("trains")["place_start.board"])


def test_a_tip_goes_by_itself_and_the_next_waits_for_a_sign_of_life(
    trains: tuple[Table, str], browser: Browser
) -> None:
    """A tip disappears by itself, and the next one waits for a tap or key, so that an idle phone does not use up all
    tips."""
    table, address = trains
    device = Device(browser, PHONE, first_game=True)
    device.page.clock.install()
    page = device.open(address + table.seats[0])
    expect(page.locator(TIP)).to_contain_text(tips("trains")["any.sign"])
    page.clock.run_for(19_000)
    expect(page.locator(TIP)).to_have_count(1)
    page.clock.run_for(2_000)
    expect(page.locator(TIP)).to_have_count(0, timeout=AT_ONCE)
    page.evaluate("document.dispatchEvent(new Event('region:changed'))")
    page.clock.run_for(60_000)
    expect(page.locator(TIP)).to_have_count(0, timeout=AT_ONCE)
    page.mouse.click(180, 4)
    page.clock.run_for(1_000)
    expect(page.locator(TIP)).to_contain_text(tips("trains")["place_start.board"])
    device.context.close()


def test_without_a_memory_it_is_said_once_a_page(trains: tuple[Table, str], browser: Browser) -> None:
    """Without storage, as in private mode, a tip stays read until the page is opened again."""
    table, address = trains
    device = Device(browser, PHONE, first_game=True)
    device.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('private'); } })"
    )
    page = device.open(address + table.seats[0])
    page.locator("[data-guide-end]").click()
    expect(page.locator(TIP)).to_have_count(0, timeout=AT_ONCE)
    to_turn(table)
    wait_shown(page, table, 0)
    expect(page.locator(TIP)).to_have_count(0, timeout=AT_ONCE)
    page.reload()
    expect(page.locator(TIP)).to_contain_text(tips("trains")["any.sign"])
    device.context.close()


def test_only_who_is_awaited_gets_tips(trains: tuple[Table, str], browser: Browser) -> None:
    """Other phones, the host's page, the shared tablet and the television never show a tip."""
    table, address = trains
    for where, size in ((table.seats[1], PHONE), (table.host, TABLET), (table.page("tablet"), TABLET),
                        (table.page("watch"), TELEVISION)):  # fmt: skip
        with opened(browser, address + where, size, first_game=True) as page:
            expect(page.locator("#region-status .sign")).to_be_visible()
            expect(page.locator(TIP)).to_have_count(0, timeout=AT_ONCE)
            assert page.locator("template[data-guide-steps]").count() == (where == table.seats[1])
            assert page.locator("[data-guide-again]").count() == (where == table.seats[1])


def test_a_tap_beside_its_buttons_goes_through(trains: tuple[Table, str], browser: Browser) -> None:
    """A tap on the words of a tip reaches the map below."""
    table, address = trains
    with opened(browser, address + table.seats[0], first_game=True) as page:
        box = page.locator(f"{TIP} p").bounding_box()
        assert box is not None
        at = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        assert page.evaluate("at => Boolean(document.elementFromPoint(...at).closest('.guide-tip'))", at) is False
        next_one = page.locator("[data-guide-next]").bounding_box()
        assert next_one is not None and min(next_one["width"], next_one["height"]) >= 44


@pytest.mark.parametrize("size", [SMALL, PHONE, UPRIGHT, LYING, TABLET], ids=lambda size: str(size["width"]))
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_tip_never_covers_the_sign_or_what_it_explains(
    trains: tuple[Table, str], browser: Browser, size: ViewportSize, lang: str
) -> None:
    """At every step of a turn, a tip takes at most a quarter of a phone's height and does not widen the page."""
    table, address = trains
    to_turn(table)
    with opened(browser, address + table.seats[0], size, locale=lang, first_game=True) as page:
        seen = 0
        while page.locator(TIP).count():
            covered, inside, share, look = page.evaluate(COVERED)
            assert (covered, inside) == ([], True), (seen, look)
            assert share <= 0.25 or size is TABLET
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            seen += 1
            page.locator("[data-guide-next]").click()
        assert seen == 4


def test_large_letters_put_a_tip_into_the_page(trains: tuple[Table, str], browser: Browser) -> None:
    """With large letters, a tip moves below the sign and covers neither the sign nor its control."""
    table, address = trains
    device = Device(browser, SMALL, first_game=True)
    device.context.add_init_script(
        "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })"
    )
    page = device.open(address + table.seats[0])
    expect(page.locator(TIP)).to_be_visible()
    covered, inside, _, look = page.evaluate(COVERED)
    assert (covered, inside, look) == ([], True, "guide-tip in-page")
    assert page.evaluate("document.querySelector('#region-status').nextElementSibling.className") == look
    device.context.close()


def test_no_tip_comes_while_presses_race(room: Room) -> None:
    """In an open auction a tip disappears and cannot be requested, because anybody may press at any moment."""
    room.begin(ev.StarterNamed(Seat(0)), ev.TokenDrawn("open"), ev.LocosRevealed(("steam-1",)))
    phone = room.phones[0].page
    phone.locator("#region-status [data-help]").click()
    expect(phone.locator("[data-guide-again]")).to_be_visible()
    phone.locator("[data-guide-again]").click()
    expect(phone.locator(TIP)).to_contain_text(tips("take-a-train")["any.sign"])
    room.say(ev.Opened(Seat(0), 300))
    expect(phone.locator("#region-press .press-bar")).to_have_count(1)
    expect(phone.locator(TIP)).to_have_count(0, timeout=AT_ONCE)
    phone.locator("#region-status [data-help]").click()
    expect(phone.locator("dialog[open]")).to_be_visible()
    expect(phone.locator("[data-guide-again]")).to_be_hidden()
    phone.keyboard.press("Escape")
    expect(phone.locator(TIP)).to_have_count(0, timeout=AT_ONCE)
