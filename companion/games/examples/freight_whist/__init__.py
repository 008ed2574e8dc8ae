"""Freight Whist: plain partnership Whist with four freights for suits, dealt by the companion or with real cards.

May import mechanics and the engine. Enter at `GAME`.
"""

from __future__ import annotations

from companion.games.examples.freight_whist.rules import DECK, RULES
from companion.mechanics.definition import Bots, Cards, GameDefinition


def _bots() -> Bots:
    from companion.games.examples.freight_whist.bot import POLICY

    return Bots(POLICY)


GAME = GameDefinition(rules=RULES, cards=lambda: Cards(dict.fromkeys(DECK, 1)), bots=_bots)
