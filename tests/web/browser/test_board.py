"""Test a board in a browser, on a phone and on a tablet: taps, keys, questions and amending."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from companion.engine import CellName, Seat, legal
from companion.games.trains.events import FirstNamed, StartPlaced
from companion.games.trains.rules import RULES
from tests.support.hex_rails.rules import Laid
from tests.support.web.board_room import board_room, play
from tests.support.web.served import served
from tests.support.web.visitors import Room
from tests.web.browser.devices import PHONE, TABLET, Device

pytestmark = pytest.mark.browser

LAID = [("A2", 0), ("B4", 1), ("C1", 2), ("A3", 0), ("C4", 1), ("B1", 2)]
FINGER = 44
"""The minimum size in pixels of a cell that is tapped."""
LIT_IN_SIGHT = """() => {
  const frame = document.querySelector(".board-scroll").getBoundingClientRect();
  const cells = [...document.querySelectorAll(".cell.lit .ground")].map((cell) => cell.getBoundingClientRect());
  return cells.some((cell) => cell.left >= frame.left - 1 && cell.right <= frame.right + 1);
}"""
"""Returns whether a whole tappable cell is visible."""


LYING = ViewportSize(width=740, height=300)
IN_VIEW = """() => {
  const frame = document.querySelector(".board-scroll").getBoundingClientRect();
  const cells = [...document.querySelectorAll(".cell .ground")].map((cell) => cell.getBoundingClientRect());
  const seen = (cell) => cell.left >= frame.left - 1 && cell.right <= frame.right + 1 &&
    cell.top >= frame.top - 1 && cell.bottom <= frame.bottom + 1;
  return { least: Math.min(...cells.map((cell) => cell.width)), all: cells.every(seen) };
}"""
"""Returns the width of the smallest cell, and whether all cells are visible."""
LEAST = 24
"""The minimum size in pixels of a cell when the map is first shown."""


COUNT_FALLS = """() => {
  const animate = SVGElement.prototype.animate;
  window.fallen = [];
  SVGElement.prototype.animate = function (frames, ...rest) {
    if (this.closest(".board-map")) window.fallen.push(Object.keys(frames[0]).sort().join());
    return animate.call(this, frames, ...rest);
  };
}"""
"""Records the movement of each new piece on a map."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[tuple[Room, str]]:
    """Yield a match of Hex Rails in which Jane is on turn, and the server's address."""
    with board_room(tmp_path) as room, served(room.app) as address:
        play(room, *[Laid(Seat(seat), CellName(cell)) for cell, seat in LAID])
        yield room, address


def test_a_lit_cell_is_tapped_on_a_phone(browser: Browser, house: tuple[Room, str]) -> None:
    """A tap asks for the price; "not this one" changes nothing; confirming lays the cube and lights the next seat's
    cells."""
    room, address = house
    phone = Device(browser, PHONE)
    page = phone.open(address + room.seats[0])
    cell = page.locator('.board-map .cell.lit[data-cell="B2"] .ground')
    box = cell.bounding_box()
    assert box is not None and box["width"] >= FINGER
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    question = page.locator('.cell-question[data-question="B2"]')
    cell.click()
    expect(question).to_contain_text("Costs 1 (river)")
    asked, glow = page.locator("#region-status .touched"), page.locator('.glow[data-glow="B2"]')
    expect(asked).to_have_text("B2, field: Lay a cube?")
    expect(glow).to_have_class("glow chosen")
    below, frame = question.bounding_box(), page.locator("#region-status").bounding_box()
    assert below is not None and frame is not None and below["y"] + below["height"] == PHONE["height"]
    assert below["y"] > frame["y"] + frame["height"], "the sign stays in sight above the question"
    question.locator("button:not(.main)").click()
    expect(question).to_be_hidden()
    expect(asked).to_be_hidden()
    expect(glow).to_have_class("glow")
    cell.click()
    question.locator("button.main").click()
    expect(page.locator('.board-map .cell[data-cell="B2"]')).to_have_attribute("aria-label", "B2, field: 1 cube (Jane)")
    expect(page.locator(".board-map .lit")).to_have_count(0)
    assert room.table.snapshot().entries[-1].event == Laid(Seat(0), CellName("B2"))
    assert phone.complaints == []


def test_a_new_piece_comes_down_to_its_place(browser: Browser, house: tuple[Room, str]) -> None:
    """Only the new piece moves, without layout work; with reduced motion, nothing moves."""
    room, address = house
    moved = []
    for motion in ("no-preference", "reduce"):
        page = Device(browser, PHONE, reduced_motion=motion).open(address + room.seats[2])
        page.evaluate(COUNT_FALLS)
        before = page.locator(".board-map .piece").count()
        snapshot = room.table.snapshot()
        assert snapshot.state is not None
        play(room, next(iter(legal(snapshot.game, snapshot.state)[0])))
        expect(page.locator(".board-map .piece")).to_have_count(before + 1)
        moved.append(page.evaluate("window.fallen"))
    assert moved == [["opacity,translate"], []]


def test_the_map_moves_to_all_cells_that_can_be_tapped(browser: Browser, house: tuple[Room, str]) -> None:
    """A map larger than its frame scrolls to the tappable cells, even if it showed others before."""
    room, address = house
    page = Device(browser, PHONE).open(address + room.seats[0])
    page.locator('[data-board-zoom="1"]').click()
    page.evaluate("document.querySelector('.board-scroll').scrollTo(9999, 9999)")
    assert not page.evaluate(LIT_IN_SIGHT.replace("some", "every"))
    page.locator('.board-map .cell.lit[data-cell="A1"]').wait_for()
    page.evaluate("dispatchEvent(new Event('resize'))")
    assert page.evaluate(LIT_IN_SIGHT.replace("some", "every"))


