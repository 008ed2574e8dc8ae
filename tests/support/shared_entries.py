"""Entries that several servers of one hall share, in memory: what a PostgreSQL is to them."""

from __future__ import annotations

from collections.abc import Sequence

from companion.hall.entries import Body, Entry
from companion.hall.store import numbered


class SharedEntries:
    """One server's access to entries in a list that all of them share."""

    findings: Sequence[str] = ()

    def __init__(self, entries: list[Entry]) -> None:
        self._entries = entries

    def close(self) -> None:
        """Do nothing."""

    def read(self, after: int = 0) -> list[Entry]:
        """Return the entries with higher numbers."""
        return [entry for entry in self._entries if entry.number > after]

    def append(self, after: int, at: float, by: str, bodies: Sequence[Body]) -> list[Entry] | None:
        """Write entries behind number `after`; None if another server was first."""
        if self.read(after):
            return None
        entries = numbered(after, at, by, bodies)
        self._entries.extend(entries)
        return entries

    def replace_all(self, at: float, by: str, bodies: Sequence[Body]) -> list[Entry]:
        """Write these in the place of all others."""
        self._entries[:] = numbered(self._entries[-1].number, at, by, bodies)
        return list(self._entries)

    def first(self) -> int:
        """Return the lowest number; 0 if there are no entries."""
        return self._entries[0].number if self._entries else 0
