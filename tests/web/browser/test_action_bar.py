"""Test the action bar of a seat's page in whole games of each kind: the sign and the bar must be visible, and every
move in reach.

`ACTION_BAR_STATES` sets the number of different states to examine in each game; the default is a few.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ViewportSize

from companion.bots.bot import own_policy
from companion.engine import AnyGame, legal, name_of
from companion.games import GAMES
from companion.games.examples.branch_lines.rules import RULES as BRANCH_LINES
from companion.games.examples.freight_whist.rules import RULES as FREIGHT_WHIST
from companion.games.examples.goods_yard.rules import RULES as GOODS_YARD
from companion.games.examples.hill_and_harbour.rules import RULES as HILL_AND_HARBOUR
from companion.games.examples.twenty_tons.rules import RULES as TWENTY_TONS
from tests.support.web import any_game
from tests.support.web.board_room import offered
from tests.support.web.served import served
from tests.support.web.visitors import Room
from tests.web.browser.devices import Device
from tests.web.browser.steps import go_on
from tests.web.browser.truth import script

pytestmark = pytest.mark.browser

BAR = script("bar.js")
SCREENS = ((360, 640, ""), (390, 844, ""), (740, 360, ""), (360, 640, "200%"))
"""Width, height and font size of each screen."""
LETTERS = "size => { document.documentElement.style.fontSize = size; }"
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
STATES = int(os.environ.get("ACTION_BAR_STATES", "5"))
TOUCH = """at => {
  const cards = document.querySelectorAll(".own .xp-pick input");
  if (at < cards.length) { cards[at].checked = true; cards[at].dispatchEvent(new Event("change", { bubbles: true })); }
  return at < cards.length;
}"""
WALKS: tuple[tuple[AnyGame, int, str], ...] = (
    (GAMES["take-a-train"], 4, "dealt"), (GAMES["take-a-train"], 3, "ours"), (GAMES["express"], 4, "dealt"),
    (GAMES["game-of-trains"], 4, "dealt"), (GAMES["game-of-trains"], 3, "ours"), (GAMES["trains"], 3, "dealt"),
    (GOODS_YARD, 3, "dealt"), (FREIGHT_WHIST, 4, "dealt"), (BRANCH_LINES, 3, "dealt"), (HILL_AND_HARBOUR, 3, "dealt"),
    (TWENTY_TONS, 3, "ours"),
)  # fmt: skip


@contextmanager
def served_at_a_bid(room: Room) -> Iterator[tuple[str, int]]:
    """Serve a match of Take a Train at the moment when a seat enters its bid; yield the address and the seat."""
    any_game.lay(room, "take-a-train", 3)
    policies, luck = [own_policy(GAMES["take-a-train"])] * 3, random.Random(5)
    while True:
        snapshot = room.table.snapshot()
        assert snapshot.state is not None
        view = snapshot.game.view(snapshot.state, None)
        if view.moment in ("opening", "bidding", "fists") and view.awaited:
            break
        assert go_on(room, policies, luck)
    room.context.hub.refresh()
    with served(room.app) as address:
        yield address, view.awaited[0]


class Walker:
    """Examines the page of the acting seat in every new state of a game, on each screen."""

    def __init__(self, browser: Browser, room: Room, address: str) -> None:
        self.device = Device(browser, ViewportSize(width=360, height=640))
        self.room, self.address = room, address
        self.seen: set[object] = set()
        self.found: dict[str, str] = {}

    def state(self) -> tuple[object, int]:
        """Return the kind of the table's state, and the seat whose page is examined."""
        snapshot = self.room.table.snapshot()
        assert snapshot.state is not None
        view = snapshot.game.view(snapshot.state, None)
        seat = view.awaited[0] if view.awaited else 0
        offers = [] if snapshot.over else legal(snapshot.game, snapshot.state)
        kinds = frozenset([name_of(event) for each in offers if each.by == seat for event in [*each][:1]])
        return (view.moment, getattr(view, "kind", ""), kinds, bool(view.awaited)), seat

    def walk(self, players: int, luck: random.Random) -> None:
        """Play until the end, or until enough states have been examined."""
        snapshot = self.room.table.snapshot()
        policies = [own_policy(snapshot.game)] * players
        on = True
        while on and len(self.seen) < STATES:
            state, seat = self.state()
            if state not in self.seen:
                self.seen.add(state)
                self.room.context.hub.refresh()
                self.look(seat, str(state))
            on = go_on(self.room, policies, luck)

    def look(self, seat: int, name: str) -> None:
        """Examine a seat's page on each screen; first touch each card where a card is chosen before a move."""
        page = self.device.open(self.address + self.room.seats[seat])
        for width, height, letters in SCREENS:
            page.set_viewport_size(ViewportSize(width=width, height=height))
            page.evaluate(LETTERS, letters)
            for touched in range(-1, 8):
                if touched >= 0 and not page.evaluate(TOUCH, touched):
                    break
                page.evaluate(DRAWN)
                for wrong in page.evaluate(BAR, bool(letters)):
                    self.found.setdefault(f"{wrong} ({width} × {height} {letters})", f"{name}, card {touched}")
        self.device.leave()

    def report(self) -> str:
        """Return each fault once, with the first state that has it."""
        return "\n".join(f"{wrong} [{where}]" for wrong, where in self.found.items())


