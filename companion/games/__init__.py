"""All games, found by their folders.

May import mechanics and the engine. Enter at `GAMES`; docs/game-folder.md describes the content of a folder.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

from companion.engine import AnyGame, Game, SeenGame, seen
from companion.games.discovery import GameFolder as GameFolder
from companion.games.discovery import definition_of as definition_of
from companion.games.discovery import fault_of_part as fault_of_part
from companion.games.discovery import files as files
from companion.games.discovery import find_games
from companion.games.discovery import folder_of as folder_of
from companion.games.discovery import game_words as game_words
from companion.games.discovery import is_example as is_example
from companion.games.discovery import load_part as load_part
from companion.games.discovery import package_of as package_of
from companion.games.discovery import reason as reason
from companion.games.discovery import unsafe_card_names as unsafe_card_names
from companion.games.discovery import why_unusable as why_unusable
from companion.games.discovery import words_folders as words_folders
from companion.mechanics.telling import GameTeller

_FOUND = find_games()
GAMES: dict[str, Game[Any]] = _FOUND.games
"""Every game by its name, examples last."""
FIRST = next(iter(GAMES), "")
"""The default game of commands, and the first on offer."""
BROKEN: tuple[GameFolder, ...] = _FOUND.broken
"""Folders that cannot be used as games."""
SEEN: dict[str, SeenGame[Any]] = {name: game for name, game in GAMES.items() if seen(game)}
"""The games whose tables a camera can follow."""
OURS = "ours "
"""The prefix of decks that the companion draws for a rendered table; the game's name follows."""


def teller_of(game: AnyGame) -> GameTeller[Any]:
    """Return the maker of a game's sentences: its own, or the general one if it declares none."""
    return definition_of(game).tell() or _general_teller(cast(Any, game))


@cache
def _general_teller(game: AnyGame) -> GameTeller[Any]:
    return GameTeller(getattr(game, "boards", ()))


def drawn_for(deck: str) -> str:
    """Return the game of a deck that the companion drew, by the deck's name; empty if people named the deck."""
    game = deck.removeprefix(OURS)
    return game if game != deck and game in GAMES else ""
