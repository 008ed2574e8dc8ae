"""The "?" of every game for people: no moment without three sentences and a picture."""

from __future__ import annotations

import re
from importlib import resources
from xml.etree import ElementTree

import pytest

from companion.engine import AnyGame
from companion.games import GAMES
from companion.i18n import LANGUAGES
from companion.ops.game_check.game_files import GameFiles
from companion.ops.game_check.page_checks import HELP, LONGEST_HELP, PICTURE, help_words, moments
from companion.ops.game_check.walk import walk
from tests.games.completeness import HOUSE
from web import game_trial
from web.game_trial import SPRITE, help_pictures
from web.words import words

PLAYED = [GAMES[name] for name in HOUSE]
STOPS = ("paused", "undo", "cash", "camera")
"""What can take the sign's place."""


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.name)
def test_no_moment_of_a_game_is_without_help(game: AnyGame) -> None:
    """Each has three sentences that are not too long and a picture that exists, in every language."""
    files = GameFiles(game)
    assert "over" in moments(files)
    assert [f"help.{moment}.{line}" for moment in moments(files) for line in HELP
            for lang in LANGUAGES if not files.sentences(lang).get(f"help.{moment}.{line}")] == []  # fmt: skip
    assert list(help_words(game, files, game_trial)) == []


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.name)
def test_a_moment_has_the_same_picture_in_every_language(game: AnyGame) -> None:
    """It belongs to the moment, not to the language."""
    first, *others = [
        {key: text for key, text in GameFiles(game).sentences(lang).items() if re.fullmatch(r"help\.\w+\.picture", key)}
        for lang in LANGUAGES
    ]
    assert first
    assert all(other == first for other in others)


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.name)
def test_whatever_a_game_waits_for_is_explained(game: AnyGame) -> None:
    """What the view of a random game calls the moment, from the first state to the last."""
    said = GameFiles(game).sentences(LANGUAGES[0])
    seen = {game.view(state, None).moment for _, state in walk(game)}
    assert len(seen) > 3
    assert {moment for moment in seen if f"help.{moment}.one" not in said} == set()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_takes_the_place_of_the_sign_is_explained(lang: str) -> None:
    """A pause, a wish to undo, a question about money, a question of the camera."""
    said = words(lang)
    for stop in STOPS:
        assert all(0 < len(said.sentences[f"help_page.{stop}.{line}"]) <= LONGEST_HELP for line in HELP)
        assert said(f"help_page.{stop}.{PICTURE}") in help_pictures()


def test_every_picture_is_drawn_and_used() -> None:
    """The file can be read, each of its pictures shows something, and none is left over."""
    root = ElementTree.fromstring(resources.files("web").joinpath(SPRITE).read_text(encoding="utf-8"))
    drawn = {symbol.get("id") for symbol in root if len(symbol) and symbol.get("viewBox")}
    assert drawn == help_pictures()
    used = set()
    for game in PLAYED:
        sentences = GameFiles(game).sentences(LANGUAGES[0])
        used |= {text for key, text in sentences.items() if key.startswith("help.") and key.endswith(f".{PICTURE}")}
    assert used | {words(LANGUAGES[0])(f"help_page.{stop}.{PICTURE}") for stop in STOPS} == drawn