@pytest.mark.parametrize(("game", "players", "deck"), WALKS, ids=lambda each: getattr(each, "name", str(each)))
def test_every_move_is_in_reach(
    tmp_path: Path, browser: Browser, unwatched: None, game: AnyGame, players: int, deck: str
) -> None:
    """The sign and the low bar are fully visible, the bar has few buttons, and every move is at most one tap away."""
    known: Any = nullcontext() if game.name in GAMES else offered(game)
    with known, Room(tmp_path) as room:
        any_game.lay(room, game.name, players, deck)
        with served(room.app) as address:
            walker = Walker(browser, room, address)
            walker.walk(players, random.Random(5))
            walker.device.context.close()
    assert walker.seen
    assert not walker.found, walker.report()


KEYBOARD = """high => {
  Object.defineProperty(visualViewport, "height", { configurable: true, get: () => innerHeight - high });
  visualViewport.dispatchEvent(new Event("resize"));
}"""
"""Simulates a browser whose keyboard covers part of the page."""


@pytest.mark.parametrize(("width", "height", "keyboard"), [(360, 640, 290), (390, 844, 336), (740, 360, 190)])
def test_the_bar_stands_above_a_keyboard(
    tmp_path: Path, browser: Browser, unwatched: None, width: int, height: int, keyboard: int
) -> None:
    """The sign and the bar stay in the visible part when a keyboard covers the page during a bid."""
    with Room(tmp_path) as room, served_at_a_bid(room) as (address, seat):
        device = Device(browser, ViewportSize(width=width, height=height))
        page = device.open(address + room.seats[seat])
        page.locator("#action-bar input[name=amount]").focus()
        page.evaluate(KEYBOARD, keyboard)
        page.wait_for_function("document.body.hasAttribute('data-typing')")
        for place in ("#region-status .sign", "#action-bar", "#action-bar .button.main"):
            box = page.locator(place).bounding_box()
            assert box is not None
            assert box["y"] >= 0 and box["y"] + box["height"] <= height - keyboard + 1, (place, box)
        assert page.evaluate("document.querySelector('#action-bar').offsetHeight") > 0
        device.context.close()


FRAMES = """() => new Promise((done) => {
  let changes = 0, left = 40;
  const watch = new MutationObserver((found) => { changes += found.length; });
  watch.observe(document.body, { attributeFilter: ["data-flow"] });
  const frame = () => { if (left-- > 0) requestAnimationFrame(frame); else done(changes); };
  requestAnimationFrame(frame);
})"""
"""Returns how often the bar switches between its two places in forty frames."""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640), (740, 360)])
@pytest.mark.parametrize("letters", ["150%", "175%", "200%"])
def test_the_bar_rests_where_letters_are_large(
    tmp_path: Path, browser: Browser, unwatched: None, letters: str, width: int, height: int
) -> None:
    """With large letters, the bar stays in one place although it changes the height of the page's head."""
    with Room(tmp_path) as room:
        any_game.lay(room, "trains", 4)
        policies, luck = [own_policy(GAMES["trains"])] * 4, random.Random(5)
        while not (awaited := room.table.snapshot().game.view(room.table.snapshot().state, None).awaited):
            assert go_on(room, policies, luck)
        room.context.hub.refresh()
        with served(room.app) as address:
            device = Device(browser, ViewportSize(width=width, height=height))
            page = device.open(address + room.seats[awaited[0]])
            page.evaluate(LETTERS, letters)
            page.evaluate(DRAWN)
            page.evaluate(DRAWN)
            assert page.evaluate(FRAMES) == 0
            device.context.close()
