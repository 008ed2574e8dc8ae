"""Words of the pages and of the game, in the reader's language."""

from __future__ import annotations

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from flask import request

from companion import findings
from companion.games import package_of as package
from companion.games import words_folders
from companion.i18n import LANGUAGES, Words, load_cached

COOKIE = "lang"
NAMES = {"en": "English", "fr": "Français"}

__all__ = ["COOKIE", "NAMES", "language", "package", "words"]


@cache
def words(lang: str, where: str = "") -> Words:
    """Return the words of a language, with those of the game in package `where`."""
    folders: list[Traversable] = [findings.FOLDER, resources.files("web").joinpath("translations")]
    if where:
        folders += words_folders(where)
    return load_cached(lang, tuple(folders))


def language() -> str:
    """Return the reader's language: the one chosen on this device, else the browser's, else English."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]
