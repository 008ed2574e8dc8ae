"""Check every page on the narrowest phone, with letters twice as large, and on the largest screen: nothing is cut."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize

from companion.bots.bot import own_policy
from companion.games import GAMES
from tests.support.web import any_game
from tests.support.web.served import served
from tests.support.web.visitors import Room, lobby_pages
from tests.web.browser.devices import Device
from tests.web.browser.steps import go_on
from tests.web.browser.truth import script
from web.game_pages import OFFERED

pytestmark = pytest.mark.browser

SIZES = script("sizes.js")
SCREENS = ((320, 640, ""), (360, 740, "200%"), (3840, 2160, ""))
"""Width, height and font size of each screen."""
LETTERS = "size => { document.documentElement.style.fontSize = size; }"
PLAYERS = {"take-a-train": 4, "game-of-trains": 4, "trains": 2, "express": 4}
NAMES = ("Jane", "Wilhelmina-Josephine III", "Tom", "Céline", "Max", "Ada")
OPEN = ("/", "/join", "/host", "/past/", "/past/records", "/print/")
OF_GAMES = ("/rules/{}/", "/print/choose/{}")
OF_HOST = ("", "check", "camera", "laying", "log", "enrolment")


class Looker:
    """Opens each page on every screen in alternating languages, and records layout faults."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.device = Device(browser, {"width": 320, "height": 640})
        self.address = address
        self.langs: Iterator[str] = itertools.cycle(("fr", "en", "fr", "fr", "en"))
        self.found: dict[str, str] = {}

    def look(self, path: str, name: str = "") -> None:
        """Examine a page."""
        lang, page = next(self.langs), self.device.page
        self.device.context.add_cookies([{"name": "lang", "value": lang, "url": self.address}])
        self.device.open(self.address + path)
        for width, height, letters in SCREENS:
            page.set_viewport_size(ViewportSize(width=width, height=height))
            page.evaluate(LETTERS, letters)
            for wrong in page.evaluate(SIZES):
                self.found.setdefault(f"{wrong} ({width}{letters and ', ' + letters})", f"{name or path} {lang}")

    def report(self) -> str:
        """Return each fault once, with the first page that has it."""
        return "\n".join(f"{wrong} [{where}]" for wrong, where in self.found.items())


@pytest.fixture
def world(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch, unwatched: None
) -> Iterator[tuple[Room, Looker]]:
    """Yield a room with the longest name at a seat, and an inspector of its pages."""
    monkeypatch.setattr(any_game, "NAMES", NAMES)
    with Room(tmp_path) as room, served(room.app) as address:
        looker = Looker(browser, address)
        yield room, looker
        looker.device.context.close()


@pytest.mark.parametrize("game", PLAYERS)
def test_every_moment_is_whole(world: tuple[Room, Looker], game: str) -> None:
    """Check the acting seat's page at each moment, and the table's, a waiting seat's and the host's pages in turn."""
    room, looker = world
    any_game.lay(room, game, PLAYERS[game])
    luck, policies = random.Random(5), [own_policy(GAMES[game])] * PLAYERS[game]
    seen: set[str] = set()
    on = True
    while on:
        snapshot = room.table.snapshot()
        view = snapshot.game.view(snapshot.state, None)
        if view.moment not in seen:
            seen.add(view.moment)
            room.context.hub.refresh()
            awaited = view.awaited[0] if view.awaited else 0
            others = (room.page("tablet"), room.seats[awaited - 1], room.host)
            looker.look(room.seats[awaited], f"{view.moment}, seat on turn")
            looker.look(others[len(seen) % 3], f"{view.moment}, another")
            looker.device.leave()
        on = go_on(room, policies, luck)
    assert "over" in seen
    assert not looker.found, looker.report()


def test_every_other_page_is_whole(world: tuple[Room, Looker]) -> None:
    """Check joining, set-up, rules, prints, the host's tools, and a finished match."""
    room, looker = world
    any_game.lay(room, "game-of-trains", 2)
    for path in (f"/join?room={room.pin}", *[room.host + path for path in OF_HOST], f"{room.page('tablet')}hand"):
        looker.look(path)
    luck = random.Random(3)
    while go_on(room, [own_policy(GAMES["game-of-trains"])] * 2, luck):
        pass
    match = room.table.snapshot().match_id
    games = [path.format(game) for game in OFFERED for path in OF_GAMES]
    for path in (*OPEN, *games, f"/past/{match}/", f"/past/{match}/replay"):
        looker.look(path)
    for game in OFFERED:
        for path in lobby_pages(room, game):
            looker.look(path, f"lobby of {game}")
    assert not looker.found, looker.report()
