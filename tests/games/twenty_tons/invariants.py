"""What holds after every event of Twenty Tons, whatever is played."""

from __future__ import annotations

from companion.engine import Event, State
from companion.games.examples.twenty_tons.steps import MOST, WAGONS, Table


def hold(before: State[Table], event: Event, state: State[Table]) -> None:
    """No wagon is in two places, and no train is too heavy (R-01, R-04)."""
    table = state.table
    lying = [*table.pile, *[wagon for train in table.trains for wagon in train], *filter(None, [table.wagon])]
    assert len(set(lying)) == len(lying) <= len(WAGONS)
    assert max(map(sum, table.trains)) <= MOST
