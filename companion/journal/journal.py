"""The journal: the header and records of every match, durable before anybody sees them.

One file holds all matches and a few other values. A move's records are one commit. Every record has a checksum; damaged
records are cut off, set aside and reported.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from zlib import crc32

import msgspec
from msgspec.structs import replace

from companion.engine import Player, Setup
from companion.journal.database import Database, Undo
from companion.journal.files import DamagedJournal as DamagedJournal
from companion.journal.files import EmptyJournal as EmptyJournal
from companion.journal.files import JournalError as JournalError
from companion.journal.files import JournalInUse as JournalInUse
from companion.journal.files import NewerFormat as NewerFormat
from companion.journal.files import aside_path, write_durably
from companion.journal.held import Held
from companion.journal.recovery.rows import Row
from companion.journal.recovery.rows import checksum as checksum
from companion.journal.schema import INSERT_KEPT, INSERT_MATCH, INSERT_RECORD

JOURNAL = "journal.db"
"""The journal's file in the data folder."""
PLAYERS = "players/"
"""The key prefix for the players of a match, stored once one of them is renamed."""
COLUMNS = ("match", "seq", "at", "by", "move", "size", "body", "crc")
"""A record's columns; `size` is the number of records in its move, which reveals an incomplete move."""


class Record(msgspec.Struct, frozen=True, gc=False):
    """One record: its number from 1, wall clock (ISO 8601), actor, move number, and body as JSON."""

    seq: int
    at: str
    by: str
    move: int
    body: str


class Header(msgspec.Struct, frozen=True):
    """A match's setup; `ended` is when it ended, None while it runs."""

    id: str
    setup: Setup
    seed: str
    started: str
    ended: str | None


