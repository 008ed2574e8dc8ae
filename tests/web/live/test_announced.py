"""Test that one permanent place of a page announces changes to screen readers, and that no redrawn region does."""

from __future__ import annotations

import re
from pathlib import Path

import companion
import web
from tests.support.web.visitors import Room

GAMES = Path(companion.__file__).parent / "games"
TEMPLATES = (*(Path(web.__file__).parent / "templates" / "regions").glob("*.html"), *GAMES.rglob("templates/*.html"))
"""All templates of regions, both the common ones and those of games."""
LIVE = re.compile(r'role="(?:status|alert|log)"|aria-live="(?:polite|assertive)"')
TRAY = '<ol class="tray" data-tray-list aria-live="polite">'
"""A template that the page's own script fills in place."""


def test_no_region_is_live_itself() -> None:
    """No region is live itself, because browsers do not announce a new live region: `data-news` marks its sentences."""
    assert len(TEMPLATES) > 60
    found = {file.name: LIVE.findall(file.read_text(encoding="utf-8").replace(TRAY, "")) for file in TEMPLATES}
    assert {name: roles for name, roles in found.items() if roles} == {}


def test_every_sign_can_be_read_aloud() -> None:
    """The sentence of each sign is a heading of class `say`, as the script expects."""
    signs = [file for file in TEMPLATES if file.name == "status.html"]
    assert len(signs) >= 5
    assert [str(file) for file in signs if '<h1 class="say">' not in file.read_text(encoding="utf-8")] == []


def test_every_live_page_has_the_place_once(game: Room) -> None:
    """A seat's page, the shared tablet's, a spectator's and the host's each have one polite place outside all
    regions."""
    game.begin()
    for page in (game.seats[0], game.page("tablet"), game.page("watch"), game.host):
        html = game.anybody.get(page).text
        assert html.count("data-announced") == 1
        outside = re.sub(r'<section class="region .*?</section>', "", html, flags=re.DOTALL)
        assert '<div class="sr" data-announced role="status"></div>' in outside
        assert re.search(r'id="region-news"[^>]*>\s*<p data-line="\d+">', html)
