"""A game's missing and broken parts, in words: its rules, words, places, cards, pages, mat and deck.

May import everything below ops; pages and print are passed as `Ports`. Enter at `examine`.
"""

from __future__ import annotations

import logging

from companion.engine import AnyGame
from companion.ops.game_check import camera_checks, page_checks, play_checks, print_checks, rule_checks, word_checks
from companion.ops.game_check.ports import Ports as Ports
from companion.ops.game_check.shortcomings import Shortcoming as Shortcoming
from companion.ops.game_check.shortcomings import run_checks as run_checks
from companion.ops.game_check.shortcomings import unique as unique

CHECKS = (*rule_checks.CHECKS, *word_checks.CHECKS, *camera_checks.CHECKS)
"""The checks without pages and printing, in the order in which people make a game."""


def examine(game: AnyGame, ports: Ports) -> list[Shortcoming]:
    """Return everything that is missing from a game or displayed incorrectly.

    A failing check becomes a shortcoming and is not logged.
    """
    before = logging.root.manager.disable
    logging.disable()
    try:
        return _examined(game, ports)
    finally:
        logging.disable(before)


def _examined(game: AnyGame, ports: Ports) -> list[Shortcoming]:
    found = run_checks(game, CHECKS)
    found += run_checks(game, play_checks.CHECKS, ports.pages)
    found += run_checks(game, page_checks.CHECKS, ports.pages)
    if ports.prints is None:
        found += [Shortcoming("", "Mats and decks were not examined: OpenCV is missing on this machine.")]
    else:
        found += run_checks(game, print_checks.CHECKS, ports.prints)
    return unique(found)
