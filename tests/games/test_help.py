"""The help page behind "?" must have sentences and a picture for every step of a game."""

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
"""Notices that can replace the usual sign."""


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.name)
def test_no_moment_of_a_game_is_without_help(game: AnyGame) -> None:
    """Every step has three sentences of limited length and an existing picture, in every language."""
    files = GameFiles(game)
    assert "over" in moments(files)
    assert [f"help.{moment}.{line}" for moment in moments(files) for line in HELP
            for lang in LANGUAGES if not files.sentences(lang).get(f"help.{moment}.{line}")] == []  # fmt: skip
    assert list(help_words(game, files, game_trial)) == []


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.name)
def test_a_moment_has_the_same_picture_in_every_language(game: AnyGame) -> None:
    """The picture of a step is the same in every language."""
    first, *others = [
        {key: text for key, text in GameFiles(game).sentences(lang).items() if re.fullmatch(r"help\.\w+\.picture", key)}
        for lang in LANGUAGES
    ]
    assert first
    assert all(other == first for other in others)


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.name)
def test_whatever_a_game_waits_for_is_explained(game: AnyGame) -> None:
    """Every step that a random game reaches has help."""
    said = GameFiles(game).sentences(LANGUAGES[0])
    seen = {game.view(state, None).moment for _, state in walk(game)}
    assert len(seen) > 3
    assert {moment for moment in seen if f"help.{moment}.one" not in said} == set()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_takes_the_place_of_the_sign_is_explained(lang: str) -> None:
    """Pauses, undo requests, money questions and camera questions have help."""
    said = words(lang)
    for stop in STOPS:
        assert all(0 < len(said.sentences[f"help_page.{stop}.{line}"]) <= LONGEST_HELP for line in HELP)
        assert said(f"help_page.{stop}.{PICTURE}") in help_pictures()


def test_every_picture_is_drawn_and_used() -> None:
    """Every picture in the file is drawn and used, and every used picture exists."""
    root = ElementTree.fromstring(resources.files("web").joinpath(SPRITE).read_text(encoding="utf-8"))
    drawn = {symbol.get("id") for symbol in root if len(symbol) and symbol.get("viewBox")}
    assert drawn == help_pictures()
    used = set()
    for game in PLAYED:
        sentences = GameFiles(game).sentences(LANGUAGES[0])
        used |= {text for key, text in sentences.items() if key.startswith("help.") and key.endswith(f".{PICTURE}")}
    assert used | {words(LANGUAGES[0])(f"help_page.{stop}.{PICTURE}") for stop in STOPS} == drawn
