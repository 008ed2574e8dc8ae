"""Reading what can still be read of a damaged journal file. Knows only SQLite's tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

Rows = list[tuple[Any, ...]]


def salvaged(path: Path) -> tuple[Rows, Rows, Rows]:
    """Return all rows of matches, records and things kept that SQLite can still read; none if it can read nothing."""
    matches: Rows = []
    rows: Rows = []
    kept: Rows = []
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.text_factory = lambda raw: raw.decode(errors="replace")
            matches += _readable(db, "SELECT id, header, seed, started, crc, ended FROM matches ORDER BY id")
            for number, *_ in matches:
                rows += _readable(db, "SELECT * FROM records WHERE match = ? ORDER BY seq", number)
            kept += _readable(db, "SELECT key, value, crc FROM kept")
    except sqlite3.Error:
        pass  # not even a database any more: the file is kept aside as it is
    return matches, rows, kept


def _readable(db: sqlite3.Connection, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
    """Yield a query's rows up to the first that cannot be read."""
    try:
        yield from db.execute(query, values)
    except sqlite3.Error:
        return
