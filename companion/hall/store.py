"""The common part of a hall's databases, which hold one table of entries: in SQLite (`sqlite.py`) or PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import msgspec

from companion.devices.hall_link.messages import MessageError, read_result
from companion.hall import entries as e
from companion.hall.entries import Body, Entry, decode_body, encode_body
from companion.journal.database import Undo

SELECT, INSERT = 'SELECT number, at, "by", body FROM entries', 'INSERT INTO entries(number, at, "by", body) VALUES'
Row = tuple[int, float, str, bytes]


class StoreError(RuntimeError):
    """The database cannot be reached or written; the message says why."""


class Cursor(Protocol):
    """The part of a database's cursor that we use."""

    def fetchone(self) -> Row: ...  # noqa: D102

    def fetchall(self) -> list[Row]: ...  # noqa: D102

    def executemany(self, statement: str, rows: Sequence[Row], /) -> object: ...  # noqa: D102


class Connection(Protocol):
    """The part of a SQLite or PostgreSQL connection that we use."""

    def execute(self, statement: str, values: Sequence[object] = (), /) -> Cursor: ...  # noqa: D102

    def cursor(self) -> Cursor: ...  # noqa: D102


class AnyStore:
    """A hall's numbered entries, for one thread at a time. Everything raises `StoreError`."""

    findings: Sequence[str] = ()
    """The problems found in the database when it was opened, as English sentences."""
    mark = "?"
    """The placeholder for a value in a statement."""

    def close(self) -> None:
        """Close the database."""

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Provide a connection for reading."""
        raise NotImplementedError
        yield

    @contextmanager
    def writing(self, undo: Sequence[Undo]) -> Iterator[Connection]:
        """Provide a connection for one durable commit; `undo` reverses a failed one that has reached the disk."""
        raise NotImplementedError
        yield

    def read(self, after: int = 0) -> list[Entry]:
        """Return the entries with higher numbers, in order."""
        with self.reading() as db:
            rows = db.execute(f"{SELECT} WHERE number > {self.mark} ORDER BY number", (after,)).fetchall()
        return [entry_of(row) for row in rows]

    def first(self) -> int:
        """Return the lowest number; 0 if there are no entries."""
        with self.reading() as db:
            return int(db.execute("SELECT min(number) FROM entries").fetchone()[0] or 0)

    def append(self, after: int, at: float, by: str, bodies: Sequence[Body]) -> list[Entry] | None:
        """Write entries after number `after`, all or none; return None if another server of this hall was first."""
        with self.writing([("DELETE FROM entries WHERE number > ?", (after,))]) as db:
            return self._insert(db, after, at, by, bodies)

    def replace_all(self, at: float, by: str, bodies: Sequence[Body]) -> list[Entry]:
        """Delete every entry for good and write these instead. Numbers continue, so that other servers notice."""
        before = self.read()
        undo: list[Undo] = [("DELETE FROM entries", ()), *((f"{INSERT}(?, ?, ?, ?)", row_of(each)) for each in before)]
        with self.writing(undo) as db:
            db.execute("DELETE FROM entries")
            return self._insert(db, before[-1].number if before else 0, at, by, bodies)

    def _insert(self, db: Connection, after: int, at: float, by: str, bodies: Sequence[Body]) -> list[Entry]:
        entries = [Entry(after + 1 + place, at, by, body) for place, body in enumerate(bodies)]
        db.cursor().executemany(f"{INSERT}({', '.join([self.mark] * 4)})", [row_of(entry) for entry in entries])
        return entries


def row_of(entry: Entry) -> Row:
    """Return an entry as it is stored."""
    return entry.number, entry.at, entry.by, encode_body(entry.body)


def entry_of(row: Row) -> Entry:
    """Return a stored entry; raise `StoreError` if it cannot be read."""
    try:
        body = decode_body(row[3])
        if isinstance(body, e.ResultReported):
            read_result(body.payload)
    except (msgspec.DecodeError, MessageError) as error:
        raise StoreError(f"entry {row[0]} cannot be read: {error}") from error
    return Entry(*row[:3], body)
