"""A bot that plays Express: it lays the most valuable cards, draws cards that fit, and goes out when that pays.

May import the game. Enter at `BOTS`.
"""

from companion.games.express.bot.player import BOTS, POLICY

__all__ = ["BOTS", "POLICY"]
