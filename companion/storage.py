"""One SQLite file, durable and guarded: opening, locking, committing, mending. Knows tables, but not what they mean.

WAL with `synchronous=FULL`: a commit that returned survives a power cut. A failed commit is never tried again on
the same handle, and a file that SQLite cannot read is kept aside, with all that can still be read of it taken over.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from companion.durably import (
    Damaged,
    JournalError,
    NewerFormat,
    beside,
    finished,
    lengthened,
    locked,
    plain,
    with_room,
)
from companion.engine import FORMAT
from companion.replacing import synced
from companion.salvage import salvaged

APPLICATION = 0x7AB1EC0
"""SQLite's application id of our files, so that a stranger's database is never touched."""
SCHEMA = (
    "CREATE TABLE matches(id INTEGER PRIMARY KEY, header TEXT NOT NULL, seed TEXT NOT NULL, started TEXT NOT NULL,"
    " crc INTEGER NOT NULL, ended TEXT)",
    # One b-tree, ordered by match and number: a commit writes one page.
    "CREATE TABLE records(match INTEGER, seq INTEGER, at TEXT NOT NULL, by TEXT NOT NULL, move INTEGER NOT NULL,"
    " size INTEGER NOT NULL, body TEXT NOT NULL, crc INTEGER NOT NULL, PRIMARY KEY(match, seq)) WITHOUT ROWID",
    "CREATE TABLE kept(key TEXT PRIMARY KEY, value BLOB NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID",
)
INSERT_MATCH = "INSERT INTO matches(id, header, seed, started, crc, ended) VALUES(?, ?, ?, ?, ?, ?)"
INSERT_RECORD = "INSERT INTO records VALUES(?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_KEPT = "INSERT OR REPLACE INTO kept VALUES(?, ?, ?)"
SYNCHRONOUS = "FULL"
"""Every commit is on the disk before it returns; with WAL, nothing less survived real power cuts."""
LOG_PAGES = 250
"""After so many pages SQLite carries its log over into the file and begins the log anew."""
LOG_BYTES = 32 + LOG_PAGES * (24 + 4096)
"""How large the log is made at once: commits then write inside it, and the file system has nothing to note down.
This halves what a commit costs. SQLite ignores what stands behind the log's last true frame."""
BUSY = 2.0
"""How long to wait for another program that reads the file, in seconds."""

Undo = tuple[str, tuple[Any, ...]]
"""A statement that takes back what a commit did, with its values."""


