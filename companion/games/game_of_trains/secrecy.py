"""Which fields of events are secret, until when, and which events reveal something (secrecy table of the rules)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.engine import Effect, Event, State
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.table import Table

SECRET: dict[type[Event], tuple[str, ...]] = {ev.HandsDrawn: ("hands",), ev.CardDrawn: ("card",)}
"""Fields that only their owner may read when the event happens."""
TURNED_UP = (ev.LineDealt, ev.HandsDrawn, ev.CardDrawn, ev.Refilled)
"""Events after which somebody knows a card that nobody could know before.

What a seat then does with a card reveals nothing new to it, and may be taken back.
"""


def secret(before: State[Table], event: Event) -> tuple[str, ...]:
    """Return the event's fields that are secret when it happens."""
    return SECRET.get(type(event), ())


def newly_public(back: Iterable[Event], effects: Sequence[Effect]) -> tuple[int, ...]:
    """Return the position of the draw that the last event, placing the card, made public (R-08).

    Cards drawn in the set-up and not kept stay secret until the game is over.
    """
    events = enumerate(back)
    last = next(events, None)
    if last is None or not isinstance(last[1], ev.Placed):
        return ()
    for at, event in events:
        if isinstance(event, ev.CardDrawn):
            return (at,)
        if not isinstance(event, ev.Reshuffled):
            break
    return ()


def reveals(event: Event, after: State[Table]) -> bool:
    """Whether the event revealed a card that nobody could know before."""
    return isinstance(event, TURNED_UP)
