"""A hall's entries in a PostgreSQL shared by several servers: if two write the same number, one tries again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg

from companion.hall.entries import Body, Entry
from companion.hall.store import AnyStore, Connection, StoreError
from companion.journal.database import Undo

TABLE = (
    'CREATE TABLE IF NOT EXISTS entries (number BIGINT NOT NULL, at FLOAT NOT NULL, "by" VARCHAR(80) NOT NULL, '
    "body BYTEA NOT NULL, PRIMARY KEY (number))"
)


class PostgresqlStore(AnyStore):
    """The entries in PostgreSQL."""

    mark = "%s"

    def __init__(self, url: str) -> None:
        """Open `postgresql://…` or `postgresql+psycopg://…`; raise `StoreError` if that is impossible."""
        self._url = re.sub(r"\+\w+", "", url, count=1)
        self._connection: psycopg.Connection | None = None
        with self.reading() as db:
            db.execute(TABLE)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def append(self, after: int, at: float, by: str, bodies: Sequence[Body]) -> list[Entry] | None:
        """Write entries after number `after`, all or none; return None if another server was first."""
        try:
            return super().append(after, at, by, bodies)
        except psycopg.errors.UniqueViolation:
            return None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Provide the connection in a transaction; reconnect if the server was restarted."""
        try:
            if self._connection is not None:
                try:
                    self._connection.execute("SELECT 1")
                except psycopg.Error:
                    self.close()
            if self._connection is None:
                self._connection = psycopg.connect(self._url, autocommit=True)
            with self._connection.transaction():
                yield self._connection
        except psycopg.errors.UniqueViolation:
            raise
        except psycopg.Error as error:
            raise StoreError((str(error).splitlines() or [type(error).__name__])[0]) from error

    @contextmanager
    def writing(self, undo: Sequence[Undo]) -> Iterator[Connection]:
        """Provide the connection; the server itself rolls back a failed transaction."""
        with self.reading() as db:
            yield db
