"""Play a whole game of each kind on six devices at once, with two hosts and twenty spectators."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.engine import seat_of
from companion.match import match
from companion.match.actor import Actor
from tests.support.web import any_game
from tests.support.web.cable import cable
from tests.support.web.listeners import Listeners
from tests.support.web.served import served
from tests.support.web.visitors import HOST_PIN, Room
from tests.web.browser.devices import PATIENCE
from tests.web.browser.evening import CUT_OFF, KEYBOARD, SLEEPER, Evening

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEATS = {"take-a-train": 6, "game-of-trains": 4, "trains": 4, "express": 6}
OPTIONS: dict[str, dict[str, str]] = {"express": {"hands": "2"}}
SEED = f"{15:064x}"
SPECTATORS = 20
LEAST = 3
"""The minimum number of moves that every person makes on their own page."""


@pytest.mark.parametrize("game", SEATS)
def test_six_devices_play_a_game(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """Every page is right at every tap, all show the same end, and no double tap has two effects."""
    monkeypatch.setattr(match, "new_seed", lambda: SEED)
    with Room(tmp_path) as room:
        any_game.lay(room, game, SEATS[game], **OPTIONS.get(game, {}))
        hosts = [room.host, room.visitor().submit("/host", {"pin": HOST_PIN}, "/host").headers["Location"]]
        watches = [room.page("watch") for _ in range(SPECTATORS)]
        with served(room.app) as address, cable(address) as own:
            listeners = Listeners(address, room.table.snapshot().match_id, [*hosts, *watches])
            evening = Evening(room, address, own, browser)
            evening.open()
            evening.play()
            same_end(evening)
            for role, pages in (("host", hosts), ("watch", watches)):
                for page in pages:
                    listeners.wait(page, evening.shown(role), PATIENCE / 1000)
            assert evening.close() == []


def same_end(evening: Evening) -> None:
    """Check that the journal has each move once, that everybody used their own page, and that all pages agree."""
    now = evening.now
    assert now.state is not None and now.setup is not None
    names = [player.name for player in now.setup.seated()]
    by_seat = [Actor.at_seat(seat) for seat in range(len(names))]
    assert [entry.event for entry in now.entries if entry.by in by_seat] == evening.done
    assert evening.since.keys() == {SLEEPER, CUT_OFF} and not evening.away
    taps = [sum(evening.tapped[key] for key in evening.tapped if key[0] == seat) for seat in range(len(names))]
    assert min(taps) >= LEAST and taps[KEYBOARD] == max(taps), taps
    assert all(seat_of(event) is not None for event in evening.done)
    winners = [names[seat] for seat in now.game.winners(now.state)]
    scores = dict(zip(names, now.game.scores(now.state), strict=True))
    for page in (*[place.page for place in evening.places], evening.second):
        won, told = evening.result(page)
        assert sorted(won) == sorted(winners)
        assert told == (scores if told else {}), page.url
        assert bool(told) == (now.game.name != "game-of-trains")
    places = evening.places
    assert [place.page.locator("html").get_attribute("lang") for place in places] == ["fr", *["en"] * (len(places) - 1)]
