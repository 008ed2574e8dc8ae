"""Finds games by their folders, and explains why a folder is not a game."""

from __future__ import annotations

import importlib
import logging
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple, TypeVar

from companion import own_games
from companion.engine import AnyGame, EmptyOffer
from companion.i18n import LANGUAGES, UnknownField, UnreadableWords, Words, load_cached
from companion.mechanics.definition import PART_KINDS, GameDefinition, MatchOptions
from companion.mechanics.plain import PlainGame

P = TypeVar("P")
LOG = logging.getLogger(__name__)
EXAMPLES = "companion.games.examples"
"""The package of the example games."""
OWN = own_games.__name__
"""The package of people's own games."""
PLACES = ("companion.games", EXAMPLES, OWN)
"""The packages whose subpackages are games."""
SHARED_WORDS = resources.files("companion.games").joinpath("words")
"""Sentences that all games share."""
SHORT = 40
"""The most letters of a value that a sentence quotes."""
NEEDED = ("name", "seats", "events", "begin", "view", "scores")
"""The minimum that a game's rules must define."""
CARD_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
"""Names of cards: they become file names, so none may lead out of its folder."""


class UnusableGame(ValueError):
    """A folder that is not a usable game; the message gives the full reason."""


class GameFolder(NamedTuple):
    """A folder that cannot be used as a game, with the reason and its path."""

    package: str
    why: str
    path: str = ""


class FoundGames(NamedTuple):
    """The games found, in the order of the list, and the unusable folders."""

    definitions: dict[str, GameDefinition]
    broken: tuple[GameFolder, ...]

    @property
    def games(self) -> dict[str, AnyGame]:
        """The games' rules."""
        return {name: found.rules for name, found in self.definitions.items()}


def package_of(game: object) -> str:
    """Return the package of a game: the one with the module of its class."""
    return _package_with(type(game).__module__)


@lru_cache(maxsize=64)  # a page calls it for each of its sentences
def _package_with(module: str) -> str:
    return module if hasattr(sys.modules[module], "__path__") else module.rpartition(".")[0]


def folder_of(game: object) -> str:
    """Return the name of a game's folder, such as `take_a_train`."""
    return package_of(game).rpartition(".")[2]


def find_games(places: Iterable[str] = PLACES) -> FoundGames:
    """Return all games whose folders lie in these packages. A broken folder hides no other game."""
    games: dict[str, GameDefinition] = {}
    broken: list[GameFolder] = []
    for name, path, why in own_games.faults() if OWN in places else ():
        broken.append(GameFolder(f"{OWN}.{name}", why, path))
    for package, path in [found for place in places for found in _subpackages(place)]:
        try:
            game = _declared(package)
            for other in [package_of(each.rules) for each in games.values()]:
                if other.rpartition(".")[2] == package.rpartition(".")[2]:
                    raise UnusableGame(f"{other} has this folder's name already: choose another one")
            if game.name in games:
                raise UnusableGame(f"{package_of(games[game.name].rules)} has a game called {game.name!r} already")
        except Exception as error:  # the folder's own code may raise anything while it is imported
            broken.append(GameFolder(package, reason(error, package), path))
        else:
            games[game.name] = game
    order = sorted(games, key=lambda name: (is_example(games[name].rules), games[name].rules.order, name))
    return FoundGames({name: games[name] for name in order}, tuple(broken))


def _declared(package: str) -> GameDefinition:
    """Return the game that a package declares; raise `UnusableGame` if it declares none, or invalid rules."""
    module = importlib.import_module(package)
    game = getattr(module, "GAME", None)
    if game is None:
        raise UnusableGame(f"{module.__file__}: it has no GAME = GameDefinition(rules=…): see docs/game-folder.md")
    if not isinstance(game, GameDefinition):
        raise UnusableGame(f"{module.__file__}: its GAME is no GameDefinition(rules=…): see docs/game-folder.md")
    if isinstance(game.rules, type):
        name = game.rules.__name__
        raise UnusableGame(f"{module.__file__}: rules is the class {name}, and must be one of its objects: {name}()")
    if not isinstance(game.options, MatchOptions | None):
        raise UnusableGame(f"{module.__file__}: options is {_shortly(game.options)}, and must be MatchOptions(…)")
    lacking = [name for name in NEEDED if not _brings(game.rules, name)]
    if lacking:
        file = sys.modules[type(game.rules).__module__].__file__
        raise UnusableGame(f"{file}: {type(game.rules).__name__}, the rules of its GAME, has no {', '.join(lacking)}")
    return game


def _brings(rules: object, name: str) -> bool:
    """Return whether rules define the minimum themselves: the base of plain games only reports it as missing."""
    kind = type(rules)
    return hasattr(rules, name) and getattr(kind, name, None) is not getattr(PlainGame, name, kind)


