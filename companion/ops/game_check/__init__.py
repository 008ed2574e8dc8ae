"""What a game lacks, or shows broken, in words: its rules, words, places and cards, as far as `companion` knows them.

May import everything below ops. Enter at `examine`; web and vision have checks of their own of pages, mat and deck.
"""

from __future__ import annotations

from companion.engine import AnyGame
from companion.ops.game_check import play, rules, table, words
from companion.ops.game_check.shortcomings import Check, Shortcoming, run_checks, unique

CHECKS: tuple[Check, ...] = (*rules.CHECKS, *words.CHECKS, *table.CHECKS, *play.CHECKS)
"""Every check of this package, in the order in which a game is made."""


def examine(game: AnyGame) -> list[Shortcoming]:
    """Return all that a game lacks or shows broken, without its pages, mat and deck."""
    return run_checks(game, CHECKS)


__all__ = ["CHECKS", "Check", "Shortcoming", "examine", "run_checks", "unique"]
