"""Trains (OKAZU, 2012): deck-building and rails on a map.

May import mechanics and engine. Enter at `rules.GAME`.
"""

from companion.games.trains.rules import GAME

__all__ = ["GAME"]
