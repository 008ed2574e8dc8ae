"""All games, found by their folders.

May import mechanics and the engine. Enter at `GAMES`; docs/game-folder.md says what a folder holds.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

from companion.engine import AnyGame, Game, SeenGame, seen
from companion.games.discovery import (
    EXAMPLES,
    GameFolder,
    files,
    find_games,
    folder_of,
    game_words,
    package_of,
    reason,
    unsafe_card_names,
    why_unusable,
    words_folders,
)
from companion.games.discovery import has_part as package_has_part
from companion.games.discovery import part as part_of_package
from companion.mechanics.telling import GameTeller

_FOUND = find_games()
GAMES: dict[str, Game[Any]] = _FOUND.games
"""Every game by its name, examples last."""
FIRST = next(iter(GAMES), "")
"""The game that is offered first; commands take it where none is named."""
BROKEN: tuple[GameFolder, ...] = _FOUND.broken
"""Folders that could not be used as games."""
SEEN: dict[str, SeenGame[Any]] = {name: game for name, game in GAMES.items() if seen(game)}
"""The games whose tables a camera can follow."""
OURS = "ours "
"""The prefix of decks that the companion draws for a rendered table; the game's name follows."""


def part(game: object, name: str) -> Any:
    """Return a module of a game's folder, such as `bot`; None where it has none."""
    return part_of_package(package_of(game), name)


def teller_of(game: AnyGame) -> GameTeller[Any]:
    """Return what makes a game's sentences: `TELLER` of its module `tell`, or the general one without such a module."""
    module = part(game, "tell")
    return _general_teller(cast(Any, game)) if module is None else cast(GameTeller[Any], module.TELLER)


@cache
def _general_teller(game: AnyGame) -> GameTeller[Any]:
    return GameTeller(getattr(game, "boards", ()))


def has_part(game: object, name: str) -> bool:
    """Whether a game's folder has a module of this name."""
    return package_has_part(package_of(game), name)


def is_example(game: object) -> bool:
    """Whether a game is an example, which is offered only on request."""
    return package_of(game).startswith(EXAMPLES)


def drawn_for(deck: str) -> str:
    """Return the game for which the companion drew a deck of this name; empty if people named the deck."""
    game = deck.removeprefix(OURS)
    return game if game != deck and game in GAMES else ""


__all__ = [
    "BROKEN",
    "FIRST",
    "GAMES",
    "OURS",
    "SEEN",
    "GameFolder",
    "drawn_for",
    "files",
    "folder_of",
    "game_words",
    "has_part",
    "is_example",
    "package_of",
    "part",
    "reason",
    "teller_of",
    "unsafe_card_names",
    "why_unusable",
    "words_folders",
]
