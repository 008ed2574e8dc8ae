"""Run axe-core on every page and at every moment of each game, with pairs of languages, themes and sizes."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from companion.bots.bot import own_policy
from companion.games import GAMES
from tests.support.web import any_game
from tests.support.web.served import served
from tests.support.web.visitors import Room, lobby_pages
from tests.web.browser.devices import Device
from tests.web.browser.steps import go_on
from web.game_pages import OFFERED

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PLAYERS = 3
SIZES = ((360, 640), (1280, 800), (1920, 1080))
LOOKS = tuple(zip(itertools.cycle(("en", "fr", "fr", "en")), ("light", "dark") * 6, SIZES * 4, strict=False))
"""The settings of checks: any twelve in a row contain every pair of language, theme and size."""
DECKS = {
    "take-a-train": ("dealt", "ours"), "game-of-trains": ("dealt",), "trains": ("dealt",), "express": ("dealt",)
}  # fmt: skip
MATCHES = 3
"""The maximum number of matches played to reach every moment."""
OPTIONS = {
    "rules": {"label-content-name-mismatch": {"enabled": True}, "target-size": {"enabled": True}},
    "resultTypes": ["violations"],
    "preload": False,
}
"""Options of axe-core: run the rules that it skips by default, omit passed rules, and load no style sheet again for
the rule about orientation, which is off."""
OPEN = ("/", "/join", "/host", "/past/", "/print/", "/demonstration/", "/power")
OF_GAMES = ("/rules/{}/", "/print/choose/{}")
OF_HOST = ("check", "amend", "camera", "pins", "laying", "log")


class Inspector:
    """Opens each page in one browser with the next settings, and records the findings of axe-core."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.device = Device(browser, {"width": 360, "height": 640})
        self.address = address
        self.axe = Axe()
        self.looks: Iterator[tuple[str, str, tuple[int, int]]] = itertools.cycle(LOOKS)
        self.found: dict[str, set[str]] = {}

    def inspect(self, path: str, name: str = "") -> Page:
        """Open a page and run axe-core."""
        lang, theme, (width, height) = next(self.looks)
        cookies = {"lang": lang, "theme": theme}
        self.device.context.add_cookies(
            [{"name": key, "value": value, "url": self.address} for key, value in cookies.items()]
        )
        page = self.device.page
        page.set_viewport_size({"width": width, "height": height})
        self.device.open(self.address + path)
        # Content below the action bar scrolls into view, but axe-core judges only the visible part.
        page.evaluate("document.getElementById('action-bar')?.style.setProperty('position', 'static', 'important')")
        for violation in self.axe.run(page, options=OPTIONS).response["violations"]:
            for node in violation["nodes"]:
                wrong = (
                    f"{violation['id']}: {node['html'][:160]} {node['any'][0]['message'][:200] if node['any'] else ''}"
                )
                self.found.setdefault(wrong, set()).add(f"{name or path} {lang} {theme} {width}")
        return page

    def report(self) -> list[str]:
        """Return each fault once, with the first page that has it."""
        return [f"{wrong} [{min(pages)}; {len(pages)} pages]" for wrong, pages in self.found.items()]


@pytest.fixture
def world(tmp_path: Path, browser: Browser, unwatched: None) -> Iterator[tuple[Room, Inspector]]:
    """Yield a room with served pages, and an inspector of them."""
    with Room(tmp_path) as room, served(room.app) as address:
        inspector = Inspector(browser, address)
        yield room, inspector
        inspector.device.context.close()


@pytest.mark.parametrize("game", DECKS)
def test_every_moment_is_accessible(world: tuple[Room, Inspector], game: str) -> None:
    """Check the pages of an acting seat, a waiting seat, the table and the host at each moment.

    If a card turns up, pages depend on the deck, so check that moment with each deck.
    """
    room, inspector = world
    luck = random.Random(5)
    policies = [own_policy(GAMES[game])] * PLAYERS
    seen: set[tuple[str, str]] = set()
    for deck in DECKS[game] * MATCHES:
        any_game.lay(room, game, PLAYERS, deck)
        table = room.page("tablet")
        on = True
        while on:
            snapshot = room.table.snapshot()
            view = snapshot.game.view(snapshot.state, None)
            moment = (view.moment, "" if view.awaited else deck)
            if moment not in seen:
                seen.add(moment)
                room.context.hub.refresh()
                awaited = view.awaited[0] if view.awaited else 0
                for path, who in (
                    (room.seats[awaited], "seat on turn"), (room.seats[awaited - 1], "seat that waits"),
                    (table, "table"), (room.host, "host"),
                ):  # fmt: skip
                    inspector.inspect(path, f"{view.moment}, {who}")
                inspector.device.leave()
            on = go_on(room, policies, luck)
    assert {("over", deck) for deck in DECKS[game]} <= seen
    found = inspector.report()
    assert found == [], "\n".join(found)


def test_every_other_page_is_accessible(world: tuple[Room, Inspector]) -> None:
    """Check joining, set-up, rules, prints, the host's tools, past games and message pages."""
    room, inspector = world
    for path in (*OPEN, *[path.format(game) for game in OFFERED for path in OF_GAMES], "/nowhere"):
        inspector.inspect(path)
    for game in OFFERED:
        for path in lobby_pages(room, game):
            inspector.inspect(path, f"lobby of {game}")
    room.context.lobby.close()
    luck = random.Random(3)
    any_game.lay(room, "game-of-trains", 2)
    for path in (f"/join?room={room.pin}", *[room.host + path for path in OF_HOST], f"{room.page('tablet')}hand"):
        inspector.inspect(path)
    while go_on(room, [own_policy(GAMES["game-of-trains"])] * 2, luck):
        pass
    match = room.table.snapshot().match_id
    for path in ("/past/", f"/past/{match}/", "/"):
        inspector.inspect(path)
    found = inspector.report()
    assert found == [], "\n".join(found)