def test_keys_lead_from_cell_to_cell(browser: Browser, house: tuple[Room, str]) -> None:
    """Arrow keys move to the neighbouring cell, Enter asks as a tap does, and a ring shows the focus."""
    room, address = house
    tablet = Device(browser, TABLET)
    page = tablet.open(address + room.seats[0])
    page.locator('.cell.lit[data-cell="A1"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.cell") == "B1"
    expect(page.locator(".focus-ring")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator('.cell-question[data-question="B1"]')).to_contain_text("and 1 waste")
    assert tablet.complaints == []


def test_the_map_is_made_larger_and_smaller(browser: Browser, house: tuple[Room, str]) -> None:
    """The zoom survives a redraw."""
    room, address = house
    phone = Device(browser, PHONE)
    page = phone.open(address + room.seats[1])
    width = "document.querySelector('.board-map').getBoundingClientRect().width"
    before = page.evaluate(width)
    page.locator('[data-board-zoom="1"]').click()
    larger = page.evaluate(width)
    assert larger > 1.3 * before
    play(room, Laid(Seat(0), CellName("B2")))
    expect(page.locator(".board-map .lit").first).to_be_visible()
    assert page.evaluate(width) == larger
    page.locator('[data-board-zoom="-1"]').click()
    assert page.evaluate(width) == before


def test_a_large_map_moves_to_where_something_can_be_tapped(browser: Browser, house: tuple[Room, str]) -> None:
    """The map scrolls to the tappable cells when the turn of Bill comes, who has scrolled to another part."""
    room, address = house
    page = Device(browser, PHONE).open(address + room.seats[1])
    for _ in range(3):
        page.locator('[data-board-zoom="1"]').click()
    page.locator(".board-scroll").evaluate("(frame) => frame.scrollTo(0, 0)")
    play(room, Laid(Seat(0), CellName("B2")))
    expect(page.locator(".board-map .lit").first).to_be_visible()
    assert page.evaluate(LIT_IN_SIGHT)


def test_another_cell_is_tapped_to_amend(browser: Browser, house: tuple[Room, str]) -> None:
    """The list and the map show the same chosen cell."""
    room, address = house
    tablet = Device(browser, TABLET)
    page = tablet.open(f"{address}{room.host}amend?line={len(LAID)}")
    page.locator('.cell.lit[data-cell="D1"] .ground').click()
    expect(page.locator("select[data-cells]")).to_have_value("D1")
    expect(page.locator('.glow[data-glow="D1"]')).to_have_class("glow chosen")
    page.locator("select[data-cells]").select_option("B1")
    expect(page.locator('.glow[data-glow="B1"]')).to_have_class("glow chosen")
    assert tablet.complaints == []


@pytest.fixture
def tokyo(tmp_path: Path) -> Iterator[tuple[Room, str]]:
    """Yield a match of Trains in which Jane places her first, free cube, and the server's address."""
    with board_room(tmp_path, 2, RULES) as room, served(room.app) as address:
        play(room, FirstNamed(Seat(0)))
        yield room, address


def test_a_phone_shows_the_whole_map_at_first_sight(browser: Browser, tokyo: tuple[Room, str]) -> None:
    """Cells are smaller than a fingertip when the whole map is visible, so a tap asks before placing the cube."""
    room, address = tokyo
    phone = Device(browser, PHONE)
    page = phone.open(address + room.seats[0])
    sight = page.evaluate(IN_VIEW)
    assert sight["all"] and LEAST <= sight["least"] < FINGER
    expect(page.locator(".board-whole")).to_be_hidden()
    cell = page.locator('.board-map .cell.lit[data-cell="C4"]')
    question = page.locator('.cell-question[data-question="C4"]')
    cell.locator(".ground").click()
    expect(question).to_contain_text("C4, field")
    question.locator("button:not(.main)").click()
    expect(question).to_be_hidden()
    cell.locator(".ground").click()
    question.locator("button.main").click()
    expect(page.locator(".board-map .piece")).to_have_count(1)
    assert room.table.snapshot().entries[-1].event == StartPlaced(Seat(0), CellName("C4"))
    assert phone.complaints == []


def test_a_large_cell_does_not_ask(browser: Browser, tokyo: tuple[Room, str]) -> None:
    """A tap on a tablet's cell asks nothing, because the cell is large enough for a finger."""
    room, address = tokyo
    tablet = Device(browser, TABLET)
    page = tablet.open(address + room.seats[0])
    page.locator('.board-map .cell.lit[data-cell="C4"] .ground').click()
    expect(page.locator(".board-map .piece")).to_have_count(1)
    assert tablet.complaints == []


def test_a_map_of_tiny_cells_shows_what_can_be_tapped(browser: Browser, tokyo: tuple[Room, str]) -> None:
    """On a very low screen the map first shows cells of at least 24 pixels, and one tap shows the whole map."""
    room, address = tokyo
    play(room, StartPlaced(Seat(0), CellName("C4")))
    page = Device(browser, LYING).open(address + room.seats[1])
    assert page.evaluate(IN_VIEW)["least"] >= LEAST - 0.5
    page.locator(".board-whole").click()
    sight = page.evaluate(IN_VIEW)
    assert sight["all"] and sight["least"] < LEAST
    expect(page.locator(".board-whole")).to_be_hidden()
    page.locator('[data-board-zoom="1"]').click()
    assert page.evaluate(IN_VIEW)["least"] >= FINGER
