"""Misreads: which old event, read otherwise, makes the rules agree with what is seen. Pure; knows no single game."""

from __future__ import annotations

from typing import Any

from companion.engine import Event, Layout, State, follow, rule
from companion.sight.reconcile import Mismatch, oddities
from companion.table.sight_records import MisreadCorrection
from companion.table.snapshot import Snapshot


def righted(table: Snapshot, odd: Mismatch, seen: Layout, oddly: int) -> MisreadCorrection | None:
    """Return the old event that, read otherwise, puts a place right: the latest one that named the missing card.

    `oddly` is how many places do not fit now; with the event amended there must be fewer.
    """
    if len(odd.extra) != 1 or len(odd.missing) != 1 or table.state is None:
        return None
    (extra,), (missing,) = odd.extra, odd.missing
    for at in range(len(table.entries) - 1, 0, -1):
        for event in table.game.renamed(table.entries[at].event, missing, extra):
            after = _refolded(table, at, event)
            if after is not None and len(oddities(table.game, after, seen)) < oddly:
                return MisreadCorrection(table.entries[at].seq, event)
    return None


def _refolded(table: Snapshot, at: int, event: Event) -> State[Any] | None:
    """Return the state after the line of play with the event at a position replaced; None where that cannot be."""
    state = table.entries[at - 1].after
    for each in (event, *[entry.event for entry in table.entries[at + 1 :]]):
        if rule(table.game, state, each) is not None:
            return None
        state = follow(table.game, state, each)
    return state
