"""Find the old event in which a card was misread."""

from __future__ import annotations

from companion.engine import AnyState, Event, Layout, follow, rule
from companion.sight.reconcile import Mismatch, find_mismatches
from companion.table.sight_records import MisreadCorrection
from companion.table.snapshot import Snapshot


def find_correction(table: Snapshot, mismatch: Mismatch, seen: Layout, count: int) -> MisreadCorrection | None:
    """Return the amendment that makes a place match: put the seen card into the last event naming the missing one.

    `count` is the number of mismatched places now; the amendment must reduce it.
    """
    if len(mismatch.extra) != 1 or len(mismatch.missing) != 1 or table.state is None:
        return None
    (extra,), (missing,) = mismatch.extra, mismatch.missing
    for at in range(len(table.entries) - 1, 0, -1):
        for event in table.seen_game.with_other_card(table.entries[at].event, missing, extra):
            after = _replay(table, at, event)
            if after is not None and len(find_mismatches(table.seen_game, after, seen)) < count:
                return MisreadCorrection(table.entries[at].seq, event)
    return None


def _replay(table: Snapshot, at: int, event: Event) -> AnyState | None:
    """Return the state after the history with the event at a position replaced, or None if that is impossible."""
    state = table.entries[at - 1].after
    for each in (event, *[entry.event for entry in table.entries[at + 1 :]]):
        if rule(table.seen_game, state, each) is not None:
            return None
        state = follow(table.seen_game, state, each)
    return state
