"""A table as the hall hears it now; nothing of this is stored."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.devices.hall_link.messages import VERSION, Players, Presence, PublicView, TableSummary


class HeardTable(msgspec.Struct, frozen=True):
    """A table's latest messages. Times are seconds of this machine's steady clock."""

    table: str
    here: bool = False
    newer: bool = False
    """Whether it uses a newer version than this hall, which shows the parts that it understands."""
    summary: TableSummary = TableSummary()
    players: Players = Players("", ())
    view: PublicView | None = None
    since: float = 0.0
    """When the turn of the awaited seats began."""
    lost_at: float = 0.0
    """When it was last heard of; 0 while it is connected."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names at the table, by seat; empty between games or before they arrive."""
        return self.players.names if self.players.match == self.summary.match and self.summary.match else ()

    def heard(self, message: Presence | TableSummary | Players | PublicView | None, now: float) -> HeardTable:
        """Return the table after a message; None: it has left."""
        match message:
            case None:
                return replace(self, here=False, view=None, lost_at=now)
            case Presence():
                return replace(self, here=True, newer=message.version > VERSION, lost_at=0.0)
            case TableSummary():
                view = self.view if self.view is not None and self.view.match == message.match else None
                return replace(self, summary=message, since=now - max(message.waited_s, 0), view=view)
            case Players():
                return replace(self, players=message)
            case PublicView():
                return replace(self, view=message)
