"""A hall's entries in a PostgreSQL that several servers of the hall share. Nothing else needs this module.

Two servers that write the same number: the database takes one, and the other reads what has come and decides anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg

from companion.hall.entries import Body, Entry
from companion.hall.store import StoreError, entry_of, numbered, row_of

TABLE = (
    'CREATE TABLE IF NOT EXISTS entries (number BIGINT NOT NULL, at FLOAT NOT NULL, "by" VARCHAR(80) NOT NULL, '
    "body BYTEA NOT NULL, PRIMARY KEY (number))"
)
INSERT = 'INSERT INTO entries (number, at, "by", body) VALUES (%s, %s, %s, %s)'


class PostgresqlStore:
    """The entries, as `AnyStore` has them."""

    findings: Sequence[str] = ()

    def __init__(self, url: str) -> None:
        """Open `postgresql://…` or `postgresql+psycopg://…`; raise `StoreError` if that is impossible."""
        self._url = re.sub(r"\+\w+", "", url, count=1)
        self._connection: psycopg.Connection | None = None
        with self._transaction() as cursor:
            cursor.execute(TABLE)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def read(self, after: int = 0) -> list[Entry]:
        """Return the entries with higher numbers, in order."""
        with self._transaction() as cursor:
            cursor.execute('SELECT number, at, "by", body FROM entries WHERE number > %s ORDER BY number', (after,))
            return [entry_of(row) for row in cursor.fetchall()]

    def append(self, after: int, at: float, by: str, bodies: Sequence[Body]) -> list[Entry] | None:
        """Write entries behind number `after`, all or none; None if another server was first."""
        entries = numbered(after, at, by, bodies)
        try:
            with self._transaction() as cursor:
                cursor.executemany(INSERT, [row_of(entry) for entry in entries])
        except psycopg.errors.UniqueViolation:
            return None
        return entries

    def replace_all(self, at: float, by: str, bodies: Sequence[Body]) -> list[Entry]:
        """Delete every entry, and write these in their place."""
        with self._transaction() as cursor:
            cursor.execute("SELECT max(number) FROM entries")
            entries = numbered(self._number(cursor), at, by, bodies)
            cursor.execute("DELETE FROM entries")
            cursor.executemany(INSERT, [row_of(entry) for entry in entries])
        return entries

    def first(self) -> int:
        """Return the lowest number; 0 if there are no entries."""
        with self._transaction() as cursor:
            cursor.execute("SELECT min(number) FROM entries")
            return self._number(cursor)

    @staticmethod
    def _number(cursor: psycopg.Cursor) -> int:
        (found,) = cursor.fetchone() or (0,)
        return int(found or 0)

    @contextmanager
    def _transaction(self) -> Iterator[psycopg.Cursor]:
        """Do everything inside or nothing; connect anew where the server has gone meanwhile."""
        try:
            if self._connection is not None:
                try:
                    self._connection.execute("SELECT 1")
                except psycopg.Error:
                    self.close()
            if self._connection is None:
                self._connection = psycopg.connect(self._url, autocommit=True)
            with self._connection.transaction(), self._connection.cursor() as cursor:
                yield cursor
        except psycopg.errors.UniqueViolation:
            raise
        except psycopg.Error as error:
            raise StoreError((str(error).splitlines() or [type(error).__name__])[0]) from error
