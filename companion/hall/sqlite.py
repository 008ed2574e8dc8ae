"""A hall's database in one SQLite file, as safe as a journal: open it, write it, and recover a damaged one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from companion.devices.hall_link.messages import read_result
from companion.hall import entries as e
from companion.hall.entries import Body, Entry, decode_body
from companion.hall.store import INSERT, AnyStore, Connection, StoreError, entry_of, row_of
from companion.journal.database import Database, Undo
from companion.journal.files import JournalError
from companion.journal.recovery.rows import Rows, Shape, recover_tables
from companion.journal.schema import FileKind

SQLITE = "sqlite:///"
ALONE = (e.TableAdmitted, e.TableNumbered, e.TableRemoved, e.ResultReported)
"""Entries that depend on no earlier ones: tables and their signed results."""


def sqlite_url(path: Path) -> str:
    """Return the address of a database file."""
    return f"{SQLITE}{path}"


class EntryStore(AnyStore):
    """A hall's entries in a file, which only one hall may open."""

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
        """Delete every entry for good, even from damaged files that were set aside, and write these instead."""
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
    """Return the entries that are still valid.

    These are all entries up to the first lost one, and later ones that stand alone: others may depend on lost entries.
    If the first entry is lost, the hall's id comes from its tables' results.
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
    """Return how many entries from the first on have no gap; 0 if the first is lost."""
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
