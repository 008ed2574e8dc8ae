"""A bot with a rule of thumb: a line is worth its value, or less while many are still to come."""

from __future__ import annotations

from companion.engine import Amounts, Event, Luck
from companion.games.examples.branch_lines.rules import RULES, Passed, Table
from companion.mechanics.policy import PlainPolicy
from companion.mechanics.view import OpenView


class Policy(PlainPolicy[Table]):
    """A bot for a seat of Branch Lines."""

    def choose(self, known: OpenView[Table], luck: Luck) -> Event | None:
        """Bid the least amount while the line is worth it; else pass."""
        table, seat = known.table, known.awaited[0]
        fair = table.coins[seat] * int(table.line.removeprefix("line-")) // 30
        for offer in known.offers:
            if isinstance(offer, Amounts) and offer.low <= fair:
                return next(iter(offer))
        return Passed(seat)


POLICY = Policy(RULES)
