"""Crate Rows: a small game for generic tests, with sealed crates, bids and a bell. Enter at `GAME`."""

from companion.mechanics.definition import Cards, GameDefinition
from tests.support.crate_rows.rules import CRATES, RULES

GAME = GameDefinition(rules=RULES, cards=lambda: Cards(dict.fromkeys(CRATES, 1)))

__all__ = ["GAME"]
