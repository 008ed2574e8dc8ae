"""The hall's database: one table of entries, in SQLite beside the hall or in a PostgreSQL that several halls share.

Entries are numbered without gaps. Two hall servers that write the same number: the database takes one, and the other
reads what has come and decides anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from companion.hall.entries import Body, Entry, decode_body, encode_body

METADATA = sa.MetaData()
ENTRIES = sa.Table(
    "entries",
    METADATA,
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("by", sa.String(80), nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
)


class StoreError(RuntimeError):
    """The database cannot be reached or written; the message says why."""


class EntryStore:
    """The entries. Its owner calls it from one thread at a time."""

    def __init__(self, url: str) -> None:
        """Open `sqlite:///PATH` or `postgresql+psycopg://…`; raise `StoreError` if that is impossible."""
        try:
            self._engine = sa.create_engine(url, pool_pre_ping=not url.startswith("sqlite"))
            if url.startswith("sqlite"):
                sa.event.listen(self._engine, "connect", _set_up_sqlite)
            METADATA.create_all(self._engine)
        except (SQLAlchemyError, ImportError) as error:
            raise StoreError(_short(error)) from error

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def read(self, after: int = 0) -> list[Entry]:
        """Return the entries with higher numbers, in order; raise `StoreError`."""
        query = sa.select(ENTRIES).where(ENTRIES.c.number > after).order_by(ENTRIES.c.number)
        try:
            with self._engine.connect() as connection:
                rows = connection.execute(query).all()
        except SQLAlchemyError as error:
            raise StoreError(_short(error)) from error
        return [Entry(row.number, row.at, row.by, decode_body(row.body)) for row in rows]

    def append(self, after: int, at: float, by: str, bodies: Sequence[Body]) -> list[Entry] | None:
        """Write entries behind number `after`, all or none; None if another server was first. Raises `StoreError`."""
        entries = [Entry(after + 1 + place, at, by, body) for place, body in enumerate(bodies)]
        rows = [{"number": e.number, "at": e.at, "by": e.by, "body": encode_body(e.body)} for e in entries]
        try:
            with self._engine.begin() as connection:
                connection.execute(sa.insert(ENTRIES), rows)
        except IntegrityError:
            return None
        except SQLAlchemyError as error:
            raise StoreError(_short(error)) from error
        return entries

    def replace_all(self, at: float, by: str, bodies: Sequence[Body]) -> list[Entry]:
        """Delete every entry, and write these in their place; raise `StoreError`. What was deleted is gone for good.

        The numbers go on from the last one, so that other servers notice.
        """
        try:
            with self._engine.begin() as connection:
                last = connection.execute(sa.select(sa.func.max(ENTRIES.c.number))).scalar() or 0
                connection.execute(sa.delete(ENTRIES))
                entries = [Entry(last + 1 + place, at, by, body) for place, body in enumerate(bodies)]
                rows = [{"number": e.number, "at": e.at, "by": e.by, "body": encode_body(e.body)} for e in entries]
                connection.execute(sa.insert(ENTRIES), rows)
            if self._engine.dialect.name == "sqlite":
                with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                    connection.execute(sa.text("VACUUM"))
                    connection.execute(sa.text("PRAGMA wal_checkpoint(TRUNCATE)"))
        except SQLAlchemyError as error:
            raise StoreError(_short(error)) from error
        return entries

    def first(self) -> int:
        """Return the lowest number; 0 if there are no entries. Raises `StoreError`."""
        try:
            with self._engine.connect() as connection:
                return connection.execute(sa.select(sa.func.min(ENTRIES.c.number))).scalar() or 0
        except SQLAlchemyError as error:
            raise StoreError(_short(error)) from error


def sqlite_url(path: Path) -> str:
    """Return the address of a database file."""
    return f"sqlite:///{path}"


def _set_up_sqlite(connection: Any, record: Any) -> None:
    """Make every commit durable, and delete for good what is deleted."""
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON", "busy_timeout = 5000"):
        connection.execute(f"PRAGMA {pragma}").close()


def _short(error: Exception) -> str:
    """Return the driver's own sentence, without the statement."""
    return str(getattr(error, "orig", None) or error).splitlines()[0]
