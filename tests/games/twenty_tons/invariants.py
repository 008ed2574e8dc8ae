"""Check what must hold after every event of Twenty Tons."""

from __future__ import annotations

from companion.engine import Event, State
from companion.games.examples.twenty_tons.steps import MOST, WAGONS, Table


def hold(before: State[Table], event: Event, state: State[Table]) -> None:
    """Every wagon is in one place at most, and no train is too heavy (R-01, R-04)."""
    table = state.table
    lying = [*table.pile, *[wagon for train in table.trains for wagon in train], *filter(None, [table.wagon])]
    assert len(set(lying)) == len(lying) <= len(WAGONS)
    assert max(map(sum, table.trains)) <= MOST
