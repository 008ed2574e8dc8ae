"""What a round of Take a Train waits for, step by step. `round.py` reads as the rulebook's list."""

from companion.games.take_a_train.steps.round import DealPurposes, NameStarter, first_agenda

__all__ = ["DealPurposes", "NameStarter", "first_agenda"]
