"""Test the dialog behind "?": it opens, follows the game, blocks nothing and closes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from companion.engine import legal
from companion.games import GAMES, is_example
from companion.games.take_a_train import events as ev
from companion.games.trains.rules import RULES as TRAINS
from companion.i18n import LANGUAGES
from companion.match.actor import Actor
from tests.support.web.board_room import board_room, play
from tests.support.web.served import served
from tests.support.web.visitors import Room as Table
from tests.web.browser.devices import PHONE, TABLET, Device, opened, wait_shown
from tests.web.browser.room import Room
from tests.web.browser.truth import unfit
from web.words import package, words

pytestmark = pytest.mark.browser

TELEVISION = ViewportSize(width=1920, height=1080)
OPEN = "dialog[data-help-dialog][open]"


def said(game: str, lang: str, key: str) -> str:
    """Return a sentence in the form in which a page shows it."""
    return words(lang, package(GAMES[game]))(key)


@pytest.fixture
def trains(tmp_path: Path) -> Iterator[tuple[Table, str]]:
    """Yield a table of Trains with dealt cards before the first cubes, and its address."""
    with board_room(tmp_path, game=TRAINS) as table, served(table.app) as address:
        while moment(table) != "place_start":
            assert table.table.draw(Actor.TABLE).accepted
        table.context.hub.refresh()
        yield table, address


def moment(table: Table) -> str:
    """Return the table's current moment."""
    return str(TRAINS.view(table.table.snapshot().state, None).moment)


def place_cubes(table: Table) -> None:
    """Let everybody place the first cube on an allowed cell."""
    while moment(table) == "place_start":
        play(table, next(iter(legal(TRAINS, table.table.snapshot().state)[0])))


def test_a_question_says_what_happens_now_and_follows_a_move(trains: tuple[Table, str], browser: Browser) -> None:
    """A tap opens the dialog with the moment's sentences; it stays open during a move, and returns the focus when
    closed."""
    table, address = trains
    with opened(browser, address + table.seats[0], PHONE) as page:
        page.locator("#region-status [data-help]").click()
        dialog = page.locator(OPEN)
        for line in ("one", "two", "three"):
            expect(dialog).to_contain_text(said("trains", "en", f"help.place_start.{line}"))
        expect(dialog.locator(".help-picture")).to_be_visible()
        place_cubes(table)
        wait_shown(page, table, 0)
        expect(dialog).to_be_visible()
        expect(dialog).to_contain_text(said("trains", "en", "help.act.one"))
        expect(dialog).not_to_contain_text(said("trains", "en", "help.place_start.one"))
        page.keyboard.press("Escape")
        expect(page.locator(OPEN)).to_have_count(0)
        expect(page.locator("#region-status [data-help]")).to_be_focused()


@pytest.mark.parametrize("way", ["button", "outside", "keys"])
def test_the_dialog_closes_in_every_usual_way(trains: tuple[Table, str], browser: Browser, way: str) -> None:
    """A tap on its button, a tap beside it, and Escape close the dialog."""
    table, address = trains
    with opened(browser, address + table.seats[1], PHONE) as page:
        ask = page.locator("#region-status [data-help]")
        if way == "keys":
            ask.focus()
            page.keyboard.press("Enter")
        else:
            ask.click()
        expect(page.locator(OPEN)).to_be_visible()
        if way == "button":
            page.locator(f"{OPEN} .button.main").click()
        elif way == "outside":
            page.mouse.click(180, 4)
        else:
            page.keyboard.press("Enter")  # the main button has the focus
        expect(page.locator(OPEN)).to_have_count(0)
        expect(ask).to_be_focused()


@pytest.mark.parametrize("size", [PHONE, TABLET, TELEVISION], ids=lambda size: str(size["width"]))
@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if not is_example(game)])
def test_help_fits_every_screen(tmp_path: Path, browser: Browser, name: str, size: ViewportSize) -> None:
    """The dialog is no wider than the screen, its buttons are tall enough, and long content scrolls inside it."""
    with board_room(tmp_path, game=GAMES[name]) as table, served(table.app) as address:
        where = table.seats[0] if size is PHONE else table.host
        for lang in LANGUAGES:
            device = Device(browser, size, locale=lang)
            page = device.open(address + where)
            expect(page.locator("html")).to_have_attribute("lang", lang)
            assert unfit(page, touch=size is PHONE) == []
            page.locator("#region-status [data-help]").click()
            box = page.locator(OPEN).bounding_box()
            assert box is not None
            assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
            assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"]
            assert (
                page.evaluate(
                    "d => document.querySelector(d).scrollWidth - document.querySelector(d).clientWidth", OPEN
                )
                == 0
            )
            assert unfit(page, touch=size is PHONE) == []
            device.context.close()
            assert device.complaints == []


