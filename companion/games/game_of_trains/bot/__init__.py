"""A rule-based bot that uses only what its seat may know.

May import the game. Enter at `MIND`.
"""

from companion.games.game_of_trains.bot.mind import MIND

__all__ = ["MIND"]
