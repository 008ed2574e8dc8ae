"""A beginner's bot: it often misses the best event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.engine import AnyState, Event, Luck, Seat
from companion.mechanics.definition import BotPolicy
from companion.mechanics.policy import Ranked

FEW = 4
"""The number of next best events that it considers as good as the best one."""


def ranked(policy: BotPolicy, known: Any, luck: Luck) -> Sequence[Ranked]:
    """Return a seat's options, best first; of a policy without a ranking, only its choice."""
    if hasattr(policy, "ranked"):
        found: Sequence[Ranked] = policy.ranked(known, luck)
        return found
    event = policy.choose(known, luck)
    return () if event is None else (Ranked(event, 0.0),)


class Learning:
    """Plays like another policy, but sometimes takes one of the next best events, or, if there is none, any legal
    event."""

    def __init__(self, own: BotPolicy, anything: BotPolicy, slips: float) -> None:
        self.own, self.anything, self.slips = own, anything, slips

    def asked(self, state: AnyState) -> tuple[Seat, ...]:
        """Return the seats that may want to act now."""
        return self.own.asked(state)

    def look(self, state: AnyState, seat: Seat) -> Any:
        """Return the seat's knowledge, and its legal events."""
        return self.own.look(state, seat), self.anything.look(state, seat)

    def choose(self, known: Any, luck: Luck) -> Event | None:
        """Return the best event, or sometimes another one; it waits only if its model does."""
        own, offered = known
        if luck() >= self.slips:
            event: Event | None = self.own.choose(own, luck)
            return event
        found = ranked(self.own, own, luck)
        if len(found) > 1:
            return found[min(len(found) - 1, 1 + int(luck() * FEW))].event
        return self.anything.choose(offered, luck) or found[0].event if found else None

    def together(self, state: AnyState, luck: Luck) -> Event | None:
        """Return an event that all seats make together."""
        return self.own.together(state, luck)