class Summary(msgspec.Struct, frozen=True):
    """A line in the list of matches."""

    id: str
    game: str
    setup: Setup
    started: str
    ended: str | None
    changed: str
    records: int

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, in seat order."""
        return tuple([player.name for player in self.setup.seated()])


def now() -> str:
    """Return the wall clock as ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Journal:
    """The journal file at `path`. Use it only in the thread that opened it; `read_only` takes no lock.

    With `hold`, a journal on a full or read-only disk can be read, and written once `regain` succeeds.
    """

    def __init__(self, path: str | os.PathLike[str], *, read_only: bool = False, hold: bool = False) -> None:
        self.path = Path(path)
        self.read_only = read_only
        self._file = Database(self.path, read_only, hold)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and release the lock."""
        self._file.close()

    @property
    def findings(self) -> list[str]:
        """Sentences about data that was cut off or left out, for the person who started the companion."""
        return self._file.findings

    @property
    def held(self) -> Held:
        """Why the disk accepts no writes now; empty if it does."""
        return self._file.held

    def regain(self) -> bool:
        """Whether the journal can be written; for a held one, try again first."""
        return self._file.regain()

    def copy_to(self, target: sqlite3.Connection) -> None:
        """Copy the whole file at one moment, even while it is being written."""
        with self._file.reading() as db:
            db.backup(target)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Combine all writes inside into one durable commit, or raise `JournalError` and change nothing."""
        with self._file.transaction():
            yield

    # --- matches ----------------------------------------------------------------------------------

    def create(self, setup: Setup, seed: str = "", at: str = "") -> str:
        """Start a new match and return its id. The setup must contain the whole catalogue, not only its name."""
        header, started = msgspec.json.encode(setup).decode(), at or now()
        with self._file.reading() as db:
            # Records of a match whose header was lost may still exist; a new match must not take its number.
            (last,) = db.execute(
                "SELECT max(coalesce((SELECT max(id) FROM matches), 0), coalesce((SELECT max(match) FROM records), 0))"
            ).fetchone()
        with self._file.commit([("DELETE FROM matches WHERE id > ?", (last,))]) as db:
            crc = checksum(last + 1, header, seed, started)
            db.execute(INSERT_MATCH, (last + 1, header, seed, started, crc, None))
            # Left by a lost match with the same number.
            db.execute("DELETE FROM kept WHERE key = ?", (f"{PLAYERS}{last + 1}",))
        return str(last + 1)

    def append(
        self,
        match: str,
        records: Sequence[Record],
        *,
        ended: bool | None = None,
        keep: Mapping[str, bytes | None] | None = None,
    ) -> None:
        """Write all records of a move in one durable commit, or raise `JournalError` and change nothing.

        `ended` marks the match as over or as running again; `keep` stores other values in the same commit.
        """
        number, size = int(match), len(records)
        rows = [(number, r.seq, r.at, r.by, r.move, size, r.body) for r in records]
        undo: list[Undo] = [("DELETE FROM records WHERE match = ? AND seq >= ?", (number, records[0].seq))]
        if ended is not None:
            undo.append(("UPDATE matches SET ended = ? WHERE id = ?", (self.header(match).ended, number)))
        undo += [_store(key, self.read_value(key)) for key in keep or {}]
        with self._file.commit(undo) as db:
            db.executemany(INSERT_RECORD, [(*row, checksum(*row)) for row in rows])
            if ended is not None:
                db.execute("UPDATE matches SET ended = ? WHERE id = ?", (records[-1].at if ended else None, number))
            for key, value in (keep or {}).items():
                db.execute(*_store(key, value))

    def matches(self) -> tuple[Summary, ...]:
        """Return all matches, the latest first. A match with a damaged header is reported and left out."""
        with self._file.reading() as db:
            rows = db.execute(
                "SELECT m.id, m.header, m.seed, m.started, m.crc, m.ended, r.at, coalesce(r.seq, 0) FROM matches m "
                "LEFT JOIN records r ON r.match = m.id AND r.seq = (SELECT max(seq) FROM records WHERE match = m.id) "
                "ORDER BY m.id DESC"
            ).fetchall()
        found: list[Summary] = []
        players = self.read_values(PLAYERS)
        for *row, changed, count in rows:
            try:
                header = _header(row)
            except DamagedJournal as error:
                self._file.report(str(error))
                continue
            setup, started, ended = header.setup, header.started, header.ended
            if (kept := players.get(PLAYERS + header.id)) is not None:
                setup = replace(setup, players=msgspec.json.decode(kept, type=tuple[Player, ...]))
            found.append(Summary(header.id, setup.game, setup, started, ended, str(changed or started), count))
        return tuple(found)

    def summary(self, match: str) -> Summary:
        """Return a match's line in the list."""
        found = next((each for each in self.matches() if each.id == match), None)
        if found is None:
            raise JournalError(f"There is no match {match!r} in {self.path.name}.")
        return found

    def header(self, match: str) -> Header:
        """Return a match's header."""
        row = None
        if match.isascii() and match.isdigit() and len(match) < len(str(1 << 62)):
            with self._file.reading() as db:
                query = "SELECT id, header, seed, started, crc, ended FROM matches WHERE id = ?"
                row = db.execute(query, (int(match),)).fetchone()
        if row is None:
            raise JournalError(f"There is no match {match!r} in {self.path.name}.")
        return _header(row)

    def records(self, match: str) -> tuple[Record, ...]:
        """Return a match's records up to the first damaged one; the rest is cut off and set aside."""
        number = int(self.header(match).id)
        with self._file.reading() as db:
            rows = db.execute("SELECT * FROM records WHERE match = ? ORDER BY seq", (number,)).fetchall()
        good, why = sound_records(rows)
        if why:
            self._cut(number, len(good), rows[len(good) :], why)
        return good

    def _cut(self, number: int, kept: int, rest: Sequence[Row], why: str) -> None:
        """Move the records after the last sound one to a file beside the journal."""
        finding = f"Match {number}: {why} The match goes on from record {kept}."
        if self.read_only or self.held:
            self._file.report(f"{finding} {len(rest)} damaged or later records were left out.")
            return
        aside = aside_path(self.path, ".jsonl")
        lines = [msgspec.json.encode(dict(zip(COLUMNS, row, strict=True)), enc_hook=repr) for row in rest]
        write_durably(aside, b"\n".join(lines) + b"\n")
        with self._file.commit() as db:
            db.execute("DELETE FROM records WHERE match = ? AND seq > ?", (number, kept))
            for row in rest:  # even rows whose number is no number
                db.execute("DELETE FROM records WHERE match = ? AND seq IS ?", (number, row[1]))
            db.execute("UPDATE matches SET ended = NULL WHERE id = ?", (number,))
        self._file.report(f"{finding} {len(rest)} damaged or later records were cut off and kept in {aside.name}.")

    # --- other values -----------------------------------------------------------------------------

    def read_value(self, key: str) -> bytes | None:
        """Return the bytes kept under a key, or None."""
        with self._file.reading() as db:
            row = db.execute("SELECT key, value, crc FROM kept WHERE key = ?", (key,)).fetchone()
        return None if row is None else self._check_value(*row)

    def read_values(self, prefix: str) -> dict[str, bytes]:
        """Return all undamaged values under keys with a prefix, by key."""
        with self._file.reading() as db:
            query = "SELECT key, value, crc FROM kept WHERE substr(key, 1, ?) = ?"
            rows = db.execute(query, (len(prefix), prefix)).fetchall()
        found = {str(row[0]): self._check_value(*row) for row in rows}
        return {key: value for key, value in found.items() if value is not None}

    def _check_value(self, key: str, value: object, crc: object) -> bytes | None:
        """Return a value that matches its checksum; report any other as damaged."""
        if isinstance(value, bytes) and crc == crc32(value):
            return value
        self._file.report(f"The stored value {key!r} is damaged and was left out.")
        return None

    def keep(self, key: str, value: bytes | None) -> None:
        """Keep bytes under a key, durably; None deletes them."""
        self.keep_all({key: value})

    def keep_all(self, values: Mapping[str, bytes | None]) -> None:
        """Keep bytes under several keys, in one durable commit; None deletes them."""
        with self._file.commit([_store(key, self.read_value(key)) for key in values]) as db:
            for key, value in values.items():
                db.execute(*_store(key, value))


