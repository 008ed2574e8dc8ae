"""Check the table's page on a television and on a tablet: large letters, and all important parts on one screen."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize

from companion.bots.bot import own_policy
from companion.games import GAMES
from tests.support.web import any_game
from tests.support.web.served import served
from tests.support.web.visitors import Room
from tests.web.browser.devices import Device
from tests.web.browser.steps import go_on
from tests.web.browser.truth import script

pytestmark = pytest.mark.browser

WALL, SPACE = script("wall.js"), script("space.js")
TELEVISION, TABLET = ViewportSize(width=1920, height=1080), ViewportSize(width=1280, height=800)
SQUARE = ViewportSize(width=1024, height=768)
LEAST = 28
"""The minimum height in pixels of important letters on a television of 1,920 × 1,080."""
NEEDED = ("status", "banner", "seats", "play", "board", "supply", "display", "totals", "ending")
"""Regions that must be completely on the screen."""
PLAYERS = {"take-a-train": (2, 4, 6), "game-of-trains": (2, 4), "trains": (2, 4), "express": (2, 4, 6)}
PLAYERS |= {
    "hill-and-harbour": (4,),
    "goods-yard": (5,),
    "freight-whist": (4,),
    "branch-lines": (5,),
    "twenty-tons": (4,),
}
TABLES = [(game, players) for game, numbers in PLAYERS.items() for players in numbers]
ONE_TAP_AWAY = {"trains": ".cell-label:not([font-size])", "hill-and-harbour": ".board-map"}
"""Selects smaller text that is allowed, by game: the names of places, which are printed on the board."""
AT_THE_END = ".board-map"
"""Selects the map, which becomes smaller at the end to leave room for the ranking."""
FULL = {"take-a-train": 43, "game-of-trains": 45, "trains": 45, "express": 42}
FULL |= {"hill-and-harbour": 36}
"""The minimum share of the screen for game objects, in hundredths, by game; it applies to four players."""
MANY, EMPTY = 4, 13
"""The number of players at whose table space is measured, and the largest empty rectangle in hundredths of the
screen."""
BARE = {"name_starter", "draw_token", "name_first", "over"}
"""Moments without cards on the table, and the end, which shows only names."""
EVERY = {"hill-and-harbour": 15, "goods-yard": 15}
"""The number of events until the same moment is checked again, by game, because tables fill up; otherwise it is 120."""


def use_of_space(device: Device, game: str, moment: str, players: int) -> list[str]:
    """Print the shares of game objects and of empty space, and return the parts that are cut, missing or too small."""
    found = device.page.evaluate(SPACE, ONE_TAP_AWAY.get(game, ".none"))
    things, empty = found["things"], found["empty"]
    print(f"{game} {players} {moment} {device.page.viewport_size}: things {things} %, empty {empty} %")
    faults = [f"cut off: {each}" for each in found["cut"]]
    faults += [f"does not tell {each}" for each in found["untold"]]
    faults += [f"{each} stands there twice" for each in found["twice"]]
    faults += [f"scrolls {found['scrolls']} px"] if found["scrolls"] > 0 else []
    if players == MANY and game in FULL and moment not in BARE:
        faults += [f"things {things} %"] if things < FULL[game] else []
        faults += [f"empty {empty} %"] if empty > EMPTY else []
    return faults


@pytest.mark.usefixtures("unwatched")
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_the_table_s_page_is_whole_and_large(tmp_path: Path, browser: Browser, game: str, players: int) -> None:
    """The table's page is complete and large at every moment of a game, and later as the table fills up."""
    wrong: dict[str, str] = {}
    every = EVERY.get(game, 120)
    with Room(tmp_path) as room, served(room.app) as address:
        any_game.lay(room, game, players)
        device = Device(browser, TELEVISION)
        pages = room.page("tablet"), room.page("watch")
        luck, policies = random.Random(5), [own_policy(GAMES[game])] * players
        seen: set[tuple[str, int]] = set()
        count, on = 0, True
        while on:
            snapshot = room.table.snapshot()
            moment = snapshot.game.view(snapshot.state, None).moment
            if (moment, count // every) not in seen:
                seen.add((moment, count // every))
                room.context.hub.refresh()
                device.page.set_viewport_size(TELEVISION)
                device.open(address + pages[len(seen) % 2])
                tap = AT_THE_END if snapshot.over else ONE_TAP_AWAY.get(game, ".none")
                for size, least in ((TELEVISION, LEAST), (TABLET, 0), (SQUARE, 0)):
                    device.page.set_viewport_size(size)
                    faults = device.page.evaluate(WALL, [least, NEEDED, tap]) + use_of_space(
                        device, game, moment, players
                    )
                    for each in faults:
                        wrong.setdefault(f"{each} ({size['width']})", moment)
                device.leave()
            count, on = count + 1, go_on(room, policies, luck)
        device.context.close()
    assert "over" in {moment for moment, _ in seen}
    assert wrong == {}, "\n".join(f"{each} [{moment}]" for each, moment in wrong.items())