class Storage:
    """The file at `path`. `findings` are sentences about what had to be cut off or left out."""

    def __init__(self, path: Path, read_only: bool) -> None:
        self.path, self.read_only = path, read_only
        self.findings: list[str] = []
        self._lock: int | None = None
        self._db: sqlite3.Connection | None = None
        self._torn: list[Undo] = []
        self._inode: int | None = None
        if read_only and not path.is_file():
            raise JournalError(f"There is no journal at {path}.")
        if not read_only:
            self._lock = locked(path)
        try:
            if not read_only:
                finished(path.parent)
            self._open()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file and let others write."""
        self._disconnect()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def report(self, sentence: str) -> None:
        """Note what the person who started the companion must know."""
        if sentence not in self.findings:
            self.findings.append(sentence)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for reading; SQLite's complaints become sentences."""
        if self._db is None and not self._open_again():
            raise JournalError(f"The journal {self.path} is closed.")
        assert self._db is not None
        try:
            yield self._db
        except sqlite3.Error as error:
            raise JournalError(f"The journal {self.path} could not be read: {plain(error)}") from error

    @contextmanager
    def commit(self, undo: Sequence[Undo] = ()) -> Iterator[sqlite3.Connection]:
        """Make all that is done inside one durable commit, or raise `JournalError` with nothing changed.

        After a failure the file is closed and opened anew. Should the commit have reached it in spite of the
        error, `undo` takes it back before anything else is written, for nobody was told of it.
        """
        if self.read_only:
            raise JournalError(f"The journal {self.path} was opened for reading only.")
        try:
            if self._db is None and not self._open_again():
                raise JournalError(f"The journal {self.path} is closed.")
            db = self._db
            assert db is not None
            self._must_be_there()
            if self._torn:
                self._mend(db)
            db.execute("BEGIN IMMEDIATE")
            yield db
            db.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            self._torn += undo
            self._disconnect()
            raise JournalError(f"The journal could not be written, so nothing was changed: {plain(error)}") from error
        except BaseException:
            self._disconnect()
            raise

    def _must_be_there(self) -> None:
        """Raise `JournalError` where the file has been deleted or exchanged: what is written would be in no folder."""
        try:
            inode = self.path.stat().st_ino
        except OSError as error:
            why = plain(error)
            raise JournalError(f"The journal {self.path} is gone ({why}) Bring its folder back.") from error
        if inode != self._inode:
            raise JournalError(f"The journal {self.path} is another file than before. Start the companion anew.")

    def _mend(self, db: sqlite3.Connection) -> None:
        """Take back what failed commits may have left."""
        db.execute("BEGIN IMMEDIATE")
        for statement, values in self._torn:
            db.execute(statement, values)
        db.execute("COMMIT")
        self._torn = []

    def _disconnect(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def _open_again(self) -> bool:
        """Open the file after a failure, if it has not been closed for good."""
        if self._lock is None:
            return False
        self._must_be_there()  # a new file would begin empty
        try:
            self._connect()
            self._lengthen()
        except sqlite3.Error as error:
            self._disconnect()
            raise JournalError(f"The journal {self.path} cannot be opened: {plain(error)}") from error
        return True

    # --- opening ----------------------------------------------------------------------------------

    def _open(self) -> None:
        """Open the file; where SQLite itself cannot read it, keep it aside and salvage what can be read."""
        try:
            self._connect()
            if not self.read_only:
                assert self._db is not None
                said = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
                if said != "ok":
                    raise sqlite3.DatabaseError(said)
                self._lengthen()
                self._inode = self.path.stat().st_ino
        except sqlite3.OperationalError as error:
            raise JournalError(f"The journal {self.path} cannot be opened: {plain(error)}") from error
        except sqlite3.DatabaseError as error:
            if self.read_only:
                raise Damaged(
                    f"The journal {self.path} is damaged: {error}. Start the companion to mend it."
                ) from error
            self._salvage(str(error))

    def _connect(self) -> None:
        self._disconnect()
        self._db = db = connection(self.path, self.read_only)
        version, owner = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id"))
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if owner != APPLICATION and (tables or self.read_only):
            raise JournalError(f"{self.path} is a database, but no journal of the companion. Choose another file.")
        if version > FORMAT:
            raise NewerFormat(
                f"{self.path} was written by a newer companion (format {version}; this one reads up to {FORMAT}). "
                "Update the companion, or choose another data folder."
            )
        if self.read_only:
            return
        if tables and 0 < version < FORMAT:
            self._set_aside(db, version)
        if db.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
            raise JournalError(f"The journal {self.path} cannot be kept safely there: the disk allows no WAL.")
        db.execute(f"PRAGMA synchronous={SYNCHRONOUS}")
        if not tables:
            db.execute("BEGIN IMMEDIATE")
            for statement in SCHEMA:
                db.execute(statement)
            db.execute(f"PRAGMA application_id={APPLICATION}")
            db.execute("COMMIT")
            synced(self.path.parent)

    def _set_aside(self, db: sqlite3.Connection, version: int) -> None:
        """Keep a whole copy of a journal of an older format before anything in it is changed."""
        copy = beside(self.path, "db", f"format-{version}")
        half = copy.with_name(f".{copy.name}")
        half.unlink(missing_ok=True)
        os.close(os.open(half, os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(half)) as target:
            db.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
        half.rename(copy)
        for each in (copy, copy.parent):
            synced(each)
        self.report(f"The journal was written by an older companion (format {version}); it is kept as {copy.name}.")

    def _lengthen(self) -> None:
        """Make the log as long as it will become, so that the commits to come are cheap."""
        assert self._db is not None
        self._db.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
        self._db.execute(f"PRAGMA user_version={FORMAT}")  # a first commit, after which the log exists
        lengthened(Path(f"{self.path}-wal"), LOG_BYTES)

    def _salvage(self, why: str) -> None:
        """Move a damaged file aside and begin a new one with all that can still be read of it."""
        self._disconnect()
        aside = beside(self.path, "db")
        for suffix in ("", "-wal", "-shm"):
            old = Path(f"{self.path}{suffix}")
            if old.exists():
                old.rename(f"{aside}{suffix}")
        matches, records, kept = salvaged(aside)
        try:
            self._connect()
            self._lengthen()
            self._inode = self.path.stat().st_ino
        except sqlite3.Error as error:
            raise JournalError(f"The journal {self.path} cannot be begun anew: {plain(error)}") from error
        with self.commit() as db:
            for statement, rows in ((INSERT_MATCH, matches), (INSERT_RECORD, records), (INSERT_KEPT, kept)):
                db.executemany(statement.replace("INSERT INTO", "INSERT OR IGNORE INTO"), rows)
        self.report(
            f"The journal was damaged ({why}). It was kept aside as {aside.name}; {len(matches)} matches with "
            f"{len(records)} records could be read and were taken over."
        )


# --- files ----------------------------------------------------------------------------------------


def connection(path: Path, read_only: bool) -> sqlite3.Connection:
    """Return a connection that has read the file's first page."""
    if not read_only:
        return _tried(path, "mode=rwc")
    try:
        return _tried(path, "mode=ro")
    except sqlite3.OperationalError:
        # On a disk that cannot be written, WAL's helper file cannot be made; the file then cannot change either.
        if Path(f"{path}-wal").exists():
            raise
        return _tried(path, "mode=ro&immutable=1")


def _tried(path: Path, how: str) -> sqlite3.Connection:
    db = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, isolation_level=None, timeout=BUSY)
    try:
        db.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.Error:
        db.close()
        raise
    return db


def free(path: Path) -> None:
    """Raise `InUse` where somebody writes a journal, `JournalError` where none can be kept or it is not ours to open.

    A damaged one is left for whoever opens it to mend.
    """
    lock = locked(path)
    try:
        finished(path.parent)
        with_room(path.parent)
        if path.exists():
            with suppress(Damaged):
                Storage(path, read_only=True).close()
    finally:
        os.close(lock)
