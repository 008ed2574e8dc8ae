"""Moves proposed by the camera, and moves that the table made meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from companion.engine import Event
from companion.match.history import HistoryEntry
from companion.messages import Sighted
from companion.table.sight_records import SightState
from companion.table.snapshot import Snapshot, TableAnswer


class ProposedMove(msgspec.Struct, frozen=True):
    """Consecutive events to propose, based on a record of a match."""

    events: tuple[Event, ...]
    match_id: str
    seq: int
    shown: SightState | None = None
    """The camera's display once the table accepts cards; None for tokens."""


Propose: TypeAlias = Callable[[ProposedMove], TableAnswer]
"""Proposes a move to the table and returns its answer."""


def is_other_match(old: Snapshot, new: Snapshot) -> bool:
    """Whether no observation of the old table applies to the new one."""
    return new.state is None or old.state is None or new.match_id != old.match_id


def entries_since(old: Snapshot, new: Snapshot) -> tuple[HistoryEntry, ...] | None:
    """Return the entries since then in the same match; None after an undo or an amendment."""
    known = len(old.entries)
    return new.entries[known:] if new.entries[:known] == old.entries else None


def takes_part(table: Snapshot, sighted: Sighted | None) -> bool:
    """Whether a camera looks at a match with real cards, and not at another game's mat."""
    played = table.state is not None and table.setup is not None and table.setup.deck != "dealt"
    return played and sighted is not None and sighted.game in ("", table.game.name)
