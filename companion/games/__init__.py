"""The registered games, by name.

May import mechanics and the engine. Enter at `GAMES`. A game's features follow from what it implements: a camera
follows games with layouts (`SEEN`), pages need templates, a printed deck needs a design.
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
"""The prefix of decks that the companion draws for a rendered table; the game's name follows."""


def drawn_for(deck: str) -> str:
    """Return the game for which the companion drew a deck of this name; empty if people named the deck."""
    game = deck.removeprefix(OURS)
    return game if game != deck and game in GAMES else ""


__all__ = ["GAMES", "OURS", "SEEN", "drawn_for"]
