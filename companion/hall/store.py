"""The hall's database: one table of entries, in SQLite and as safe as a journal; or in PostgreSQL (`postgresql.py`)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import msgspec

from companion.devices.hall_link.messages import MessageError, read_result
from companion.hall import entries as e
from companion.hall.entries import Body, Entry, decode_body, encode_body
from companion.journal.database import Database, Undo
from companion.journal.files import JournalError
from companion.journal.recovery.rows import Rows, Shape, recover_tables
from companion.journal.schema import FileKind

SQLITE = "sqlite:///"
SELECT, INSERT = 'SELECT number, at, "by", body FROM entries', 'INSERT INTO entries(number, at, "by", body) VALUES'
ALONE = (e.TableAdmitted, e.TableNumbered, e.TableRemoved, e.ResultReported)
"""Entries that depend on no earlier ones: tables and their signed results."""
Row = tuple[int, float, str, bytes]


class StoreError(RuntimeError):
    """The database cannot be reached or written; the message says why."""


class Cursor(Protocol):
    """The part of a database's cursor that is used here."""

    def fetchone(self) -> Row: ...  # noqa: D102

    def fetchall(self) -> list[Row]: ...  # noqa: D102

    def executemany(self, statement: str, rows: Sequence[Row], /) -> object: ...  # noqa: D102


class Connection(Protocol):
    """The part of a database's connection that is used here, of SQLite's and of PostgreSQL's."""

    def execute(self, statement: str, values: Sequence[object] = (), /) -> Cursor: ...  # noqa: D102

    def cursor(self) -> Cursor: ...  # noqa: D102


class AnyStore:
    """A hall's entries, numbered upwards, for one thread at a time. Everything raises `StoreError`."""

    findings: Sequence[str] = ()
    """What was wrong with the database when it was opened, as English sentences."""
    mark = "?"
    """What stands for a value in a statement."""

    def close(self) -> None:
        """Close the database."""

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Provide a connection for reading."""
        raise NotImplementedError
        yield

    @contextmanager
    def writing(self, undo: Sequence[Undo]) -> Iterator[Connection]:
        """Provide a connection for one durable commit; `undo` reverses one that failed and has reached the disk."""
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
        """Write entries behind number `after`, all or none; None if another server of this hall was first."""
        with self.writing([("DELETE FROM entries WHERE number > ?", (after,))]) as db:
            return self._insert(db, after, at, by, bodies)

    def replace_all(self, at: float, by: str, bodies: Sequence[Body]) -> list[Entry]:
        """Delete every entry for good and write these instead. Numbers go on, so that other servers notice."""
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
    """Return a stored entry; raise `StoreError` for one that cannot be read."""
    try:
        body = decode_body(row[3])
        if isinstance(body, e.ResultReported):
            read_result(body.payload)
    except (msgspec.DecodeError, MessageError) as error:
        raise StoreError(f"entry {row[0]} cannot be read: {error}") from error
    return Entry(*row[:3], body)


def sqlite_url(path: Path) -> str:
    """Return the address of a database file."""
    return f"{SQLITE}{path}"


class EntryStore(AnyStore):
    """A hall's entries in a file, which one hall alone may open."""

    def __init__(self, url: str) -> None:
        """Open `sqlite:///PATH`; raise `StoreError` if that is impossible."""
        path = Path(url.removeprefix(SQLITE))
        if not url.startswith(SQLITE) or not path.parent.is_dir():
            raise StoreError(f"{url}: unable to open database file; there is no such folder.")
        used = path.with_name(f"{path.name}.lock").exists() or path.exists()
        with _as_store_error():
            self._file = Database(path, read_only=False, hold=True, kind=HALL)
        self.findings = self._file.findings
        try:
            self.read()
        except StoreError as error:
            with _as_store_error():
                self._file.recover(str(error))
        if used and not self.first():
            self._file.report(
                f"The hall's database {path} was empty, although a hall was kept there before. This is a new hall, "
                "which its tables do not know. To have the old one back, end this one and put back a copy of the file."
            )

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Provide a connection for reading."""
        with _as_store_error(), self._file.reading() as db:
            yield db

    @contextmanager
    def writing(self, undo: Sequence[Undo]) -> Iterator[Connection]:
        """Provide a connection for one durable commit."""
        with _as_store_error():
            self._file.regain()
            with self._file.commit(undo) as db:
                yield db

    def replace_all(self, at: float, by: str, bodies: Sequence[Body]) -> list[Entry]:
        """Delete every entry for good, also from damaged files that were set aside, and write these in their place."""
        entries = super().replace_all(at, by, bodies)
        with _as_store_error():
            self._file.scrub()
        return entries


@contextmanager
def _as_store_error() -> Iterator[None]:
    try:
        yield
    except (JournalError, OSError) as error:
        raise StoreError(str(error)) from error


# --- a damaged file -------------------------------------------------------------------------------


def _sound(row: tuple[object, ...]) -> bool:
    number, at, by, body = row
    if not (
        isinstance(number, int) and isinstance(at, int | float) and isinstance(by, str) and isinstance(body, bytes)
    ):
        return False
    try:
        entry_of((number, at, by, body))
    except StoreError:
        return False
    return True


def _recover(file: Path, log: Path) -> list[Rows]:
    """Return the entries that hold.

    All up to the first that is lost; of the later ones only those that stand alone, for others may build on what is
    lost. A hall whose first entry is lost is known by its tables' results.
    """
    (rows,) = recover_tables(file, log, (Shape(4, 1, _sound, numbered=True),))
    whole = _whole(rows)
    kept = rows[:whole] + [row for row in rows[whole:] if isinstance(decode_body(row[3]), ALONE)]
    if not whole and kept:
        results = [body for row in kept if isinstance(body := decode_body(row[3]), e.ResultReported)]
        if results and kept[0][0] > 1:
            opened = e.HallOpened(read_result(results[0].payload).hall, "Hall")
            kept.insert(0, row_of(Entry(1, kept[0][1], "hall", opened)))
    return [kept]


def _whole(rows: Rows) -> int:
    """Return how many entries from the first on are without a gap; 0 if the first is lost."""
    if not rows or not isinstance(decode_body(rows[0][3]), e.HallOpened):
        return 0
    return sum(1 for _ in itertools.takewhile(lambda row: row[1][0] == rows[0][0] + row[0], enumerate(rows)))


def _tell(found: Sequence[Rows]) -> str:
    (rows,) = found
    whole = _whole(rows)
    said = f"{len(rows)} entries could be read and were kept."
    if whole == len(rows):
        return f"{said} Look whether the last ones are there."
    return (
        f"{said} What was written after entry {rows[whole - 1][0] if whole else 0} is lost, but for tables and results."
    )


HALL = FileKind(
    "hall's database",
    1,
    frozenset({"entries"}),
    (
        'CREATE TABLE entries(number BIGINT NOT NULL, at FLOAT NOT NULL, "by" VARCHAR(80) NOT NULL, '
        "body BLOB NOT NULL, PRIMARY KEY(number))",
    ),
    (f"{INSERT}(?, ?, ?, ?)",),
    _recover,
    _tell,
    threads=True,
    setup=("PRAGMA secure_delete = ON",),
)
