"""A rule-based bot that uses only what its seat may know.

May import the game. Enter at `POLICY`.
"""

from companion.games.take_a_train.bot.mind import POLICY

__all__ = ["POLICY"]
