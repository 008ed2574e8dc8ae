"""Hex Rails: a small game with a board, for generic tests. Enter at `GAME`."""

from companion.mechanics.definition import GameDefinition, PageParts
from tests.support.hex_rails.rules import BOARD, RULES

PAGES = PageParts(catalogues={"dealt": "reconstruction", "ours": "reconstruction"})
GAME = GameDefinition(rules=RULES, pages=lambda: PAGES)

__all__ = ["BOARD", "GAME"]
