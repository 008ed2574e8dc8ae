"""Programs that play Trains: one that looks ahead to what coins, cards and cells bring until the end, and a plain one.

May import the game. Enter at `POLICY` and `PLAIN`.
"""

from companion.games.trains.bot.plain import PLAIN
from companion.games.trains.bot.strong import POLICY

__all__ = ["PLAIN", "POLICY"]
