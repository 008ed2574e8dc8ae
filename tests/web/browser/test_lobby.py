"""Test the first ten minutes in a browser: a game is chosen, four people arrive, and the first move is made."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.web.served import served
from tests.support.web.visitors import Room
from tests.web.browser.devices import PHONE, TABLET, Device, unfold
from tests.web.browser.truth import unfit

pytestmark = pytest.mark.browser
MOST_TAPS = 8
MOST_SECONDS, TAP, LETTER = 75.0, 0.8, 0.3
"""Estimated seconds of a tap and of a letter; the people act one after the other."""
PEOPLE = ("Jane", "Bill", "Tom", "Ada")


class Person:
    """A person with a device; counts their taps and letters."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.device = Device(browser, PHONE)
        self.page = self.device.open(address)
        self.taps = self.letters = 0

    def tap(self, what: str) -> None:
        """Tap a visible control."""
        self.page.locator(what).first.click()
        self.taps += 1

    def type(self, what: str, text: str) -> None:
        """Tap a field and type."""
        self.tap(what)
        self.page.keyboard.type(text)
        self.letters += len(text)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Room, str]]:
    """Serve an empty table."""
    with Room(tmp_path) as room, served(room.app) as address:
        yield room, address


def scanned(host: Page) -> str:
    """Return the address in a page's QR code."""
    return str(host.locator("img.qr").first.get_attribute("alt"))


def names(page: Page) -> list[str]:
    """Return the names of the people in the lobby, in order."""
    return page.locator(".lobby-seat[data-number] .lobby-name b").all_inner_texts()


def test_from_the_address_to_the_first_move(browser: Browser, table: tuple[Room, str]) -> None:
    """Nobody taps more than eight times or is asked for a PIN, and every device leads to the game by itself."""
    room, address = table
    host = Person(browser, address)
    host.tap('button.box[value="game-of-trains"]')
    host.type(".lobby-add input[name=name]", PEOPLE[0])
    host.tap('.lobby-add button[value="phone"]')
    expect(host.page.locator(".lobby-seat[data-number]")).to_have_count(1)
    guests = []
    for name in PEOPLE[1:]:
        guest = Person(browser, f"{address}/join?{scanned(host.page).partition('?')[2]}")
        guest.type("input[name=name]", name)
        guest.tap("form .button.main")
        expect(guest.page.locator(".lobby-in")).to_contain_text(name)
        guests.append(guest)
    expect(host.page.locator(".lobby-seat[data-number]")).to_have_count(4)
    assert names(host.page) == list(PEOPLE)
    assert unfit(host.page, touch=True) == [] and unfit(guests[0].page, touch=True) == []
    host.tap("[data-start]")
    for person in (host, *guests):
        expect(person.page.locator("body")).to_have_class(re.compile("page-seat"))
    host.tap("#region-turnup form.move button, #region-picks form.move button, #region-actions form.move button")
    host.page.wait_for_function("() => document.body.dataset.shown !== ''")
    people = (host, *guests)
    assert max(person.taps for person in people) <= MOST_TAPS
    assert sum(each.taps * TAP + each.letters * LETTER for each in people) <= MOST_SECONDS
    assert room.table.snapshot().entries
    assert [person.device.complaints for person in people] == [[]] * 4
    for person in people:
        person.device.context.close()


def test_a_box_whose_picture_does_not_come_shows_its_sign(browser: Browser, table: tuple[Room, str]) -> None:
    """Without the box's picture, its sign, names and figures appear, and nothing looks broken."""
    device = Device(browser, PHONE)
    device.wanted.append("ERR_FAILED")
    device.context.route("**/cover.webp*", lambda route: route.abort())
    page = device.open(table[1])
    expect(page.locator(".box-scene")).to_have_count(0)
    assert page.locator(".box-cover .pic").count() == page.locator(".box").count() > 3
    assert device.complaints == []
    device.context.close()


