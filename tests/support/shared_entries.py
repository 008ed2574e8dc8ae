"""Entries shared by several servers of one hall, in memory, in place of PostgreSQL."""

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
    """One server's access to a database that all of them share."""

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
        """Write entries after number `after`; None if another server was first."""
        try:
            return super().append(after, at, by, bodies)
        except sqlite3.IntegrityError:
            return None


def shared_database() -> sqlite3.Connection:
    """Return an empty database in memory, for servers in any thread, one at a time."""
    db = sqlite3.connect(":memory:", check_same_thread=False)
    for statement in HALL.schema:
        db.execute(statement)
    return db
