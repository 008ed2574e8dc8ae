"""The games of the house, registered by name.

What a game can do is derived from what it brings: a camera follows those that say what lies where (`SEEN`), pages show
those with templates, a deck is drawn of those that have a design. The command line and the journal know all of them.
"""

from __future__ import annotations

from typing import Any

from companion.engine import Game, SeenGame, seen
from companion.games import game_of_trains, take_a_train

GAMES: dict[str, Game[Any]] = {game.name: game for game in (take_a_train.GAME, game_of_trains.GAME)}
"""Every registered game by its name."""
SEEN: dict[str, SeenGame[Any]] = {name: game for name, game in GAMES.items() if seen(game)}
"""The games whose tables a camera can follow."""
OURS = "ours "
"""How the name of a deck begins that the companion itself has drawn for a rendered table; the game's name follows."""


def drawn_for(deck: str) -> str:
    """Return for which game the companion has drawn a deck of this name; empty: people have named it."""
    game = deck.removeprefix(OURS)
    return game if game != deck and game in GAMES else ""


__all__ = ["GAMES", "OURS", "SEEN", "drawn_for"]
