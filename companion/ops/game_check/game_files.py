"""A game's files as its check reads them: their paths, the words of each language, the rules by number."""

from __future__ import annotations

import string
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from companion.engine import AnyGame
from companion.games import files, words_folders
from companion.games.discovery import package_of
from companion.i18n import LANGUAGES, Words, flatten, load, read_toml


class GameFiles:
    """The folder of a game."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.package = package_of(game)
        self.folder = Path(str(files(game, "")))
        self._words: dict[str, Words] = {}

    def path(self, *parts: str) -> str:
        """Return the path of a file in the folder, even a missing one."""
        return str(self.folder.joinpath(*parts))

    def words_file(self, lang: str) -> str:
        """Return the path of the words of a language."""
        return self.path("words", f"{lang}.toml")

    def has_words(self, lang: str) -> bool:
        """Return whether there are words in a language, apart from the rules."""
        files = self.folder.joinpath("words").glob("*.toml")
        return any(file.stem.split(".")[-1] == lang and file.stem != f"rules.{lang}" for file in files)

    def words(self, lang: str) -> Words:
        """Return the game's sentences in a language, with those of all games."""
        if lang not in self._words:
            self._words[lang] = load(lang, words_folders(self.package))
        return self._words[lang]

    def said(self) -> Iterator[tuple[str, str, dict[str, str]]]:
        """Yield each language of the game's words (all languages if it has none) with its file and sentences."""
        for lang in [lang for lang in LANGUAGES if self.has_words(lang)] or LANGUAGES:
            yield lang, self.words_file(lang), self.sentences(lang)

    def sentences(self, lang: str) -> dict[str, str]:
        """Return the sentences of the game and of all games in a language, without the rules."""
        return {key: text for key, text in self.words(lang).sentences.items() if key not in self._rule_keys[lang]}

    @cached_property
    def _rule_keys(self) -> dict[str, set[str]]:
        return {lang: set(flatten(self.rules(lang))) for lang in LANGUAGES}

    def rules_file(self, lang: str) -> str:
        """Return the path of the rules in a language."""
        return self.path("words", f"rules.{lang}.toml")

    def rules(self, lang: str) -> dict[str, Any]:
        """Return the rules by number in a language; none if they are missing."""
        file = Path(self.rules_file(lang))
        return read_toml(file) if file.is_file() else {}

    @cached_property
    def sources(self) -> list[Path]:
        """The game's own modules."""
        return [file for file in sorted(self.folder.rglob("*.py")) if not file.name.startswith("test_")]

    def part_file(self, name: str) -> str:
        """Return the path of the module or package of this name."""
        package = self.folder / name / "__init__.py"
        return str(package) if package.is_file() else self.path(f"{name}.py")

    @cached_property
    def rules_module(self) -> str:
        """The path of the module with the game's class."""
        module = type(self.game).__module__.removeprefix(self.package).strip(".")
        return self.part_file(module) if module else self.path("__init__.py")


def fields(sentence: str) -> set[str]:
    """Return the names of the fields in a sentence; for a broken sentence, a value that is no name."""
    try:
        return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}
    except ValueError:
        return {""}
