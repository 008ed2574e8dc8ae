"""Twenty Tons: take wagons until your train is heavy, but not too heavy. The example of docs/adding-a-game.md.

May import mechanics and the engine. Enter at `GAME`.
"""

from companion.games.examples.twenty_tons.rules import GAME

__all__ = ["GAME"]
