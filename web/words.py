"""Words of the pages and of the game, in the reader's language."""

from __future__ import annotations

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from flask import request

from companion import findings
from companion.engine import Game
from companion.i18n import LANGUAGES, Words, load

AnyGame = Game[Any]
"""A game with any kind of table."""
COOKIE = "lang"
NAMES = {"en": "English", "fr": "Français"}


def package(game: AnyGame) -> str:
    """Return the package in which a game lives."""
    return type(game).__module__.rpartition(".")[0]


@cache
def words(lang: str, where: str = "") -> Words:
    """Return the words of a language, with those of the game in package `where`."""
    folders: list[Traversable] = [findings.FOLDER, resources.files("web").joinpath("translations")]
    if where:
        own = resources.files(where).joinpath("words")
        if own.is_dir():
            folders.append(own)
    return load(lang, folders)


def language() -> str:
    """Return the reader's language: the one chosen on this device, else the browser's, else English."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]