def _shortly(value: object) -> str:
    """Return a value for a sentence: literally if it is short, otherwise by its type."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return written if len(written := repr(value)) <= SHORT else f"a value of type {type(value).__name__}"


def is_example(game: object) -> bool:
    """Return whether a game is an example, offered only on request."""
    return package_of(game).startswith(EXAMPLES)


def definition_of(game: AnyGame) -> GameDefinition:
    """Return the definition of rules: the `GAME` of their package, or else one with these rules alone."""
    found = getattr(sys.modules.get(package_of(game)), "GAME", None)
    return found if isinstance(found, GameDefinition) and found.rules is game else GameDefinition(rules=game)


def load_part(game: AnyGame, load: Callable[[], P | None], kind: type[P]) -> P | None:
    """Return a part of a game's definition, None if it has none.

    A failing part is logged once, as a sentence, and the game continues without it.
    """
    found, why = _tried(game, load, kind)
    if why:
        _say_once(f"{game.name} goes on without its {kind.__name__}. {why}")
    return found


def fault_of_part(game: AnyGame, name: str) -> str:
    """Return why a part of a game's definition cannot be used, as a sentence; empty if it can, or is not declared."""
    return _tried(game, getattr(definition_of(game), name), PART_KINDS[name])[1]


def _tried(game: AnyGame, load: Callable[[], P | None], kind: type[P]) -> tuple[P | None, str]:
    """Return a part, or None and its fault."""
    package = package_of(game)
    if not callable(load):
        part = next(name for name, each in PART_KINDS.items() if each is kind)
        why = f"{part} is {_shortly(load)}, and must be a function that returns {kind.__name__}"
        return None, f"{sys.modules[package].__file__}: {why}"
    try:
        found = load()
    except Exception as error:  # the folder's own code may raise anything
        return None, reason(error, package)
    if found is None or isinstance(found, kind):
        return found, ""
    code = getattr(load, "__code__", None)
    file = f"{sys.modules[package].__file__}{f', line {code.co_firstlineno}' if code else ''}"
    return None, f"{file}: this returns {type(found).__name__}, and must return {kind.__name__}"


@cache
def _say_once(text: str) -> None:
    LOG.warning("%s", text)


def _subpackages(place: str) -> list[tuple[str, str]]:
    """Return the names of a package's subpackages, each with its folder."""
    modules = pkgutil.iter_modules(importlib.import_module(place).__path__)
    found = [(f"{place}.{name}", f"{finder.path}/{name}") for finder, name, package in modules if package]  # type: ignore[union-attr]
    return sorted([each for each in found if each[0] not in PLACES])


def why_unusable(game: AnyGame) -> str:
    """Return why no page of a game works: an unreadable part, words or name of a card; empty if pages work."""
    package = package_of(game)
    try:
        for name in ("pages", "tell", "cards"):
            if why := fault_of_part(game, name):
                return why
        for lang in LANGUAGES:
            game_words(game, lang)
        unsafe = unsafe_card_names(game)
        if unsafe:
            raise UnusableGame(f"{files(game, 'cards.py')}: {', '.join(map(repr, unsafe))} is no name of a card")
    except Exception as error:  # the folder's own code may raise anything while it is imported
        return reason(error, package)
    return ""


def unsafe_card_names(game: AnyGame) -> tuple[str, ...]:
    """Return the names in a game's `cards` that cannot be file names."""
    cards = definition_of(game).cards()
    names = () if cards is None else (*cards.counts, *cards.backs.values())
    return tuple([str(name) for name in dict.fromkeys(names) if not CARD_NAME.fullmatch(str(name))])


def reason(error: Exception, package: str, *, nearby: bool = True) -> str:
    """Return why a folder cannot be used, in one line that names file and line if Python knows them.

    With `nearby`, an error in foreign code is attributed to the folder's class that it worked for.
    """
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}: {error.msg}"
    if isinstance(error, UnknownField | UnreadableWords | UnusableGame | EmptyOffer):
        return str(error)
    said = f"{type(error).__name__}: {error}"
    place, of, frame = "", "", error.__traceback__
    while frame is not None:
        code, known = frame.tb_frame.f_code, frame.tb_frame.f_locals
        if _within(frame.tb_frame.f_globals.get("__name__", ""), package):
            place = f"{code.co_filename}, line {frame.tb_lineno}: "
        for own in map(type, (known.get("self"), known.get("event"))):
            if nearby and _within(own.__module__, package):
                of = f"{sys.modules[own.__module__].__file__}, {own.__name__}: "
        if frame.tb_next is None and isinstance(error, NotImplementedError) and not str(error):
            said = f"it has no {code.co_name}"
        frame = frame.tb_next
    if isinstance(error, TypeError) and said.startswith(f"TypeError: {GameDefinition.__name__}.__init__() got"):
        said += f"; the parts of a game are {', '.join([each.name for each in fields(GameDefinition)])}"
    return (place or of) + said


def _within(module: object, package: str) -> bool:
    return str(module) == package or str(module).startswith(f"{package}.")


def words_folders(package: str) -> tuple[Traversable, ...]:
    """Return the folders with a game's sentences: the shared ones, then its own, which take precedence."""
    own = resources.files(package).joinpath("words")
    return (SHARED_WORDS, own) if own.is_dir() else (SHARED_WORDS,)


def game_words(game: object, lang: str) -> Words:
    """Return a game's sentences in a language, without those of the pages."""
    return load_cached(lang, words_folders(package_of(game)))


def files(game: object, name: str) -> Traversable:
    """Return a file or folder in a game's folder; it may not exist."""
    return resources.files(package_of(game)).joinpath(name)
