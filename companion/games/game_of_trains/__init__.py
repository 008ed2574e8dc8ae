"""Game of Trains: seven wagons in falling order, to be brought into rising order before anybody else's."""

from companion.games.game_of_trains.rules import GAME

__all__ = ["GAME"]
