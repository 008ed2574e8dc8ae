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

from companion.engine import FORMAT
from companion.files import atomic
from companion.files.atomic import synced
from companion.journal.files import (
    DamagedJournal,
    EmptyJournal,
    JournalError,
    beside,
    created,
    finished,
    kept_private,
    lengthened,
    locked,
    plain,
    with_room,
)
from companion.journal.recovery import overlooked, salvaged
from companion.journal.schema import APPLICATION, begun, connection, counted, damaged, new

SYNCHRONOUS = "FULL"
"""Every commit is on the disk before it returns; with WAL, nothing less survived real power cuts."""
LOG_PAGES = 250
"""After so many pages SQLite carries its log over into the file and begins the log anew."""
LOG_BYTES = 32 + LOG_PAGES * (24 + 4096)
"""How large the log is made at once: commits then write inside it, and the file system has nothing to note down.
This halves what a commit costs. SQLite ignores what stands behind the log's last true frame."""
Undo = tuple[str, tuple[Any, ...]]
"""A statement that takes back what a commit did, with its values."""


class Database:
    """The file at `path`. `findings` are sentences about what had to be cut off or left out."""

    def __init__(self, path: Path, read_only: bool) -> None:
        self.path, self.read_only = path, read_only
        self.findings: list[str] = []
        self._lock: int | None = None
        self._db: sqlite3.Connection | None = None
        self._torn: list[Undo] = []
        self._whole: list[Undo] | None = None
        """How to take back what several commits have done that become one."""
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
        except (sqlite3.Error, UnicodeError) as error:
            raise JournalError(f"The journal {self.path} could not be read: {plain(error)}") from error

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make all commits inside one."""
        undo: list[Undo] = []
        with self.commit(undo):
            self._whole = undo
            try:
                yield
            finally:
                self._whole = None

    @contextmanager
    def commit(self, undo: Sequence[Undo] = ()) -> Iterator[sqlite3.Connection]:
        """Make all that is done inside one durable commit, or raise `JournalError` with nothing changed.

        After a failure the file is closed and opened anew. Should the commit have reached it in spite of the
        error, `undo` takes it back before anything else is written, for nobody was told of it.
        """
        if self._whole is not None and self._db is not None:
            self._whole[:0] = undo  # what was done last is taken back first
            yield self._db
            return
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
        except (sqlite3.Error, OSError, UnicodeError) as error:
            self._torn += undo
            self._disconnect()
            raise JournalError(f"The journal could not be written, so nothing was changed: {plain(error)}") from error
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        """Forget what was begun but not committed."""
        try:
            if self._db is not None and self._db.in_transaction:
                self._db.execute("ROLLBACK")
        except sqlite3.Error:
            self._disconnect()

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
        except (sqlite3.Error, UnicodeError, OSError) as error:
            self._disconnect()
            raise JournalError(f"The journal {self.path} cannot be opened: {plain(error)}") from error
        return True

    # --- opening ----------------------------------------------------------------------------------

    def _open(self) -> None:
        """Open the file, a new one where there is none; salvage what can be read of a damaged one."""
        try:
            if not self.read_only:
                created(self.path)
                kept_private(self.path)
                self._examine()
            self._begin()
        except OSError as error:
            raise JournalError(f"The journal {self.path} cannot be opened: {plain(error)}") from error
        except (sqlite3.Error, UnicodeError) as error:
            if not damaged(error, self.path):
                raise JournalError(f"The journal {self.path} cannot be opened: {plain(error)}") from error
            if self.read_only:
                raise DamagedJournal(
                    f"The journal {self.path} is damaged: {error}. Start the companion to mend it."
                ) from error
            self._salvage(str(error))

    def _begin(self) -> None:
        """Open the file and make it ready to be written to."""
        self._connect()
        if not self.read_only:
            self._lengthen()
            self._inode = self.path.stat().st_ino

    def _examine(self) -> None:
        """Raise `sqlite3.DatabaseError` for a damaged file, before a connection that writes could change anything."""
        try:
            db = connection(self.path, read_only=True)
        except sqlite3.OperationalError:
            return  # what stands in the way of reading is said by the attempt to write
        with closing(db):
            if new(db, self.path, FORMAT):
                return
            said = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if said != "ok":
                raise sqlite3.DatabaseError(said)
            log, index = (Path(f"{self.path}{ending}") for ending in ("-wal", "-shm"))
            if log.exists() and index.exists() and overlooked(log.read_bytes(), counted(index.read_bytes())):
                raise sqlite3.DatabaseError("its log is torn before its end")

    def _connect(self) -> None:
        self._disconnect()
        self._db = db = connection(self.path, self.read_only)
        empty = new(db, self.path, FORMAT)
        if self.read_only:
            if empty:
                raise EmptyJournal(f"There is no journal at {self.path} yet: nothing was ever kept there.")
            return
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if 0 < version < FORMAT:
            self._set_aside(db, version)
        if db.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
            raise JournalError(f"The journal {self.path} cannot be kept safely there: the disk allows no WAL.")
        db.execute(f"PRAGMA synchronous={SYNCHRONOUS}")
        if empty:
            begun(db, FORMAT)
            synced(self.path.parent)

    def _set_aside(self, db: sqlite3.Connection, version: int) -> None:
        """Keep a whole copy of a journal of an older format before anything in it is changed."""
        copy = beside(self.path, ".db", f"format-{version}")
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
        self._db.execute(f"PRAGMA application_id={APPLICATION}")  # anew: in a damaged file it may be another
        self._db.execute(f"PRAGMA user_version={FORMAT}")  # after this commit the log exists
        lengthened(Path(f"{self.path}-wal"), LOG_BYTES)

    def _salvage(self, why: str) -> None:
        """Put a new file with all that can still be read in place of a damaged one, which is kept aside."""
        self._disconnect()
        aside = beside(self.path)
        try:
            found = salvaged(self.path, Path(f"{self.path}-wal"))
            place = atomic.begun(self.path.parent)
            fresh = place / atomic.NEW / self.path.name
            created(fresh)
            with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
                begun(db, FORMAT, found)
            atomic.commit(self.path.parent, place, aside.name, [f"{self.path.name}{end}" for end in ("-wal", "-shm")])
            self._begin()
        except (sqlite3.Error, OSError) as error:
            raise JournalError(f"The damaged journal {self.path} cannot be mended: {plain(error)}") from error
        self.report(
            f"The journal was damaged ({why}). It was kept aside as {aside.name}; {len(found.matches)} matches with "
            f"{len(found.records)} records could be read and were taken over."
        )


def free(path: Path) -> None:
    """Raise `InUse` where somebody writes a journal, `JournalError` where none can be kept or it is not ours to open.

    A damaged one is left for whoever opens it to mend.
    """
    lock = locked(path)
    try:
        finished(path.parent)
        with_room(path.parent)
        if path.exists():
            with suppress(DamagedJournal, EmptyJournal):
                Database(path, read_only=True).close()
    finally:
        os.close(lock)
