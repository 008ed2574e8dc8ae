"""Branch Lines: bid in turn for the lines of a small network. The example of an auction.

May import mechanics and the engine. Enter at `GAME`.
"""

from __future__ import annotations

from companion.games.examples.branch_lines.rules import LINES, RULES, TELLER
from companion.mechanics.definition import Bots, Cards, GameDefinition


def _bots() -> Bots:
    from companion.games.examples.branch_lines.bot import POLICY

    return Bots(POLICY)


GAME = GameDefinition(rules=RULES, cards=lambda: Cards(dict.fromkeys(LINES, 1)), tell=lambda: TELLER, bots=_bots)
