"""The moments of Express that every page shows: the sides count their hands; and where points came from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.engine import Effect, Event, State
from companion.games.express.events import HandScored
from companion.games.express.table import Table
from companion.mechanics.moments import Income, IncomePart, Moment


def moments(event: Event, effects: Sequence[Effect]) -> Iterator[Moment]:
    """Return the scores of a hand, side by side and part by part (R-28)."""
    parts = tuple(scored(effects))
    if parts:
        yield Income("income.hand", parts)


def sources(before: State[Table], event: Event, after: State[Table]) -> Iterator[IncomePart]:
    """Return the parts of the sides' points."""
    return scored(after.effects)


def scored(effects: Sequence[Effect]) -> Iterator[IncomePart]:
    """Return the parts of the points of a hand; cards left in hand cost points (R-28)."""
    for hand in effects:
        if isinstance(hand, HandScored):
            parts = {"trains": hand.trains, "maintenance": hand.maintenance, "out": hand.bonus, "left": -hand.left}
            yield from [IncomePart(hand.seats, points, f"source.{name}") for name, points in parts.items() if points]