# --- input and its cost -------------------------------------------------------------------------------


def test_an_amount_says_what_is_left_and_survives_the_question(room: Room) -> None:
    """The typed amount and the sum beside it survive the dialog and another seat's move."""
    room.begin(ev.StarterNamed(0), ev.TokenDrawn("blind"), *nominated(room))
    phone = room.phones[1].page
    field = phone.locator("#region-actions form input[name=amount]").first
    field.fill("1700")
    line = phone.locator("#region-actions [data-costs]").first
    expect(line).to_have_text("If you pay $1,700, you keep $3,300.")
    phone.locator("#region-status [data-help]").click()
    expect(phone.locator(OPEN)).to_contain_text(said("take-a-train", "en", "help.fists.three"))
    room.say(ev.Committed(2, 0))
    room.phones[2].page.wait_for_function("document.body.dataset.shown")
    phone.keyboard.press("Escape")
    room.agree()
    expect(field).to_have_value("1700")
    expect(line).to_have_text("If you pay $1,700, you keep $3,300.")


def test_what_the_browser_says_takes_the_place_of_an_older_answer(room: Room) -> None:
    """The sentence of a refusal disappears when the browser rejects an empty field."""
    room.begin(ev.StarterNamed(0), ev.TokenDrawn("blind"), *nominated(room))
    phone = room.phones[1].page
    form = phone.locator("#region-actions form:has(input[name=amount])").first
    room.phones[1].wanted.append("409|422")
    form.locator("input[name=amount]").fill("9999")
    form.locator("button.main").click()
    expect(phone.locator("[data-answer]")).to_be_visible()
    form.locator("input[name=amount]").fill("")
    form.locator("button.main").click()
    expect(phone.locator("[data-answer]")).to_have_count(0)


# --- cards ---------------------------------------------------------------------------------------------


def test_a_tap_on_a_card_that_lies_open_says_what_it_means(room: Room) -> None:
    """A tap explains cards of the market and locomotives for sale; a card that can be chosen is chosen instead."""
    room.begin(ev.StarterNamed(0), ev.TokenDrawn("blind"), *nominated(room))
    tablet = room.tablet.page
    tablet.locator("#region-play .loco").first.click()
    expect(tablet.locator(OPEN)).to_contain_text(said("take-a-train", "en", "about.loco.text"))
    expect(tablet.locator(f"{OPEN} [data-help-text]")).to_be_hidden()
    tablet.keyboard.press("Escape")
    tablet.locator("#region-status [data-help]").click()
    expect(tablet.locator(f"{OPEN} .help-cards li").first).to_be_visible()
    expect(tablet.locator(f"{OPEN} [data-help-text]")).to_be_visible()
    tablet.keyboard.press("Escape")


def test_hidden_cards_are_not_in_sight(trains: tuple[Table, str], browser: Browser) -> None:
    """With the screen hidden, the list of cards names the public piles and none of the hand's cards."""
    table, address = trains
    with opened(browser, address + table.seats[0], PHONE) as page:
        page.locator("#region-status [data-help]").click()
        listed = page.locator(f"{OPEN} .help-cards .about-top > b:not(.coin)")
        piles, shown = page.locator("#region-supply .pile-name").all_text_contents(), listed.all_text_contents()
        page.keyboard.press("Escape")
        page.evaluate("document.documentElement.toggleAttribute('data-screen-shut', true)")
        page.locator("#region-status [data-help]").click()
        assert listed.all_text_contents() == piles
        assert set(shown) > set(piles)


def nominated(room: Room) -> tuple[ev.LocosRevealed | ev.Nominated, ...]:
    """Return three locomotives that were turned up, and the one for sale."""
    return ev.LocosRevealed(("steam-1", "diesel-1", "electric-1")), ev.Nominated(0, "steam-1")
