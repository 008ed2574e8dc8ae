"""A bot with one rule: it takes five tons or more, if it can. It never sees a state."""

from __future__ import annotations

from companion.engine import Event, Luck
from companion.games.examples.twenty_tons.rules import RULES
from companion.games.examples.twenty_tons.steps import Passed, Table
from companion.mechanics.policy import PlainPolicy
from companion.mechanics.view import OpenView


class Policy(PlainPolicy[Table]):
    """A bot for a seat of Twenty Tons."""

    def choose(self, known: OpenView[Table], luck: Luck) -> Event | None:
        """Return what the seat does, or None when it waits."""
        light = known.table.wagon < 5
        events = [event for offer in known.offers for event in offer if isinstance(event, Passed) == light]
        return events[0] if events else next((offer.pick(luck) for offer in known.offers), None)


POLICY = Policy(RULES)
