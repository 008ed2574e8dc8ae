"""Take a Train: locomotives at auction, wagons in turn, three rounds.

May import mechanics and the engine. Enter at `GAME`.
"""

from companion.games.take_a_train.rules import GAME

__all__ = ["GAME"]
