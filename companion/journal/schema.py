"""The SQLite schemas, and checks whether a file is new, damaged, too new or another program's."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from companion.engine import FORMAT
from companion.journal.files import JournalError, NewerFormat, memory_folder
from companion.journal.recovery.rows import Rows, recover_rows
from companion.journal.recovery.sqlite_pages import INDEX_AT

APPLICATION = 0x7AB1EC0
"""The application id of the companion's SQLite files; it keeps us from touching another program's database."""
NO_FORMAT = 1 << 16
"""No format will ever reach this number; a file with a higher one is damaged."""
OUTSIDE = {
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOLFS,
}  # fmt: skip
"""Error codes of SQLite whose cause is not in the file."""
SCHEMA = (
    "CREATE TABLE matches(id INTEGER PRIMARY KEY, header TEXT NOT NULL, seed TEXT NOT NULL, started TEXT NOT NULL,"
    " crc INTEGER NOT NULL, ended TEXT)",
    # A single b-tree in the order of match and number, so that a commit writes one page.
    "CREATE TABLE records(match INTEGER, seq INTEGER, at TEXT NOT NULL, by TEXT NOT NULL, move INTEGER NOT NULL,"
    " size INTEGER NOT NULL, body TEXT NOT NULL, crc INTEGER NOT NULL, PRIMARY KEY(match, seq)) WITHOUT ROWID",
    "CREATE TABLE kept(key TEXT PRIMARY KEY, value BLOB NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID",
)
INSERT_MATCH = "INSERT INTO matches(id, header, seed, started, crc, ended) VALUES(?, ?, ?, ?, ?, ?)"
INSERT_RECORD = "INSERT INTO records VALUES(?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_KEPT = "INSERT OR REPLACE INTO kept VALUES(?, ?, ?)"
BUSY = 2.0
"""Seconds to wait for another program that uses the file."""


class FileKind(NamedTuple):
    """A kind of file: its name for people, its format and tables, and how to fill and recover them.

    `recover` returns the readable rows of a damaged file and its log, by table, in the order of `inserts`; `tell`
    describes them in a sentence. With `threads`, any thread may use the file, one at a time. `setup` are statements for
    each connection.
    """

    name: str
    format: int
    tables: frozenset[str]
    schema: Sequence[str]
    inserts: Sequence[str]
    recover: Callable[[Path, Path], Sequence[Rows]]
    tell: Callable[[Sequence[Rows]], str]
    threads: bool = False
    setup: Sequence[str] = ()


JOURNAL = FileKind(
    "journal",
    FORMAT,
    frozenset({"matches", "records", "kept"}),
    SCHEMA,
    (INSERT_MATCH, INSERT_RECORD, INSERT_KEPT),
    recover_rows,
    lambda found: f"{len(found[0])} matches with {len(found[1])} records could be read and were kept.",
)


def open_connection(path: Path, read_only: bool, threads: bool = False) -> sqlite3.Connection:
    """Return a connection that has read the file's first page; with `threads`, any thread may use it."""
    if not read_only:
        return _connect(path, "mode=rw", threads)
    try:
        return _connect(path, "mode=ro", threads)
    except sqlite3.OperationalError:
        try:
            return open_copy(path, threads)
        except OSError as error:
            raise sqlite3.OperationalError("unable to open database file") from error


def open_copy(path: Path, threads: bool = False) -> sqlite3.Connection:
    """Return a connection to a copy of a file in memory; raise `OSError` if the files cannot be copied.

    On a full or read-only disk SQLite can neither create WAL's helper file nor finish an interrupted write. The copy is
    made in a folder where it can.
    """
    log = Path(f"{path}-wal")
    before = log.read_bytes() if log.exists() else None
    with TemporaryDirectory(prefix="companion-", dir=memory_folder()) as folder:
        place = Path(folder) / path.name
        for ending in ("", "-wal", "-journal"):
            if Path(f"{path}{ending}").exists():
                shutil.copyfile(f"{path}{ending}", f"{place}{ending}")
        if before != (log.read_bytes() if log.exists() else None):
            raise OSError("another program writes the file")
        with closing(_connect(place, "mode=rw")) as opened:
            copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=not threads)
            try:
                opened.backup(copy)
            except BaseException:
                copy.close()
                raise
    _tolerate_text(copy)
    return copy


def _connect(path: Path, how: str, threads: bool = False) -> sqlite3.Connection:
    log = Path(f"{path}-wal")
    if path.exists() and not path.stat().st_size and log.exists() and log.stat().st_size:
        # SQLite would delete the log.
        raise sqlite3.DatabaseError("it is empty, and its log is not")
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}", uri=True, isolation_level=None, timeout=BUSY,
        check_same_thread=not threads,
    )  # fmt: skip
    _tolerate_text(db)
    try:
        db.execute("SELECT count(*) FROM sqlite_master")
    except BaseException:
        db.close()
        raise
    return db


def _tolerate_text(db: sqlite3.Connection) -> None:
    """Make rows with invalid text readable: the checksum exposes them, and the rows around them stay usable."""
    db.text_factory = partial(str, encoding="utf-8", errors="replace")


def is_new(db: sqlite3.Connection, path: Path, kind: FileKind) -> bool:
    """Whether nothing was ever committed; raise `JournalError` for a foreign file, `NewerFormat` for a later format."""
    version, owner = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id"))
    names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    if owner != APPLICATION and (not names >= kind.tables if names else owner):
        raise JournalError(f"{path} is a database, but not a {kind.name} of the companion. Choose another file.")
    if not 0 <= version < NO_FORMAT:
        raise sqlite3.DatabaseError(f"it says that its format is {version}")
    if version > kind.format:
        raise NewerFormat(
            f"{path} was written by a newer companion (format {version}; this one reads up to {kind.format}). "
            "Update the companion, or choose another data folder."
        )
    if names and not names >= kind.tables:
        raise sqlite3.DatabaseError("a table is missing")
    return not names


def create_tables(db: sqlite3.Connection, kind: FileKind, found: Sequence[Rows] | None = None) -> None:
    """Create the tables in an empty file and insert recovered rows, in one commit."""
    db.execute("BEGIN IMMEDIATE")
    for statement in kind.schema:
        db.execute(statement)
    if found is not None:
        for statement, rows in zip(kind.inserts, found, strict=True):
            db.executemany(statement, rows)
    db.execute(f"PRAGMA application_id={APPLICATION}")
    db.execute(f"PRAGMA user_version={kind.format}")
    db.execute("COMMIT")


def valid_frames(index: bytes) -> int:
    """Return how many frames of the log SQLite considers valid, according to its shared memory."""
    return int.from_bytes(index[INDEX_AT : INDEX_AT + 4], sys.byteorder)


def is_damage(error: Exception, path: Path) -> bool:
    """Whether an SQLite error comes from the file's content, not from the disk, rights or other programs."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    if code == sqlite3.SQLITE_READONLY_ROLLBACK:  # the next writer rolls the interrupted write back
        return os.access(path, os.W_OK)
    # SQLite also reports this for a file whose header requires a newer SQLite.
    if code & 0xFF == sqlite3.SQLITE_READONLY:
        return os.access(path, os.W_OK) and path.read_bytes()[18:20] not in (b"\1\1", b"\2\2")
    return code & 0xFF not in OUTSIDE
