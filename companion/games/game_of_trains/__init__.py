"""Game of Trains: each seat tries to bring seven wagons from falling into rising order first.

May import mechanics and the engine. Enter at `GAME`.
"""

from companion.games.game_of_trains.rules import GAME

__all__ = ["GAME"]
