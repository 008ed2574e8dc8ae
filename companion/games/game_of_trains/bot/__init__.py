"""A player made of rules: it knows what its seat knows, and plays to win."""

from companion.games.game_of_trains.bot.mind import MIND

__all__ = ["MIND"]
