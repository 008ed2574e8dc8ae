"""The journal: every match's header and records, durable before anyone is told. Knows no rules, no people, no threads.

One SQLite file (WAL, `synchronous=FULL`) holds all matches, and the few things kept besides them. A move's records
are one commit. Every record carries a checksum; what does not fit is cut off, kept aside and reported, never believed.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from zlib import crc32

import msgspec

from companion.engine import FORMAT, Setup
from companion.salvage import salvaged

APPLICATION = 0x7AB1EC0
"""SQLite's application id of our files, so that a stranger's database is never touched."""
SCHEMA = (
    "CREATE TABLE matches(id INTEGER PRIMARY KEY, header TEXT NOT NULL, seed TEXT NOT NULL, started TEXT NOT NULL,"
    " crc INTEGER NOT NULL, ended TEXT)",
    "CREATE TABLE records(match INTEGER, seq INTEGER, at TEXT NOT NULL, by TEXT NOT NULL, move INTEGER NOT NULL,"
    " size INTEGER NOT NULL, body TEXT NOT NULL, crc INTEGER NOT NULL, PRIMARY KEY(match, seq)) WITHOUT ROWID",
    "CREATE TABLE kept(key TEXT PRIMARY KEY, value BLOB NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID",
)
INSERT = "INSERT INTO records VALUES(?, ?, ?, ?, ?, ?, ?, ?)"


class JournalError(ValueError):
    """The journal cannot be read or written; the message says what, where and what to do."""


class NewerFormat(JournalError):
    """A journal written by a newer companion than this one."""


class InUse(JournalError):
    """Another companion has the journal open."""


class Damaged(JournalError):
    """A record that does not fit its checksum, its number or its move."""


class Record(msgspec.Struct, frozen=True, gc=False):
    """One record: its number from 1, wall clock (ISO 8601), who, the number of its move, and its body as JSON."""

    seq: int
    at: str
    by: str
    move: int
    body: str


class Header(msgspec.Struct, frozen=True):
    """A match as it was set up; `ended` is the moment of its end, None while it runs."""

    id: str
    setup: Setup
    seed: str
    started: str
    ended: str | None


class Summary(msgspec.Struct, frozen=True):
    """A line in the list of matches."""

    id: str
    game: str
    players: tuple[str, ...]
    started: str
    ended: str | None
    changed: str
    records: int


def now() -> str:
    """Return the wall clock as ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def checksum(*parts: object) -> int:
    """Return the checksum of a row's values."""
    return crc32("\x1f".join(map(str, parts)).encode())


