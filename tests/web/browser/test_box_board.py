"""Test in a browser that the board of a box is tapped, corrected, saved and shown again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.support.web.any_game import lay
from tests.web.browser.truth import unfit
from tests.web.browser.watched import Watched, watching
from web.words import words

pytestmark = pytest.mark.browser
EN = words("en")
TAPS = [[0.2, 0.2], [0.8, 0.2], [0.75, 0.8], [0.25, 0.8]]
STEP = 0.004
"""How far an arrow key moves a mark, as a share of the picture."""


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser) -> Iterator[Watched]:
    """Yield two people at Trains under a camera; afterwards no page may have logged errors."""
    monkeypatch.setenv("COMPANION_SHELF", str(tmp_path / "shelf"))
    with watching(tmp_path, browser, lambda room: lay(room, "trains", 2, "ours", board="osaka")) as found:
        yield found


def open_tool(watched: Watched, phone: bool = False) -> Page:
    """Open the camera's page, wait for its picture, and open the tool for boards."""
    page = watched.open(watched.room.host + "camera", phone)
    page.locator("[data-camera-picture]:not([hidden])").wait_for()
    page.locator("[data-box-open]").click()
    page.locator("[data-box]").wait_for()
    return page


def cell(page: Page, name: str) -> Locator:
    """Return the outline of a cell over the picture."""
    return page.locator(f'.box-cells [data-cell="{name}"]')


def tap(page: Page, x: float, y: float) -> None:
    """Tap a point of the picture."""
    box = page.locator("[data-camera-frame]").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])


def tap_corners(page: Page) -> None:
    """Tap the four corner cells that the page asks for, and wait for the outlines."""
    for number, (x, y) in enumerate(TAPS):
        expect(page.locator("[data-box-step]")).to_have_text(EN(f"box_board.tap_{number + 1}"))
        expect(page.locator(".box-sketch.shown .next")).to_have_attribute(
            "data-corner", ("A1", "A10", "H9", "H1")[number]
        )
        tap(page, x, y)
    expect(page.locator(".box-cells polygon")).to_have_count(76)


def answered(watched: Watched, page: Page, what: str, count: int) -> dict[str, Any]:
    """Return the camera's last request, once it has received this many."""

    fields = asked_for(watched, page, what, count)
    assert len(fields) == count
    found: dict[str, Any] = fields[-1]["tapped"]
    return found


def asked_for(watched: Watched, page: Page, what: str, count: int, field: str = "") -> list[dict[str, Any]]:
    """Return the fields of the requests of a kind that have this field, once there are this many."""
    for _ in range(200):
        found = [
            each.fields for each in watched.camera.said if each.what == what and (not field or each.fields.get(field))
        ]
        if len(found) >= count:
            return found
        page.wait_for_timeout(50)
    raise AssertionError(f"the camera was not asked to {what} {count} times")


