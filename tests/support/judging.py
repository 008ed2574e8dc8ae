"""A tracker's proposals for tests that have no observer."""

from __future__ import annotations

from companion.match.actor import Actor
from companion.sight.moves import ProposedMove
from companion.sight.tracker import SightTracker
from companion.table.snapshot import TableAnswer
from companion.table.table import Table


def proposed(tracker: SightTracker, now: int) -> list[ProposedMove]:
    """Return the moves that a tracker proposes to a table that has already moved on."""
    found: list[ProposedMove] = []

    def miss(move: ProposedMove) -> TableAnswer:
        """Answer that the move comes too late."""
        found.append(move)
        return TableAnswer(False, stale=True)

    tracker.judge(now, miss)
    return found


def take_all(tracker: SightTracker, table: Table, now: int) -> None:
    """Let a table accept all of a tracker's proposals, one move after another."""
    accepted = True

    def propose(move: ProposedMove) -> TableAnswer:
        """Propose a move that consists of one event."""
        nonlocal accepted
        (event,) = move.events
        answer = table.propose(event, Actor.CAMERA, move.seq, move.match_id)
        accepted = accepted or answer.accepted
        return answer

    while accepted:
        accepted = False
        tracker.judge(now, propose)
        tracker.follow_table(table.snapshot())
