"""The SQLite file of a journal or a hall: locking, opening, durable commits, recovery from failures and damage.

With WAL and `synchronous=FULL`, a completed commit survives a power cut. A failed commit is never retried on the same
connection. A file that SQLite cannot read is set aside, and everything still readable goes into a new one.
"""

from __future__ import annotations

import glob
import os
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from companion.files import atomic_folder
from companion.files.atomic_folder import sync
from companion.journal import files, schema
from companion.journal.held import WHY, Held, held_by, open_held
from companion.journal.recovery.rows import Rows
from companion.journal.recovery.sqlite_pages import has_lost_commits

SYNCHRONOUS = "FULL"
"""Every commit is on disk before it returns; with WAL, no lower setting survived real power cuts."""
LOG_PAGES = 250
"""After this many pages SQLite copies its log into the file and restarts the log."""
LOG_BYTES = 32 + LOG_PAGES * (24 + 4096)
"""The size to which the log is extended in advance, so that a commit changes no file size.

This halves the cost of a commit. SQLite ignores everything behind the log's last valid frame.
"""
Undo = tuple[str, tuple[object, ...]]
"""A statement that reverses a commit, with its values."""


class Database:
    """The file at `path`. `findings` are sentences about data that was cut off or left out.

    With `hold`, a file on a full or read-only disk is held: readers use a copy in memory, and nothing is written until
    `regain` succeeds.
    """

    def __init__(self, path: Path, read_only: bool, hold: bool = False, kind: schema.FileKind = schema.JOURNAL) -> None:
        self.path, self.read_only, self.kind = path, read_only, kind
        self._called = f"The {kind.name} {path}"
        self.findings: list[str] = []
        self.held: Held = ""
        """Why the file is held; empty if it is open."""
        self._may_hold = hold
        self._lock: int | None = None
        self._db: sqlite3.Connection | None = None
        self._torn: list[Undo] = []
        self._whole: list[Undo] | None = None
        """The statements that reverse all commits inside `transaction`; None outside it."""
        self._inode: int | None = None
        if read_only and not path.is_file():
            raise files.JournalError(f"There is no {kind.name} at {path}.")
        if not read_only:
            self._lock = files.take_lock(path)
        try:
            if not read_only:
                files.finish_restoration(path.parent)
            self._open()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file and release the lock."""
        self._disconnect()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def report(self, sentence: str) -> None:
        """Add a finding for the person who started the companion."""
        if sentence not in self.findings:
            self.findings.append(sentence)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Provide the connection for reading; SQLite's errors become `JournalError`."""
        if self._db is None and not self._reopen():
            raise files.JournalError(f"{self._called} is closed.")
        assert self._db is not None
        try:
            yield self._db
        except (sqlite3.Error, UnicodeError) as error:
            raise files.JournalError(f"{self._called} could not be read: {files.describe_error(error)}") from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Combine all commits inside into one."""
        undo: list[Undo] = []
        with self.commit(undo):
            self._whole = undo
            try:
                yield
            finally:
                self._whole = None

    @contextmanager
    def commit(self, undo: Sequence[Undo] = ()) -> Iterator[sqlite3.Connection]:
        """Make all changes inside one durable commit, or raise `JournalError` and change nothing.

        After a failure the file is closed and opened again. If the commit reached it despite the error, `undo` reverses
        it before the next write, since the caller got an error.
        """
        if self._whole is not None and self._db is not None:
            self._whole[:0] = undo  # the last commit is reversed first
            yield self._db
            return
        if self.read_only:
            raise files.JournalError(f"{self._called} was opened read-only.")
        try:
            if self._db is None and not self._reopen():
                raise files.JournalError(f"{self._called} is closed.")
            db = self._db
            assert db is not None
            if self.held:
                raise files.JournalError(
                    f"The {self.kind.name} could not be written, so nothing was changed: {WHY[self.held]}"
                )
            self._require_file()
            if self._torn:
                self._reverse_failed(db)
            db.execute("BEGIN IMMEDIATE")
            yield db
            db.execute("COMMIT")
        except (sqlite3.Error, OSError, UnicodeError) as error:
            self._torn += undo
            self._disconnect()
            self._hold()
            raise files.JournalError(
                f"The {self.kind.name} could not be written, so nothing was changed: {files.describe_error(error)}"
            ) from error
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        """Roll back an open transaction."""
        try:
            if self._db is not None and self._db.in_transaction:
                self._db.execute("ROLLBACK")
        except sqlite3.Error:
            self._disconnect()

    def _require_file(self) -> None:
        """Raise `JournalError` if the file was deleted or replaced: writes would be lost."""
        try:
            inode = self.path.stat().st_ino
        except OSError as error:
            why = files.describe_error(error)
            raise files.JournalError(f"{self._called} is gone ({why}) Bring its folder back.") from error
        if inode != self._inode:
            raise files.JournalError(f"{self._called} has been replaced by another file. Restart the companion.")

    def _reverse_failed(self, db: sqlite3.Connection) -> None:
        """Reverse failed commits that may have reached the file."""
        db.execute("BEGIN IMMEDIATE")
        for statement, values in self._torn:
            db.execute(statement, values)
        db.execute("COMMIT")
        self._torn = []

    def _disconnect(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def _reopen(self) -> bool:
        """Open the file after a failure; return False if it was closed by `close`."""
        if self._lock is None:
            return False
        self._require_file()  # connecting would create a new, empty file
        try:
            self._connect()
            self._extend_log()
        except (sqlite3.Error, UnicodeError, OSError) as error:
            self._disconnect()
            if not self._hold():
                raise files.JournalError(f"{self._called} cannot be opened: {files.describe_error(error)}") from error
        return True

    # --- a disk that takes nothing ----------------------------------------------------------------

    def _hold(self, found: Sequence[Rows] | None = None) -> bool:
        """Hold the file if the disk is full or read-only, and return whether it did; `open_held` uses `found`."""
        held = held_by(files.room_error(self.path.parent)) if self._may_hold and not files.is_empty(self.path) else ""
        if not held:
            return False
        try:
            self._db = open_held(self.path, self.kind, found, self._torn)
        except (sqlite3.Error, OSError):
            return False
        self.held, self._inode = held, self.path.stat().st_ino
        return True

    def regain(self) -> bool:
        """Try to open a held file for writing; return whether that worked."""
        if not self.held:
            return True
        error = files.room_error(self.path.parent)
        if error is not None:
            self.held = held_by(error) or self.held
            return False
        copy, held = self._db, self.held
        self._db, self.held = None, ""
        try:
            self._require_file()
            self._open()
            if self._torn and self._db is not None and not self.held:
                self._reverse_failed(self._db)
        except (files.JournalError, sqlite3.Error, OSError):
            self._disconnect()
            self._db, self.held = copy, held
        if self._db is not copy and copy is not None:
            copy.close()
        return not self.held

    # --- opening ----------------------------------------------------------------------------------

    def _open(self) -> None:
        """Open the file, create a missing one, and recover a damaged one."""
        try:
            if not self.read_only:
                files.create_private_file(self.path)
                files.restrict_access(self.path)
                self._check_integrity()
            self._prepare()
        except (sqlite3.Error, UnicodeError, OSError) as error:
            if isinstance(error, OSError) or not schema.is_damage(error, self.path):
                self._disconnect()
                if self._hold():
                    return
                raise files.JournalError(f"{self._called} cannot be opened: {files.describe_error(error)}") from error
            if self.read_only:
                raise files.DamagedJournal(
                    f"{self._called} is damaged: {error}. Start the companion to repair it."
                ) from error
            self.recover(str(error))

    def _prepare(self) -> None:
        """Connect, and prepare the file for writing."""
        self._connect()
        if not self.read_only:
            self._extend_log()
            self._inode = self.path.stat().st_ino

    def _check_integrity(self) -> None:
        """Raise `sqlite3.DatabaseError` for a damaged file before a writing connection can change it."""
        try:
            db = self._opened(read_only=True)
        except sqlite3.OperationalError:
            return  # the attempt to write will report the reason
        with closing(db):
            if schema.is_new(db, self.path, self.kind):
                return
            result = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if result != "ok":
                raise sqlite3.DatabaseError(result)
            log, index = (Path(f"{self.path}{ending}") for ending in ("-wal", "-shm"))
            if not log.exists() or not index.exists():
                return
            if has_lost_commits(log.read_bytes(), schema.valid_frames(index.read_bytes())):
                raise sqlite3.DatabaseError("its log is torn before its end")

    def _opened(self, read_only: bool) -> sqlite3.Connection:
        if self.kind.threads:
            return schema.open_connection(self.path, read_only, threads=True)
        return schema.open_connection(self.path, read_only)

    def _connect(self) -> None:
        self._disconnect()
        self._db = db = self._opened(self.read_only)
        empty = schema.is_new(db, self.path, self.kind)
        if self.read_only:
            if empty:
                raise files.EmptyJournal(
                    f"There is no {self.kind.name} at {self.path} yet: nothing has been saved there."
                )
            return
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if 0 < version < self.kind.format:
            self._set_aside(db, version)
        if db.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
            raise files.JournalError(f"{self._called} cannot be kept safely there: the disk allows no WAL.")
        db.execute(f"PRAGMA synchronous={SYNCHRONOUS}")
        for statement in self.kind.setup:
            db.execute(statement).close()
        if empty:
            schema.create_tables(db, self.kind)
            sync(self.path.parent)

    def _set_aside(self, db: sqlite3.Connection, version: int) -> None:
        """Keep a full copy of a journal in an older format before converting it."""
        copy = files.aside_path(self.path, ".db", f"format-{version}")
        half = copy.with_name(f".{copy.name}")
        half.unlink(missing_ok=True)
        os.close(os.open(half, os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(half)) as target:
            db.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
        half.rename(copy)
        for each in (copy, copy.parent):
            sync(each)
        self.report(
            f"The {self.kind.name} was written by an older companion (format {version}); it is kept as {copy.name}."
        )

    def _extend_log(self) -> None:
        """Extend the log to its full size to make later commits cheap."""
        assert self._db is not None
        self._db.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
        # Set the id again, since it may be wrong in a damaged file.
        self._db.execute(f"PRAGMA application_id={schema.APPLICATION}")
        # After this commit the log exists.
        self._db.execute(f"PRAGMA user_version={self.kind.format}")
        files.extend_file(Path(f"{self.path}-wal"), LOG_BYTES)

    def recover(self, why: str) -> None:
        """Set a damaged file aside and replace it by a new one with everything still readable."""
        self._disconnect()
        aside, found = files.aside_path(self.path), None
        try:
            found = self.kind.recover(self.path, Path(f"{self.path}-wal"))
            place = atomic_folder.prepare(self.path.parent)
            fresh = place / atomic_folder.NEW / self.path.name
            files.create_private_file(fresh)
            with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
                schema.create_tables(db, self.kind, found)
            atomic_folder.commit(
                self.path.parent, place, aside.name, [f"{self.path.name}{end}" for end in ("-wal", "-shm")]
            )
            self._prepare()
        except (sqlite3.Error, OSError) as error:
            self._disconnect()
            if found is not None and self._hold(found):
                return
            raise files.JournalError(
                f"The damaged {self.kind.name} {self.path} cannot be repaired: {files.describe_error(error)}"
            ) from error
        self.report(f"The {self.kind.name} was damaged ({why}). It was moved to {aside.name}; {self.kind.tell(found)}")

    def scrub(self) -> None:
        """Overwrite deleted data in the file and its log, and delete what was set aside; raise `JournalError`."""
        with self.reading() as db:
            if self.held:
                raise files.JournalError(f"{self._called} could not be written: {WHY[self.held]}")
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()
            self._extend_log()
        for aside in self.path.parent.glob(f"{glob.escape(self.path.name)}.damaged-*"):
            shutil.rmtree(aside) if aside.is_dir() else aside.unlink()


def check_free(path: Path) -> None:
    """Raise `JournalInUse` if another process writes the journal, `JournalError` if it cannot be created or opened.

    A full or read-only disk prevents only a new journal: an old one can be held. A damaged journal raises nothing:
    opening it for writing recovers it.
    """
    lock = files.take_lock(path)
    try:
        files.finish_restoration(path.parent)
        if files.is_empty(path):
            files.require_room(path.parent)
        if path.exists():
            with suppress(files.DamagedJournal, files.EmptyJournal):
                Database(path, read_only=True).close()
    finally:
        os.close(lock)
