"""Goods Yard: choose a wagon in secret, and complete a train. The example of a game of hidden hands.

May import mechanics and the engine. Enter at `GAME`.
"""

from __future__ import annotations

from companion.games.examples.goods_yard.rules import DECK, RULES
from companion.mechanics.definition import Bots, Cards, GameDefinition


def _bots() -> Bots:
    from companion.games.examples.goods_yard.bot import POLICY

    return Bots(POLICY)


GAME = GameDefinition(rules=RULES, cards=lambda: Cards(dict.fromkeys(DECK, 1)), bots=_bots)
