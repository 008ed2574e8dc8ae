"""Play a demonstration's seat by clicks on its tablet on the stage, and return the seat."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, Route
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.support.web.demonstration import Watched, demonstration
from tests.web.browser.devices import TABLET, Device

pytestmark = pytest.mark.browser
SEAT = '[data-stage-seat="0"]'
FORMS = 'form.move[hx-post$="propose"] button'
OWN = (
    "bid", "bought", "claimed", "claims_done", "committed", "exchanged", "flipped", "loco_chosen", "nominated",
    "opened", "opening_declined", "passed", "raised", "replacement_taken", "took", "turn_passed", "twist_picked",
    "wagon_chosen",
)  # fmt: skip
"""The events that a player reports about its own cards; the camera sees all public cards."""
SHOWN = """buttons => buttons
  .map((button, at) => ({at, button, event: button.form.querySelector("[name=event]")?.value}))
  .filter(({button}) => button.type === "submit" && !button.disabled && button.checkVisibility()
    && !button.closest("details:not([open])"))
  .map(({at, event}) => ({at, event}))"""
ENOUGH = 4
"""The number of actions that a person takes on their own page."""
LONGEST = 300.0
"""Seconds until a person must have taken all actions, even on a busy machine."""


class Player:
    """A person who clicks what one seat's tablet offers.

    `did` contains the events, and the presses by their kind.
    """

    def __init__(self, page: Page) -> None:
        self.tablet: FrameLocator = page.frame_locator(f"{SEAT} iframe")
        self.luck = random.Random(1)
        self.did: list[str] = []

    def play(self) -> None:
        """Take one of the tablet's current offers, if there is one."""
        press = self.tablet.locator("[data-press]")
        kinds: list[list[Any]] = press.evaluate_all(
            "all => all.map(each => [each.closest('.press-bar').dataset.kind, each.ariaPressed])"
        )
        offers: list[dict[str, Any]] = self.tablet.locator(FORMS).evaluate_all(SHOWN)
        mine = [each for each in offers if each["event"] in OWN]
        if kinds and kinds[0][0] in ("count", "ready") and kinds[0][1] != "true":
            press.first.click(timeout=5000)
            self.did.append(kinds[0][0])
        elif mine:
            chosen = self.luck.choice(mine)
            self.tablet.locator(FORMS).nth(chosen["at"]).click(timeout=5000)
            self.did.append(chosen["event"])


def played(player: Player, demo: Watched) -> None:
    """Let a person play until they have acted often enough."""
    end = time.monotonic() + LONGEST
    while len(player.did) < ENOUGH:
        assert time.monotonic() < end and demo.now()["wrong"] == "", (player.did, demo.now())
        try:
            player.play()
        except PlaywrightError as error:  # the table may change between the look and the click
            if not isinstance(error, PlaywrightTimeout) and "navigation" not in error.message:
                raise
            continue
        time.sleep(0.3)


def late_answer_keeps_speed(page: Page) -> None:
    """A speed tapped while an older answer is on its way stays lit."""
    held: list[Route] = []
    page.route("**/now.json", lambda route: held.append(route) if len(held) < 2 else route.continue_())
    await_held(page, held, 1)
    old = held[0].fetch()
    with page.expect_response("**/speed"):
        page.locator('[data-speed="16"]').click()
    held[0].fulfill(response=old)
    await_held(page, held, 2)  # the page has read the old answer before it asks again
    lit = page.locator("[data-speed][aria-pressed=true]").evaluate_all("all => all.map(each => each.dataset.speed)")
    assert old.json()["speed"] != 16 and lit == ["16"]
    held[1].continue_()


def await_held(page: Page, held: list[Route], count: int) -> None:
    """Wait until this many requests of the page are held back."""
    end = time.monotonic() + LONGEST
    while len(held) < count:
        assert time.monotonic() < end, held
        page.wait_for_timeout(50)


def test_a_seat_is_played_by_clicks(browser: Browser, tmp_path: Path) -> None:
    """A person takes over a seat and counts or bids by clicks; then the table plays on."""
    with demonstration(tmp_path / "log") as demo:
        stage = Device(browser, TABLET)
        page = stage.open(f"{demo.address}/stage/")
        take, give = page.locator(f"{SEAT} .stage-head [data-take='1']"), page.locator(f"{SEAT} [data-take='0']")
        take.wait_for(timeout=1000 * LONGEST)
        late_answer_keeps_speed(page)
        take.click()
        player = Player(page)
        played(player, demo)
        assert {"count", "opened", "bought", "bid", "passed"} & set(player.did), player.did
        give.click()
        before = demo.counts()[0]
        demo.until(lambda: demo.now()["taken"] == [] and demo.counts()[0] > before + 3)
        assert demo.now()["wrong"] == ""
        assert stage.complaints == []
