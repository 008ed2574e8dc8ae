"""A program that plays Express: it lays what brings most, draws what fits, and goes out when that pays.

May import the game. Enter at `BOTS`.
"""

from companion.games.express.bot.player import BOTS, POLICY

__all__ = ["BOTS", "POLICY"]