def test_a_board_is_tapped_corrected_and_shown_again(watched: Watched) -> None:
    """Four taps draw all cells; a cell can be dragged, moved by key and put back; another one stays moved after a
    reload."""
    page = open_tool(watched)
    tap_corners(page)
    expect(page.locator("[data-box-step]")).to_have_text(EN("box_board.fit"))
    asked_for(watched, page, "watch", 1, "whole")
    here = cell(page, "C4").bounding_box()
    frame = page.locator("[data-camera-frame]").bounding_box()
    assert here is not None and frame is not None
    x, y = here["x"] + here["width"] / 2, here["y"] + here["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 6, y)
    page.mouse.move(x + 20, y + 10)
    page.mouse.up()
    expect(page.locator(".box-cells .moved")).to_have_attribute("data-cell", "C4")
    dragged = answered(watched, page, "board_outline", 3)["moved"]["C4"]
    middle = [(x - frame["x"]) / frame["width"], (y - frame["y"]) / frame["height"]]
    away = [dragged[0] - middle[0] - 20 / frame["width"], dragged[1] - middle[1] - 10 / frame["height"]]
    assert max(map(abs, away)) < 0.002
    held: list[Route] = []
    page.route("**/camera/board/outline", lambda route: held.append(route))
    with page.expect_request("**/camera/board/outline"):
        page.keyboard.press("ArrowRight")
    page.locator("[data-box-across]").fill("48.5")  # tap before the answer comes, which must not undo the move
    with page.expect_response("**/camera/board/outline"):
        held[0].continue_()
    page.unroute("**/camera/board/outline")
    moved = answered(watched, page, "board_outline", 4)["moved"]
    assert moved["C4"] == pytest.approx([dragged[0] + STEP, dragged[1]], abs=1e-4)
    page.locator("[data-box-save]").click()
    expect(page.get_by_text(EN("box_board.saved"), exact=True)).to_be_visible()
    kept = answered(watched, page, "board", 1)
    assert (kept["board"], kept["across"], kept["moved"]) == ("osaka", 485, moved)
    assert all(kept["corners"][number] == pytest.approx(point, abs=2e-3) for number, point in enumerate(TAPS))
    page.reload()
    page.locator("[data-box-open]").click()
    expect(page.locator(".box-cells .moved")).to_have_attribute("data-cell", "C4")
    expect(page.locator("[data-box-step]")).to_have_text(EN("box_board.kept"))
    expect(page.locator("[data-box-across]")).to_have_value("48.5")
    page.locator("[data-box-cell]").select_option("C4")
    page.locator("[data-box-back]").click()
    expect(page.locator(".box-cells .moved")).to_have_count(0)
    page.locator("[data-box-forget]").click()
    expect(page.locator("[data-box-step]")).to_have_text(EN("box_board.tap_1"))
    assert watched.camera.tapped is None


def test_keys_alone_set_a_board(watched: Watched) -> None:
    """The arrow keys move the marks, Enter sets them, and then keys move a corner and a cell."""
    page = watched.open(watched.room.host + "camera")
    page.locator("[data-box-open]").focus()
    page.keyboard.press("Enter")
    corners = page.locator(".box-corner")
    for number in range(4):
        expect(corners.nth(number)).to_be_focused()
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
    expect(page.locator(".box-cells polygon")).to_have_count(76)
    page.keyboard.press("Shift+ArrowDown")
    corner = answered(watched, page, "board_outline", 3)["corners"][3]
    assert corner == pytest.approx([0.15 - STEP, 0.85 + 0.03], abs=1e-5)
    page.locator("[data-box-cell]").select_option("D5")
    expect(cell(page, "D5")).to_be_focused()
    page.keyboard.press("ArrowUp")
    assert list(answered(watched, page, "board_outline", 4)["moved"]) == ["D5"]
    page.keyboard.press("Escape")
    expect(page.locator("[data-box]")).to_be_hidden()
    expect(page.locator("[data-box-open]")).to_be_focused()


def test_a_set_board_keeps_its_size_and_corners(watched: Watched) -> None:
    """When only cells change, the size and the corners are sent back unchanged, because pieces may hide them."""
    corners = [[0.21234, 0.2], [0.8, 0.2], [0.75, 0.81234], [0.25, 0.8]]
    watched.camera.tapped = {"board": "tokyo", "corners": corners, "across": 471.653}
    page = open_tool(watched)
    expect(page.locator("[data-box-which]")).to_have_value("tokyo")
    expect(page.locator("[data-box-across]")).to_have_value("47.2")
    page.locator("[data-box-cell]").select_option("D5")
    page.keyboard.press("ArrowUp")
    page.locator("[data-box-save]").click()
    expect(page.get_by_text(EN("box_board.saved"), exact=True)).to_be_visible()
    kept = answered(watched, page, "board", 1)
    assert (kept["across"], kept["corners"], list(kept["moved"])) == (471.653, corners, ["D5"])


def test_a_cell_that_would_overlap_goes_back(watched: Watched) -> None:
    """The page gives the reason, and the cell returns to its place; the board can still be saved."""
    page = open_tool(watched)
    tap_corners(page)
    before = cell(page, "D5").get_attribute("points")
    assert before is not None
    watched.devices[-1].wanted.append("409")
    watched.camera.refuse["board_outline"] = "board_torn"
    cell(page, "D5").click()
    page.keyboard.press("Shift+ArrowRight")
    expect(page.get_by_text(EN("answer.board_torn"))).to_be_visible()
    expect(cell(page, "D5")).to_have_attribute("points", before)
    page.locator("[data-box-save]").click()
    expect(page.get_by_text(EN("box_board.saved"), exact=True)).to_be_visible()
    assert "moved" not in answered(watched, page, "board", 1)


def test_zooming_with_two_fingers_marks_and_moves_nothing(watched: Watched) -> None:
    """Zooming with two fingers removes the first finger's mark, and returns a cell that it dragged."""
    page = open_tool(watched)
    cancel = "frame => frame.dispatchEvent(new PointerEvent('pointercancel', { isPrimary: true }))"
    frame = page.locator("[data-camera-frame]")
    frame.hover(position={"x": 60, "y": 60})
    page.mouse.down()
    expect(page.locator(".box-sketch.shown .done")).to_have_count(1)
    frame.evaluate(cancel)
    page.mouse.up()
    expect(page.locator(".box-sketch.shown .done")).to_have_count(0)
    tap_corners(page)
    before = cell(page, "D5").get_attribute("points")
    assert before is not None
    cell(page, "D5").hover()
    page.mouse.down()
    frame.hover(position={"x": 60, "y": 60})
    expect(page.locator(".box-cells .moved")).to_have_count(1)
    frame.evaluate(cancel)
    page.mouse.up()
    expect(page.locator(".box-cells .moved")).to_have_count(0)
    expect(cell(page, "D5")).to_have_attribute("points", before)


@pytest.mark.parametrize("phone", [True, False])
def test_the_tool_fits(watched: Watched, phone: bool) -> None:
    """The tool is as wide as the screen, with tall buttons and named inputs, while corners are tapped and after all
    cells are drawn."""
    page = open_tool(watched, phone)
    wrong = unfit(page, touch=True)
    tap_corners(page)
    assert wrong + unfit(page, touch=True) == []
    expect(page.locator(".box-sketch.shown")).to_have_attribute("data-box-sketch", "osaka")
    page.locator("[data-box-which]").select_option("tokyo")
    expect(page.locator(".box-cells polygon")).to_have_count(0)
    expect(page.locator("[data-box-step]")).to_have_text(EN("box_board.tap_1"))
