"""Test the order of the host's page: controls first, then the log; joining and the machine are folded."""

from __future__ import annotations

import re
from html import unescape

import pytest

from companion.config import SettingLocation
from companion.findings import finding_text
from tests.support.web.visitors import Room, regions
from web.words import words

say = words("en")


def test_controls_come_first_then_what_happened(game: Room) -> None:
    """The host's controls, the log, joining and the machine follow the sign in this order, and then the table."""
    html = game.anybody.get(game.host).text
    marks = ["region-status", "region-controls", "region-log", "data-joining", 'data-fold="machine"', "region-play"]
    places = [html.index(mark) for mark in marks]
    assert places == sorted(places)


def test_the_card_for_joining_folds_once_all_are_in(room: Room) -> None:
    """The card for joining is open while somebody has not joined; a bot counts as joined."""
    room.set_up()
    assert re.search(r"<details[^>]* data-joining open>", room.anybody.get(room.host).text)
    room.join(0)
    room.join(1)
    assert room.anybody.tap(room.host, "bot", {"seat": "2", "on": "1"}).status_code == 204
    assert re.search(r"<details[^>]* data-joining>", room.anybody.get(room.host).text)


def test_the_machine_is_folded_and_its_faults_are_under_check(room: Room) -> None:
    """Buttons, camera and power are in the fold; a mistake in the settings appears under Check only."""
    mistake = SettingLocation("camera", "/c.toml", "[camera]\nrotate = 5\n").wrong("rotate", "rotate", value=5).finding
    room.context.examiner.left_out = (mistake,)
    room.set_up()
    parts = {name: unescape(html) for name, html in regions(room.anybody.get(room.host).text).items()}
    assert say("buttons.none") in parts["wiring"] and 'href="check"' in parts["wiring"]
    assert all(finding_text(mistake, say).how not in text for text in parts.values())
    assert 'href="check"' not in parts["controls"]


@pytest.mark.parametrize("kind", ["seat", "tablet", "watch"])
def test_the_shuffle_is_verified_from_the_menu(game: Room, kind: str) -> None:
    """The menu contains the hash of the seed and the tablet's link to the camera."""
    html = game.anybody.get(game.seats[0] if kind == "seat" else game.page(kind)).text
    seed = game.table.snapshot().setup.seed_hash  # type: ignore[union-attr]
    menu = html[html.index('class="menu"') : html.index("</header>")]
    assert seed in menu and seed not in html.replace(menu, "")
    assert ('href="camera"' in menu) == (kind == "tablet") and 'href="camera"' not in html.replace(menu, "")
