"""A bot that still learns: it often does not see what is best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.engine import AnyState, Event, Luck, Seat
from companion.mechanics.definition import BotPolicy
from companion.mechanics.policy import Ranked

FEW = 4
"""So many of the next best it takes for as good."""


def ranked(policy: BotPolicy, known: Any, luck: Luck) -> Sequence[Ranked]:
    """Return what a seat may do, best first; of a policy that ranks nothing, what it does."""
    if hasattr(policy, "ranked"):
        found: Sequence[Ranked] = policy.ranked(known, luck)
        return found
    event = policy.choose(known, luck)
    return () if event is None else (Ranked(event, 0.0),)


class Learning:
    """Plays as another policy does, but now and then takes one of the next best, or, if there is none, anything."""

    def __init__(self, own: BotPolicy, anything: BotPolicy, slips: float) -> None:
        self.own, self.anything, self.slips = own, anything, slips

    def asked(self, state: AnyState) -> tuple[Seat, ...]:
        """Return the seats that may want to act now."""
        return self.own.asked(state)

    def look(self, state: AnyState, seat: Seat) -> Any:
        """Return what the seat may know, and what it may do at all."""
        return self.own.look(state, seat), self.anything.look(state, seat)

    def choose(self, known: Any, luck: Luck) -> Event | None:
        """Return what is best, or something else; it waits only if its model does."""
        own, offered = known
        if luck() >= self.slips:
            event: Event | None = self.own.choose(own, luck)
            return event
        found = ranked(self.own, own, luck)
        if len(found) > 1:
            return found[min(len(found) - 1, 1 + int(luck() * FEW))].event
        return self.anything.choose(offered, luck) or found[0].event if found else None

    def together(self, state: AnyState, luck: Luck) -> Event | None:
        """Return an event that all seats make together by hand."""
        return self.own.together(state, luck)
