"""Two bots that use only their seat's knowledge: one looks one step ahead, the other two.

May import the game. Enter at `POLICY` and `WINNING`.
"""

from companion.games.game_of_trains.bot.mind import POLICY
from companion.games.game_of_trains.bot.winning import WINNING

__all__ = ["POLICY", "WINNING"]
