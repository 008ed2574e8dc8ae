"""Entries in memory that several servers of one hall share, in place of PostgreSQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from companion.hall.entries import Body, Entry
from companion.hall.sqlite import HALL
from companion.hall.store import AnyStore
from companion.journal.database import Undo


class SharedEntries(AnyStore):
    """One server's access to a database that all servers share."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    @contextmanager
    def reading(self) -> Iterator[Any]:
        """Provide the connection."""
        with self._db:
            yield self._db

    @contextmanager
    def writing(self, undo: Sequence[Undo]) -> Iterator[Any]:
        """Provide the connection."""
        with self._db:
            yield self._db

    def append(self, after: int, at: float, by: str, bodies: Sequence[Body]) -> list[Entry] | None:
        """Write entries after number `after`; return None if another server was first."""
        try:
            return super().append(after, at, by, bodies)
        except sqlite3.IntegrityError:
            return None


def shared_database() -> sqlite3.Connection:
    """Return an empty database in memory for servers in any thread, of which one at a time may use it."""
    db = sqlite3.connect(":memory:", check_same_thread=False)
    for statement in HALL.schema:
        db.execute(statement)
    return db
