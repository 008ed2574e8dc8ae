"""A program that plays Express: it lays what brings most, draws what fits, and goes out when that pays.

May import the game. Enter at `POLICY`.
"""

from companion.games.express.bot.player import POLICY

__all__ = ["POLICY"]
