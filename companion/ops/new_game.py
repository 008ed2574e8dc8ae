"""Make a new game's folder: a copy of an example game under another name, which plays at once."""

from __future__ import annotations

import keyword
import re
import shutil
from pathlib import Path

from companion import own_games
from companion.engine import AnyGame
from companion.games import BROKEN, GAMES, files, is_example, package_of
from companion.i18n import LANGUAGES
from companion.ops.game_check.game_files import GameFiles

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
FORBIDDEN = set('{}"\\')
"""Forbidden characters of a title, which goes unchanged into words and docstrings."""
PARENT = "companion.games"
"""The package that contains a new game."""
TEMPLATE = "twenty-tons"
"""The default example."""
ABOUT_TEMPLATE = re.compile(r" The example of [^\n\"]*\.")
"""An example's sentence about itself."""
FIRST_FILES = ("words/en.toml", "words/rules.en.toml", "steps.py", "rules.py", "bot.py", "cards.py")
"""The files to open first, in order."""


class NewGameError(ValueError):
    """A game's folder cannot be made; the message gives the reason as a sentence."""


def folder_name(name: str) -> str:
    """Return the folder for a game of this name; raise `NewGameError` if the name is unusable."""
    if not NAME.fullmatch(name):
        raise NewGameError(f"{name!r} is no name of a game: use small letters, digits and hyphens, such as hex-rails.")
    folder = name.replace("-", "_")
    if keyword.iskeyword(folder):
        raise NewGameError(f"{name!r} is a word of Python: choose another name.")
    if name in GAMES:
        raise NewGameError(f"There is a game called {name!r} already, in {GameFiles(GAMES[name]).folder}.")
    taken = [*map(package_of, GAMES.values()), *[each.package for each in BROKEN]]
    if folder in [package.rpartition(".")[2] for package in taken]:
        raise NewGameError(f"There is a folder {folder} already: choose another name.")
    return folder


def place_for(to: Path | None) -> tuple[Path | None, str]:
    """Return the place for a new game: a folder of own games, created if needed, or the house's own games.

    By default it is the first folder in `COMPANION_GAMES`.
    """
    folder = to or next(map(Path, own_games.__path__), None)
    if folder is None:
        return None, PARENT
    folder = folder.expanduser().absolute()
    if why := own_games.fault(folder):
        raise NewGameError(f"No game can be made in {folder}, {why}.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NewGameError(f"{folder} cannot be made: {error.strerror}.") from None
    return folder, own_games.__name__


def create_game(name: str, title: str, parent: Path | None = None, package: str = PARENT, like: str = TEMPLATE) -> Path:
    """Copy an example as a game of `package`, whose folder is `parent`; return its folder, or raise `NewGameError`."""
    folder = folder_name(name)
    if not title.strip() or not title.isprintable() or set(title) & FORBIDDEN:
        raise NewGameError(f"{title!r} cannot be a title: write it without quotes, braces and backslashes.")
    examples = [each for each, game in GAMES.items() if is_example(game)]
    if like not in examples:
        raise NewGameError(f"There is no example {like!r}: choose one of {', '.join(examples)}.")
    template = GAMES[like]
    target = (parent or GameFiles(template).folder.parents[1]) / folder
    if target.exists() or target.with_suffix(".py").exists():
        raise NewGameError(f"{target} exists already: choose another name.")
    replaced = _replaced(template, name, title, f"{package}.{folder}")
    try:
        shutil.copytree(str(files(template, "")), target, ignore=shutil.ignore_patterns("__pycache__", "test_*"))
        for file in [*target.rglob("*.py"), *target.rglob("*.toml"), *target.rglob("*.html")]:
            text = ABOUT_TEMPLATE.sub("", file.read_text(encoding="utf-8"))
            for old, new in replaced.items():
                text = text.replace(old, new)
            file.write_text(text, encoding="utf-8")
    except OSError:
        shutil.rmtree(target, ignore_errors=True)  # leave no half game behind
        raise
    return target


def _replaced(template: AnyGame, name: str, title: str, package: str) -> dict[str, str]:
    """Return the template's texts and their replacements, in order."""
    old = GameFiles(template)
    titles = {old.words(lang).sentences["game.title"] for lang in LANGUAGES}
    kind = type(template).__name__
    return {
        package_of(template): package,
        kind: _class_name(name, old),
        template.name: name,
        **dict.fromkeys(sorted(titles), title),
    }


def _class_name(name: str, template: GameFiles) -> str:
    """Return the name of the game's class, which must not collide with another name in the template."""
    kind = "".join(part.capitalize() for part in name.split("-"))
    used = {word for file in template.sources for word in re.findall(r"\w+", file.read_text(encoding="utf-8"))}
    return f"{kind}Game" if kind in used else kind


def title_of(name: str) -> str:
    """Return a title for a game of this name: Hex Rails for `hex-rails`."""
    return " ".join(part.capitalize() for part in name.split("-"))
