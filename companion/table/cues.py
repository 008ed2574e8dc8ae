"""Cues from the table's changes: whose turn it is, who leads, what was sold. Made from what everybody may know."""

from __future__ import annotations

from companion.engine import Raising, name_of
from companion.match.history import HistoryEntry
from companion.messages import Cue, Leading, Sold, Trouble, YourTurn
from companion.table.snapshot import Snapshot


def standing(snapshot: Snapshot, trouble: str = "") -> tuple[Cue, ...]:
    """Return the cues that stand as long as the table is as it is."""
    state = snapshot.state
    if state is None or not state.agenda:
        return YourTurn(), Leading(), Trouble(what=trouble)
    timing = state.agenda[0].timing(state.table)
    awaited = snapshot.game.view(state, None).awaited
    return (
        YourTurn(seats=tuple([int(seat) for seat in awaited])),
        Leading(seat=timing.leader if isinstance(timing, Raising) else None),
        Trouble(what="paused" if snapshot.paused else trouble),
    )


def momentary(entries: tuple[HistoryEntry, ...]) -> tuple[Cue, ...]:
    """Return the cues of what has just happened."""
    return tuple([Sold(seat=effect.seat) for entry in entries for effect in entry.effects if name_of(effect) == "sold"])
