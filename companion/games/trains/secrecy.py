"""Who may know what of Trains: fields that only their owner reads, and events that tell somebody a card (§7)."""

from __future__ import annotations

from companion.engine import Event, State
from companion.games.trains import events as ev
from companion.games.trains.table import Table

SECRET: dict[type[Event], tuple[str, ...]] = {ev.CardsDrawn: ("cards",), ev.TopSeen: ("card",)}
"""Fields that only the seat that draws or looks may read; a card becomes public when it is played or discarded."""
TURNED_UP = (ev.CardsDrawn, ev.TopSeen, ev.CardRevealed, ev.KingdomDrawn)
"""Events by which somebody learns a card that could not be known before."""
DRAWING = (ev.FirstNamed, ev.Ended, ev.TurnPassed, ev.Reshuffled, ev.Applied, ev.CrewSent, ev.CardsDiscarded)
"""Events after which people draw real cards by themselves."""


def secret(before: State[Table], event: Event) -> tuple[str, ...]:
    """Return the event's fields that are secret when it happens."""
    return SECRET.get(type(event), ())


def reveals(event: Event, after: State[Table]) -> bool:
    """Whether somebody knows a card now that could not be known before."""
    return isinstance(event, TURNED_UP) or (not after.table.fixed.dealt and isinstance(event, DRAWING))