def test_one_drag_puts_somebody_elsewhere(browser: Browser, table: tuple[Room, str]) -> None:
    """A mouse or a finger drags people to another place, the arrows do the same, and a tap on a row moves nobody."""
    room, address = table
    device = Device(browser, TABLET)
    page = device.open(address)
    page.locator('button.box[value="trains"]').click()
    for name in PEOPLE[:3]:
        page.locator(".lobby-add input[name=name]").fill(name)
        page.locator('.lobby-add button[value="tablet"]').click()
        expect(page.locator(".lobby-add input[name=name]")).to_have_value("")
    expect(page.locator(".lobby-seat[data-number]")).to_have_count(3)
    seats = page.locator(".lobby-seat[data-number]")
    seats.nth(1).locator(".lobby-name").click()
    first, last = seats.nth(0).bounding_box(), seats.nth(2).bounding_box()
    assert first is not None and last is not None
    page.mouse.move(first["x"] + 60, first["y"] + 20)
    page.mouse.down()
    page.mouse.move(last["x"] + 60, last["y"] + last["height"] / 2 - 10, steps=4)
    page.mouse.move(last["x"] + 60, last["y"] + last["height"] / 2, steps=2)
    page.mouse.up()
    expect(seats.nth(2)).to_contain_text("Jane")
    assert names(page) == ["Bill", "Tom", "Jane"]
    seats.nth(2).locator("button").first.click()
    expect(seats.nth(1)).to_contain_text("Jane")
    lobby = room.context.lobby.waiting
    assert lobby is not None and [each.name for each in lobby.people] == names(page)
    assert device.complaints == []
    device.context.close()


def test_the_list_keeps_what_is_typed_while_people_arrive(browser: Browser, table: tuple[Room, str]) -> None:
    """A new arrival neither deletes a name that the host is typing nor closes an open option."""
    room, address = table
    device = Device(browser, TABLET)
    page = device.open(address)
    page.locator('button.box[value="take-a-train"]').click()
    unfold(page.locator("input[name=min_raise]"))
    page.locator("input[name=min_raise]").fill("100")
    page.locator(".lobby-add input[name=name]").fill("Somebo")
    lobby = room.context.lobby.waiting
    assert lobby is not None
    room.visitor().submit("/join", {"room": lobby.room, "name": "Bill"}, "/join")
    expect(page.locator(".lobby-seat[data-number]")).to_have_count(1)
    assert page.locator(".lobby-add input[name=name]").input_value() == "Somebo"
    assert page.locator("input[name=min_raise]").input_value() == "100"
    expect(page.locator("[data-start]")).to_be_disabled()
    page.locator('.lobby-add button[value="bot"]').click()
    expect(page.locator("[data-start]")).to_be_enabled()
    page.locator("[data-start]").click()
    page.wait_for_url("**/h/**")
    setup = room.table.snapshot().setup
    assert setup is not None and setup.options == {"min_raise": 100}
    assert device.complaints == []
    device.context.close()


def test_everything_works_without_script(browser: Browser, table: tuple[Room, str]) -> None:
    """Without scripts, plain forms add, move and remove people and start the game."""
    room, address = table
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    page.locator('button.box[value="trains"]').click()
    for name in PEOPLE[:3]:
        page.locator(".lobby-add input[name=name]").fill(name)
        page.locator('.lobby-add button[value="tablet"]').click()
    page.get_by_label("Tom: one place up").click()
    assert names(page) == ["Jane", "Tom", "Bill"]
    page.get_by_label("Take Jane off the list").click()
    assert names(page) == ["Tom", "Bill"]
    page.locator("[data-start]").click()
    page.wait_for_url("**/h/**")
    setup = room.table.snapshot().setup
    assert setup is not None and [each.name for each in setup.seated()] == ["Tom", "Bill"]
    context.close()


@pytest.mark.parametrize("width", [320, 740])
def test_a_name_of_forty_letters_fits_everywhere(browser: Browser, table: tuple[Room, str], width: int) -> None:
    """A name of forty letters fits the host's list, the person's own page and the form for joining on the smallest
    phone."""
    room, address = table
    host = room.lobby("express", ["Maximiliane-Alexandrina von Hohenzollern", "W" * 40, "Ann"])
    lobby = room.context.lobby.waiting
    assert lobby is not None
    guest = room.visitor().submit("/join", {"room": lobby.room, "name": "M" * 40}, "/join").headers["Location"]
    context = browser.new_context(viewport={"width": width, "height": 360 if width == 740 else 568}, has_touch=True)
    page = context.new_page()
    for path in (host, guest, f"/join?room={lobby.room}", "/"):
        page.goto(address + path)
        assert unfit(page, touch=True) == [], path
    context.close()
