"""Twenty Tons: take wagons until your train is heavy, but not too heavy. The example of docs/adding-a-game.md.

May import mechanics and the engine. Enter at `GAME`.
"""

from __future__ import annotations

from companion.games.examples.twenty_tons.rules import RULES, TELLER
from companion.mechanics.definition import Bots, Cards, GameDefinition


def _cards() -> Cards:
    from companion.games.examples.twenty_tons.cards import CARDS

    return Cards(CARDS)


def _bots() -> Bots:
    from companion.games.examples.twenty_tons.bot import POLICY

    return Bots(POLICY)


GAME = GameDefinition(rules=RULES, cards=_cards, tell=lambda: TELLER, bots=_bots)
