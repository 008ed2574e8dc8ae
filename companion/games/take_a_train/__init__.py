"""Take a Train: locomotives at auction, wagons in turn, three rounds."""

from companion.games.take_a_train.rules import GAME

__all__ = ["GAME"]
