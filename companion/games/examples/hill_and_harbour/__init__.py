"""Hill and Harbour: lay track across the hills, and be the first to carry the goods from town to town.

May import mechanics and the engine. Enter at `GAME`.
"""

from __future__ import annotations

from companion.games.examples.hill_and_harbour.board import CONTRACTS
from companion.games.examples.hill_and_harbour.options import BY_PLAYERS, SETS, Options
from companion.games.examples.hill_and_harbour.rules import RULES, TELLER
from companion.mechanics.definition import Bots, Cards, GameDefinition, MatchOptions


def _bots() -> Bots:
    from companion.games.examples.hill_and_harbour.bot import POLICY

    return Bots(POLICY)


GAME = GameDefinition(
    rules=RULES,
    options=MatchOptions(Options, SETS, by_players=BY_PLAYERS),
    cards=lambda: Cards(dict.fromkeys(CONTRACTS, 1)),
    tell=lambda: TELLER,
    bots=_bots,
)
