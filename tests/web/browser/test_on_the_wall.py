"""Test a television and a shared tablet: no controls on the television, the acting player's colour, and motion."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from companion.bots.bot import own_policy
from companion.games import GAMES
from tests.support.web import any_game
from tests.support.web.served import served
from tests.support.web.visitors import Room
from tests.web.browser.devices import Device
from tests.web.browser.steps import go_on

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("unwatched")]

TELEVISION = ViewportSize(width=1920, height=1080)
CONTROLS = "main :is(button, a, input, select, summary, form)"
LONGEST = 1200
"""The maximum duration of a motion, in milliseconds."""
NOTE_MOTION = """
  window.moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    window.moved.push({ lasts: timing.duration, what: [...new Set(frames.flatMap(Object.keys))] });
    return animate.call(this, frames, timing);
  };"""


class Play:
    """A table of Game of Trains that programs play, and one of its pages."""

    def __init__(self, room: Room, page: Page) -> None:
        self.room, self.page = room, page
        self.luck, self.policies = random.Random(5), [own_policy(GAMES["game-of-trains"])] * 4

    @property
    def moment(self) -> str:
        """Return the table's current moment."""
        snapshot = self.room.table.snapshot()
        assert snapshot.state is not None
        return str(snapshot.game.view(snapshot.state, None).moment)

    def go_on(self) -> None:
        """Advance by one event, and wait until the page shows it."""
        log = self.page.evaluate("() => document.body.dataset.shown")
        assert go_on(self.room, self.policies, self.luck)
        self.room.context.hub.refresh()
        self.page.wait_for_function("was => document.body.dataset.shown !== was", arg=log)
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def until(self, moment: str) -> None:
        """Play until a moment."""
        while self.moment != moment:
            self.go_on()


@contextmanager
def play(folder: Path, browser: Browser, kind: str, **options: Any) -> Iterator[Play]:
    """Set up the game, and open the page of a television (`watch`) or of a shared tablet (`tablet`)."""
    with Room(folder) as room, served(room.app) as address:
        any_game.lay(room, "game-of-trains", 4)
        device = Device(browser, TELEVISION, **{"reduced_motion": "no-preference"} | options)
        device.page.add_init_script(NOTE_MOTION)
        device.open(address + room.page(kind))
        yield Play(room, device.page)
        device.context.close()


def test_a_television_has_no_control(tmp_path: Path, browser: Browser) -> None:
    """A television shows the device's controls in a corner, and only while a pointer moves."""
    with play(tmp_path, browser, "watch") as table:
        table.until("act")
        page, bar = table.page, table.page.locator(".bar")
        shown = [each for each in page.locator(CONTROLS).all() if each.is_visible()]
        assert [each.inner_text() for each in shown] == []
        page.wait_for_function("() => getComputedStyle(document.querySelector('.bar')).opacity === '0'")
        page.mouse.move(300, 300)
        page.mouse.move(310, 300)
        page.wait_for_function("() => getComputedStyle(document.querySelector('.bar')).opacity === '1'")
        box = bar.bounding_box()
        assert box is not None and box["width"] < TELEVISION["width"] / 2
        page.wait_for_function("() => getComputedStyle(document.querySelector('.bar')).opacity === '0'")


@pytest.mark.parametrize("kind", ["watch", "tablet"])
def test_the_sign_is_in_the_acting_player_s_colour(tmp_path: Path, browser: Browser, kind: str) -> None:
    """The sign has the acting player's colour, and the note beside it has the same colour and height."""
    with play(tmp_path, browser, kind) as table:
        table.until("act")
        colours = table.page.evaluate(
            """() => ["#region-status .sign", ".on-sign", ".seat.now .who .shape"].map((each) =>
              getComputedStyle(document.querySelector(each)).backgroundColor)"""
        )
        assert len(set(colours)) == 1, colours
        sign, where = (table.page.locator(each).bounding_box() for each in ("#region-status .sign", ".on-sign"))
        assert sign is not None and where is not None
        assert abs(sign["x"] + sign["width"] - where["x"]) < 1
        assert (sign["y"], sign["height"]) == pytest.approx((where["y"], where["height"]), abs=1)


def test_wagons_move_to_their_places(tmp_path: Path, browser: Browser) -> None:
    """Wagons move by transform and opacity only, and for a short time."""
    with play(tmp_path, browser, "watch") as table:
        table.until("act")
        for _ in range(8):
            table.go_on()
        moved = table.page.evaluate("() => window.moved")
        assert moved
        assert {what for each in moved for what in each["what"]} <= {"transform", "opacity"}
        assert max(each["lasts"] for each in moved) <= LONGEST


def test_nothing_moves_where_people_want_no_motion(tmp_path: Path, browser: Browser) -> None:
    """With reduced motion, nothing moves."""
    with play(tmp_path, browser, "watch", reduced_motion="reduce") as table:
        table.until("act")
        for _ in range(8):
            table.go_on()
        assert table.page.evaluate("() => window.moved") == []
