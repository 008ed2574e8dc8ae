"""Hill and Harbour: lay track across the hills, and be the first to carry the goods from town to town.

May import mechanics and the engine. Enter at `GAME`.
"""

from companion.games.examples.hill_and_harbour.rules import GAME

__all__ = ["GAME"]
