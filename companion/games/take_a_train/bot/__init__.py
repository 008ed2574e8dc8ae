"""A player made of rules: it knows what its seat knows, and plays to win."""

from companion.games.take_a_train.bot.mind import MIND

__all__ = ["MIND"]
