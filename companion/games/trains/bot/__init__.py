"""Two bots that play Trains: one estimates the value of coins, cards and cells until the end; the other is plain.

May import the game. Enter at `POLICY` and `PLAIN`.
"""

from companion.games.trains.bot.plain import PLAIN
from companion.games.trains.bot.strong import POLICY

__all__ = ["PLAIN", "POLICY"]
