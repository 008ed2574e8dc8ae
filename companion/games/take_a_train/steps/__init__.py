"""The steps of Take a Train. `round.py` follows the rulebook's list."""

from companion.games.take_a_train.steps.round import DealPurposes, NameStarter, first_agenda

__all__ = ["DealPurposes", "NameStarter", "first_agenda"]
