"""A player made of a rule: it takes five tons or more, if it can. It never sees a state."""

from __future__ import annotations

from companion.engine import Event, Luck, Seat, State
from companion.games.examples.twenty_tons.rules import GAME, View
from companion.games.examples.twenty_tons.steps import Passed, Table


class Policy:
    """How a program fills a seat of Twenty Tons."""

    def asked(self, state: State[Table]) -> tuple[Seat, ...]:
        """Return the seats that may want to act now."""
        return state.agenda[0].awaits(state.table)

    def look(self, state: State[Table], seat: Seat) -> View:
        """Return what the seat may know."""
        return GAME.view(state, seat)

    def choose(self, known: View, luck: Luck) -> Event | None:
        """Return what the seat does, or None when it waits."""
        events = [event for offer in known.offers for event in offer if isinstance(event, Passed) == (known.wagon < 5)]
        return events[0] if events else next((offer.pick(luck) for offer in known.offers), None)

    def together(self, state: State[Table], luck: Luck) -> Event | None:
        """Return None: nothing is done by all seats at once by hand."""
        return None


POLICY = Policy()
