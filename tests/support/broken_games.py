"""Copies of the example game outside the product, which tests break on purpose."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine import AnyGame
from companion.games.discovery import FoundGames, find_games
from companion.ops.new_game import create_game, title_of

NAME = "tried-out"


class Copies:
    """A package for copies of the example, each in a folder of its name."""

    def __init__(self, folder: Path, package: str) -> None:
        self.folder, self.package = folder / package, package
        self.folder.mkdir()
        self.folder.joinpath("__init__.py").write_text('"""Games that are tried out."""\n', encoding="utf-8")

    def add(self, name: str = NAME) -> Path:
        """Copy the example and return its folder."""
        return create_game(name, title_of(name), self.folder, self.package)

    def change(self, file: str, old: str, new: str, name: str = NAME) -> Path:
        """Replace a text in a file of a copy, which must contain it, and return the file."""
        path = self.folder / name.replace("-", "_") / file
        text = path.read_text(encoding="utf-8")
        assert old in text, old
        path.write_text(text.replace(old, new), encoding="utf-8")
        return path

    def declare(self, part: str, name: str = NAME) -> None:
        """Declare one more part in a copy, such as `pages=lambda: PageParts(from_hand=())`."""
        kinds = ", ".join(dict.fromkeys(re.findall(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)*(?=\()", part)))
        self.change(
            "__init__.py", "import Bots, Cards, GameDefinition", f"import Bots, Cards, GameDefinition, {kinds}", name
        )
        self.change("__init__.py", "(rules=RULES, ", f"(rules=RULES, {part}, ", name)

    def declare_options(self, text: str, name: str = NAME) -> None:
        """Write an options module for a copy, and declare it there."""
        folder = name.replace("-", "_")
        self.folder.joinpath(folder, "options.py").write_text(text, encoding="utf-8")
        self.declare("options=MatchOptions(Options)", name)
        rules = "import RULES, TELLER\n"
        self.change("__init__.py", rules, f"{rules}from {self.package}.{folder}.options import Options\n", name)

    def found(self) -> FoundGames:
        """Return the games that are found among the copies."""
        importlib.invalidate_caches()
        return find_games((self.package,))

    def game(self, name: str = NAME) -> AnyGame:
        """Return one copy as a game."""
        found = self.found()
        assert not found.broken, found.broken
        return found.games[name]


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Copies]:
    """Yield an importable package with one copy of the example."""
    package = f"copies_{abs(hash(request.node.nodeid))}"
    monkeypatch.syspath_prepend(str(tmp_path))
    made = Copies(tmp_path, package)
    made.add()
    yield made
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
