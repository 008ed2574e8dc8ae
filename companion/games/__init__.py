"""The registered games, by name.

May import mechanics and the engine. Enter at `GAMES`. A game's features follow from what it implements: a camera
follows games with layouts (`SEEN`), pages need templates, a printed deck needs a design.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module, util
from typing import Any, cast

from companion.engine import AnyGame, Game, SeenGame, seen
from companion.games import game_of_trains, take_a_train
from companion.mechanics.telling import GameTeller

GAMES: dict[str, Game[Any]] = {game.name: game for game in (take_a_train.GAME, game_of_trains.GAME)}
"""Every registered game by its name."""
SEEN: dict[str, SeenGame[Any]] = {name: game for name, game in GAMES.items() if seen(game)}
"""The games whose tables a camera can follow."""
OURS = "ours "
"""The prefix of decks that the companion draws for a rendered table; the game's name follows."""


def package(game: AnyGame) -> str:
    """Return the package in which a game lives."""
    return type(game).__module__.rpartition(".")[0]


def teller_of(game: AnyGame) -> GameTeller[Any]:
    """Return what makes a game's sentences: `TELLER` of its module `tell`, or the general one without such a module."""
    return _teller_in(f"{package(game)}.tell")


@cache
def _teller_in(module: str) -> GameTeller[Any]:
    """Return the teller of a module, or the general one if there is no such module."""
    return cast(GameTeller[Any], import_module(module).TELLER) if util.find_spec(module) else GameTeller()


def drawn_for(deck: str) -> str:
    """Return the game for which the companion drew a deck of this name; empty if people named the deck."""
    game = deck.removeprefix(OURS)
    return game if game != deck and game in GAMES else ""


__all__ = ["GAMES", "OURS", "SEEN", "drawn_for", "package", "teller_of"]
