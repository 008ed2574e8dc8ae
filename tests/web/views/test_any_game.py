"""Test the pages of any game: drawn at every moment for everybody, and played with the generic controls."""

from __future__ import annotations

import random
import re

import pytest
from jinja2.runtime import Macro

from companion.engine import Offer, legal
from companion.games import GAMES, files
from companion.match.actor import Actor
from tests.support.web import any_game
from tests.support.web.visitors import Room, regions
from tests.web.security.test_secrecy import drawn
from web.live.macro_cache import MacroCache

EVENTS = 12
"""The number of events in a random game after which its pages are drawn."""
VIEWERS = (("table", None), ("host", None), ("watch", None), ("seat", 0), ("seat", 1))
LONGEST = 1000
"""The maximum number of moves in a game."""
PICKS = re.compile(r'data-pick="(\d+)" data-most="\d+" data-order="(\w+)">(.*?)</fieldset>', re.S)
"""Matches the things to pick in a form: their number, their field and the boxes."""
PLAIN = [name for name, game in GAMES.items() if not files(game, "templates").is_dir()]
"""The games without pages of their own."""


def next_offer(room: Room, luck: random.Random) -> Offer | None:
    """Return one of the open offers, or None at the end."""
    snapshot = room.table.snapshot()
    offers = legal(snapshot.game, snapshot.state) if snapshot.state is not None else ()
    return luck.choice(offers) if offers else None


@pytest.mark.parametrize("deck", ["dealt", "ours"])
@pytest.mark.parametrize("name", GAMES)
def test_every_page_can_be_drawn_at_any_moment(
    room: Room, name: str, deck: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No viewer's page has a gap during a random game, and every macro passed to `kept` can be cached."""
    luck, loose, keep = random.Random(4), set(), MacroCache.__call__

    def noted(cache: MacroCache, macro: Macro, *given: object) -> str:
        if macro not in cache._macros:
            loose.add(macro.name)
        return keep(cache, macro, *given)

    monkeypatch.setattr(MacroCache, "__call__", noted)
    any_game.lay(room, name, GAMES[name].seats[-1], deck)
    for _ in range(EVENTS):
        for role, seat in VIEWERS:
            drawn(room, room.table.snapshot(), role, seat)
        assert not loose
        offer = next_offer(room, luck)
        if offer is None:
            return
        if offer.chance and deck == "dealt":
            room.table.draw(Actor.TABLE)
        else:
            room.table.propose(offer.pick(luck.random), Actor.TABLE)


@pytest.mark.parametrize("name", PLAIN)
def test_a_game_without_pages_is_played_by_its_buttons(room: Room, name: str) -> None:
    """Buttons are enough to play a game without pages of its own, and its ending names the places."""
    any_game.lay(room, name, GAMES[name].seats[0], "ours")
    tablet = room.anybody.tap(room.host, "tablet").headers["HX-Redirect"]
    for _ in range(LONGEST):
        if room.table.snapshot().over:
            break
        for where, region in (
            (tablet, "turnup"),
            *[(seat, part) for seat in room.seats for part in ("actions", "board")],
        ):
            fields = control(regions(room.anybody.get(where).text).get(region, ""))
            if fields:
                assert room.anybody.tap(where, "propose", fields).status_code == 204
                break
        else:
            raise AssertionError(room.table.snapshot().view(None).moment)
    ending = regions(room.anybody.read(room.seats[0]))["ending"]
    assert re.findall(r'<span class="plate">(\d+)</span>', ending)[0] == "1"


def control(html: str) -> dict[str, str]:
    """Return the data of a region's first control, or of its board's first cell, or nothing if it has none."""
    form = re.search(r'<form class="move.*?</form>', html, re.S)
    if form is None:
        return {}
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[0]))
    radios = re.findall(r'<input type="radio" name="(\w+)" value="([^"]*)"', form[0])
    cells = re.findall(r'<button class="button" form="[^"]+" name="(\w+)" value="([^"]*)"', html)
    picks = {name: first_picks(int(count), boxes) for count, name, boxes in PICKS.findall(form[0])}
    return fields | dict(reversed(radios)) | picks | dict(cells[:1])  # the first value of each field


def first_picks(count: int, html: str) -> str:
    """Return as many of the things to pick as are required, from the first one on."""
    return ",".join(re.findall(r'value="([^"]*)"', html)[:count])