def sound_records(rows: Sequence[Row]) -> tuple[tuple[Record, ...], str]:
    """Return the records of whole moves up to the first damaged one, and a sentence about the damage."""
    good: list[Record] = []
    whole = left = 0
    why = ""
    for row in rows:
        _, seq, at, by, move, size, body, crc = row
        number = len(good) + 1
        if seq != number:
            why = f"Record {number} is missing."
        elif crc != checksum(*row[:-1]):
            why = f"Record {number} is damaged: its checksum does not fit."
        elif not _is_json(body):
            why = f"Record {number} is damaged: it is not JSON."
        elif left and move != good[-1].move:
            why = f"A record of move {good[-1].move} is missing."
        else:
            good.append(Record(seq, at, by, move, body))
            left = (left or size) - 1
            if not left:
                whole = len(good)
            continue
        break
    if not why and left:
        why = f"The last record of move {good[-1].move} is missing."
    return tuple(good[:whole]), why


def _is_json(text: object) -> bool:
    try:
        msgspec.json.decode(text if isinstance(text, str) else "")
    except (msgspec.DecodeError, UnicodeError):
        return False
    return True


def _store(key: str, value: bytes | None) -> Undo:
    """Return the statement that stores a value under a key, or deletes the key."""
    if value is None:
        return "DELETE FROM kept WHERE key = ?", (key,)
    return INSERT_KEPT, (key, value, crc32(value))


def _header(row: Row) -> Header:
    """Return a match's header from its row; raise `DamagedJournal` if it does not match its checksum."""
    number, header, seed, started, crc, ended = row
    if crc != checksum(number, header, seed, started):
        raise DamagedJournal(f"Match {number} cannot be opened: its header is damaged.")
    try:
        setup = msgspec.json.decode(header, type=Setup)
        return Header(str(number), setup, seed, started, ended if isinstance(ended, str) else None)
    except msgspec.DecodeError as error:
        raise DamagedJournal(f"Match {number} cannot be opened: its header does not fit ({error}).") from error
