"""Bots that use only what their seat may know: one looks one step ahead, one further.

May import the game. Enter at `POLICY` and `WINNING`.
"""

from companion.games.game_of_trains.bot.mind import POLICY
from companion.games.game_of_trains.bot.winning import WINNING

__all__ = ["POLICY", "WINNING"]