class Journal:
    """The journal file at `path`. Use it only in the thread that opened it; `read_only` needs no lock.

    `findings` are sentences about what had to be cut off, for the person who started the companion.
    """

    def __init__(self, path: str | os.PathLike[str], *, read_only: bool = False) -> None:
        self.path = Path(path)
        self.read_only = read_only
        self.findings: list[str] = []
        self._lock: int | None = None
        self._db: sqlite3.Connection | None = None
        self._torn: tuple[int, int] | None = None
        if read_only and not self.path.is_file():
            raise JournalError(f"There is no journal at {self.path}.")
        if not read_only:
            self._lock = _locked(self.path)
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let others write."""
        if self._db is not None:
            self._db.close()
            self._db = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # --- matches ----------------------------------------------------------------------------------

    def create(self, setup: Setup, seed: str = "", at: str = "") -> str:
        """Begin a new match and return its id. The setup must hold its whole catalogue, not the name of one."""
        header, started = msgspec.json.encode(setup).decode(), at or now()
        with self._commit() as db:
            row = db.execute(
                "INSERT INTO matches(header, seed, started, crc) VALUES(?, ?, ?, ?)",
                (header, seed, started, checksum(header, seed, started)),
            )
            return str(row.lastrowid)

    def append(
        self,
        match: str,
        records: Sequence[Record],
        *,
        ended: bool | None = None,
        keep: Mapping[str, bytes] | None = None,
    ) -> None:
        """Write all records of a move in one durable commit, or raise `JournalError` and change nothing.

        `ended` marks the match as over or as running again; `keep` writes what is kept besides in the same commit.
        """
        number, size = int(match), len(records)
        rows = [
            (number, r.seq, r.at, r.by, r.move, size, r.body, checksum(number, r.seq, r.at, r.by, r.move, size, r.body))
            for r in records
        ]
        with self._commit((number, records[0].seq if records else 0)) as db:
            db.executemany(INSERT, rows)
            if ended is not None:
                db.execute("UPDATE matches SET ended = ? WHERE id = ?", (records[-1].at if ended else None, number))
            for key, value in (keep or {}).items():
                _put(db, key, value)

    def matches(self) -> tuple[Summary, ...]:
        """Return all matches, the latest first."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT m.id, m.header, m.started, m.ended, m.seed, m.crc, r.at, coalesce(r.seq, 0) FROM matches m "
                "LEFT JOIN records r ON r.match = m.id AND r.seq = (SELECT max(seq) FROM records WHERE match = m.id) "
                "ORDER BY m.id DESC"
            ).fetchall()
        found: list[Summary] = []
        for number, header, started, ended, seed, crc, changed, count in rows:
            if crc != checksum(header, seed, started):
                self._report(f"Match {number}: its header is damaged, so it cannot be opened.")
                continue
            setup = _setup(header, f"match {number}")
            names = tuple(player.name for player in setup.seated())
            found.append(Summary(str(number), setup.game, names, started, ended, changed or started, count))
        return tuple(found)

    def header(self, match: str) -> Header:
        """Return how a match was set up."""
        with self._reading() as db:
            row = None
            if match.isascii() and match.isdigit():
                row = db.execute(
                    "SELECT header, seed, started, crc, ended FROM matches WHERE id = ?", (int(match),)
                ).fetchone()
        if row is None:
            raise JournalError(f"There is no match {match!r} in {self.path.name}.")
        header, seed, started, crc, ended = row
        if crc != checksum(header, seed, started):
            raise Damaged(f"Match {match} in {self.path.name}: its header is damaged, so it cannot be opened.")
        return Header(match, _setup(header, f"match {match}"), seed, started, ended)

    def records(self, match: str) -> tuple[Record, ...]:
        """Return a match's records. From the first one that is damaged on they are cut off and kept aside."""
        number = int(self.header(match).id)
        rows: list[tuple[object, ...]] = []
        with self._reading() as db:
            rows.extend(db.execute("SELECT * FROM records WHERE match = ? ORDER BY seq", (number,)))
        good, why = sound(rows)
        if why:
            self._cut(number, len(good), rows[len(good) :], why)
        return good

    def _cut(self, number: int, sound_records: int, rest: Sequence[tuple[object, ...]], why: str) -> None:
        """Take the records after the last sound one out of the match, keeping them in a file beside the journal."""
        said = f"Match {number}: {why} The match goes on from record {sound_records}."
        if self.read_only:
            self._report(f"{said} {len(rest)} records were left out.")
            return
        aside = _beside(self.path, "jsonl")
        names = ("match", "seq", "at", "by", "move", "size", "body", "crc")
        lines = [msgspec.json.encode(dict(zip(names, row, strict=True)), enc_hook=repr) for row in rest]
        _write_durably(aside, b"\n".join(lines) + b"\n")
        with self._commit() as db:
            db.execute("DELETE FROM records WHERE match = ? AND seq > ?", (number, sound_records))
            db.execute("UPDATE matches SET ended = NULL WHERE id = ?", (number,))
        self._report(f"{said} {len(rest)} records were cut off and kept in {aside.name}.")

    # --- what is kept besides ---------------------------------------------------------------------

    def kept(self, key: str) -> bytes | None:
        """Return what is kept under a key, or None."""
        with self._reading() as db:
            row = db.execute("SELECT value, crc FROM kept WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        value, crc = row
        if not isinstance(value, bytes) or crc != crc32(value):
            self._report(f"What was kept as {key!r} is damaged and was left out.")
            return None
        return value

    def keep(self, key: str, value: bytes | None) -> None:
        """Keep bytes under a key, durably; None forgets them."""
        with self._commit() as db:
            _put(db, key, value)

    # --- the file ---------------------------------------------------------------------------------

    def _report(self, sentence: str) -> None:
        if sentence not in self.findings:
            self.findings.append(sentence)

    def _open(self) -> None:
        """Open the file; where SQLite itself cannot read it, keep it aside and salvage what can be read."""
        try:
            self._connect()
            if not self.read_only:
                assert self._db is not None
                said = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
                if said != "ok":
                    raise sqlite3.DatabaseError(f"malformed: {said}")
        except sqlite3.OperationalError as error:
            raise JournalError(f"The journal {self.path} cannot be opened: {_plain(error)}") from error
        except sqlite3.DatabaseError as error:
            if self.read_only:
                raise Damaged(
                    f"The journal {self.path} is damaged: {error}. Start the companion to mend it."
                ) from error
            self._salvage(str(error))

    def _connect(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None
        self._db = db = _connection(self.path, self.read_only)
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
        if db.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
            raise JournalError(f"The journal {self.path} cannot be kept safely there: the disk allows no WAL.")
        db.execute("PRAGMA synchronous=FULL")
        if not tables:
            db.execute("BEGIN IMMEDIATE")
            for statement in SCHEMA:
                db.execute(statement)
            db.execute(f"PRAGMA application_id={APPLICATION}")
            db.execute(f"PRAGMA user_version={FORMAT}")
            db.execute("COMMIT")
            _sync_folder(self.path)

    def _salvage(self, why: str) -> None:
        """Move a damaged file aside and begin a new one with all that can still be read of it."""
        if self._db is not None:
            self._db.close()
            self._db = None
        aside = _beside(self.path, "db")
        for suffix in ("", "-wal", "-shm"):
            old = Path(f"{self.path}{suffix}")
            if old.exists():
                old.rename(f"{aside}{suffix}")
        matches, rows, kept = salvaged(aside)
        self._connect()
        with self._commit() as db:
            db.executemany(
                "INSERT OR IGNORE INTO matches(id, header, seed, started, crc, ended) VALUES(?,?,?,?,?,?)", matches
            )
            db.executemany(INSERT.replace("INSERT", "INSERT OR IGNORE"), rows)
            db.executemany("INSERT OR IGNORE INTO kept VALUES(?, ?, ?)", kept)
        self._report(
            f"The journal was damaged ({why}). It was kept aside as {aside.name}; {len(matches)} matches with "
            f"{len(rows)} records could be read and were taken over."
        )
        for number, *_ in matches:
            try:
                self.records(str(number))
            except Damaged as error:
                self._report(str(error))

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for reading; SQLite's complaints become sentences."""
        if self._db is None:
            raise JournalError(f"The journal {self.path} is closed.")
        try:
            yield self._db
        except sqlite3.Error as error:
            raise JournalError(f"The journal {self.path} could not be read: {_plain(error)}") from error

    @contextmanager
    def _commit(self, fresh: tuple[int, int] | None = None) -> Iterator[sqlite3.Connection]:
        """Make all that is done inside one durable commit, or raise `JournalError` with nothing changed.

        After a failed commit the file is closed and opened anew, for a failed fsync must never be tried again on
        the same handle. `fresh` is the match and the number of the first new record: should they have reached
        the file in spite of the error, they are taken out before the next commit, since nobody was told of them.
        """
        if self.read_only:
            raise JournalError(f"The journal {self.path} was opened for reading only.")
        try:
            if self._db is None or self._torn is not None:
                self._heal()
            db = self._db
            assert db is not None
            db.execute("BEGIN IMMEDIATE")
            yield db
            db.execute("COMMIT")
        except (sqlite3.Error, OSError) as error:
            self._torn = self._torn or fresh or (0, 0)
            if self._db is not None:
                self._db.close()
                self._db = None
            raise JournalError(f"The journal could not be written, so nothing was changed: {_plain(error)}") from error

    def _heal(self) -> None:
        """Open the file again after a failed commit, and take out what nobody was told of."""
        if self._lock is None:
            raise JournalError(f"The journal {self.path} is closed.")
        self._connect()
        if self._torn is not None and self._torn[0]:
            assert self._db is not None
            self._db.execute("DELETE FROM records WHERE match = ? AND seq >= ?", self._torn)
        self._torn = None


def sound(rows: Sequence[tuple[object, ...]]) -> tuple[tuple[Record, ...], str]:
    """Return the records up to the first damaged one, whole moves only, and a sentence on what is wrong there."""
    good: list[Record] = []
    whole = left = 0
    why = ""
    for row in rows:
        _, seq, at, by, move, size, body, crc = row
        if crc != checksum(*row[:-1]):
            why = f"Record {len(good) + 1} is damaged: its checksum does not fit."
        elif not isinstance(body, str) or not _is_json(body):
            why = f"Record {len(good) + 1} is damaged: it is no JSON."
        elif seq != len(good) + 1:
            why = f"Record {len(good) + 1} is missing."
        elif left and move != good[-1].move:
            why = f"A record of move {good[-1].move} is missing."
        else:
            assert isinstance(size, int)
            good.append(msgspec.convert({"seq": seq, "at": at, "by": by, "move": move, "body": body}, Record))
            left = (left or size) - 1
            if not left:
                whole = len(good)
            continue
        break
    if not why and left:
        why = f"The last record of move {good[-1].move} is missing."
    return tuple(good[:whole]), why


def _is_json(text: str) -> bool:
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        return False
    return True


def _put(db: sqlite3.Connection, key: str, value: bytes | None) -> None:
    if value is None:
        db.execute("DELETE FROM kept WHERE key = ?", (key,))
    else:
        db.execute("INSERT OR REPLACE INTO kept VALUES(?, ?, ?)", (key, value, crc32(value)))


def _setup(header: str, where: str) -> Setup:
    try:
        return msgspec.json.decode(header, type=Setup)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise JournalError(f"The header of {where} cannot be read: {error}") from error


def _connection(path: Path, read_only: bool) -> sqlite3.Connection:
    if not read_only:
        path.parent.mkdir(parents=True, exist_ok=True)
    mode = "ro" if read_only else "rwc"
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=2.0)
    try:
        db.execute("PRAGMA schema_version")
    except sqlite3.Error:
        db.close()
        raise
    return db


def _locked(path: Path) -> int:
    """Take the lock beside the journal, so that a second writer leaves with a sentence."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise JournalError(f"The data folder {path.parent} cannot be used: {error.strerror}.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise InUse(f"Another companion uses {path.parent}. Close it, or choose another data folder.") from error
    return lock


def _beside(path: Path, kind: str) -> Path:
    """Return a free name beside the journal for what is kept aside."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    names = (f"{path.name}.damaged-{stamp}{n}.{kind}" for n in ("", *(f"-{k}" for k in range(2, 1000))))
    return next(p for name in names if not (p := path.with_name(name)).exists())


def _write_durably(path: Path, data: bytes) -> None:
    try:
        with path.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _sync_folder(path)
    except OSError as error:
        raise JournalError(f"{path} could not be written: {error.strerror}.") from error


def _sync_folder(path: Path) -> None:
    """Make a new file's name durable."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _plain(error: Exception) -> str:
    """Return SQLite's or the system's complaint in words."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error)
    known = {
        "database or disk is full": "the disk is full. Make room, then do it again.",
        "disk I/O error": "the disk reported an error. Do it again; if it stays, use another disk.",
        "attempt to write a readonly database": "the file may only be read. Check who owns it.",
        "database is locked": "another program holds it. Close that program, then do it again.",
        "unable to open database file": "the file cannot be opened. Check that it exists and who owns it.",
    }
    return known.get(text, f"{text}.")
