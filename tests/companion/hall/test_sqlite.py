"""The hall's database survives damage, deletion, a full disk, a second server and an older format."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.devices.bus.address import BrokerAddress
from companion.devices.hall_link.messages import Placing, Result
from companion.devices.hall_link.signing import TableKey
from companion.hall import entries as e
from companion.hall.hall import Hall
from companion.hall.sqlite import EntryStore, sqlite_url
from companion.hall.store import StoreError
from companion.journal import files, schema

KEY = TableKey.from_bytes(bytes(32))
ADMITTED = e.TableAdmitted("ab12cd34", "Window", 1, KEY.public, "$7$")
OLD = (
    'CREATE TABLE entries (number BIGINT NOT NULL, at FLOAT NOT NULL, "by" VARCHAR(80) NOT NULL, body BLOB NOT NULL, '
    "PRIMARY KEY (number))"
)
"""The definition of the database's table in older versions."""


def reported(match: int) -> e.ResultReported:
    """Return the entry of a table's signed result."""
    result = Result(
        hall="h1", table=ADMITTED.table, round=1, match=f"m{match}", sequence=1, game="trains", names=("Bob", "Ann"),
        placings=(Placing((0,), 1, 9), Placing((1,), 2, 4)),
    )  # fmt: skip
    signed = KEY.sign(result)
    return e.ResultReported(ADMITTED.table, signed.payload, signed.signature)


BODIES: tuple[e.Body, ...] = (
    e.HallOpened("h1", "The club"),
    ADMITTED,
    *(e.PlayersEntered((f"Player {number} {'x' * 30}",)) for number in range(100)),
    e.NamesShown("initials"),
    *(reported(match) for match in range(30)),
    e.NamesShown("numbers"),
)


def filled(path: Path, bodies: tuple[e.Body, ...] = BODIES) -> list[e.Entry]:
    """Write entries to a hall's database one by one, close it and return them."""
    store = EntryStore(sqlite_url(path))
    written = [store.append(number, 1000.0 + number / 4, "organiser", [body]) for number, body in enumerate(bodies)]
    store.close()
    return [entry for each in written if each is not None for entry in each]


def opened(path: Path) -> tuple[list[e.Entry], str]:
    """Return the entries and findings of a database."""
    store = EntryStore(sqlite_url(path))
    try:
        return store.read(), " ".join(store.findings)
    finally:
        store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of the database."""
    return tmp_path / "hall.sqlite"


def page_with(path: Path, text: bytes) -> int:
    """Return the offset of the page that contains a text."""
    return path.read_bytes().index(text) // 4096 * 4096


def overwrite(path: Path, at: int, data: bytes) -> None:
    """Overwrite bytes of a file at an offset."""
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def test_what_was_written_is_read_and_only_by_its_owner(path: Path) -> None:
    """Entries are read back without findings, and only the owner can read the file."""
    written = filled(path)
    assert opened(path) == (written, "")
    assert path.stat().st_mode & 0o777 == 0o600


def test_an_older_halls_database_gives_what_it_gave(path: Path) -> None:
    """The database of an older version is read with all its entries."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(OLD)
        rows = [(number, 1000.0, "organiser", e.encode_body(body)) for number, body in enumerate(BODIES, 1)]
        db.executemany("INSERT INTO entries VALUES(?, ?, ?, ?)", rows)
        db.commit()
    found, said = opened(path)
    assert ([entry.body for entry in found], said) == (list(BODIES), "")
    assert opened(path) == (found, "")


def test_a_second_hall_is_refused(path: Path) -> None:
    """A second hall on the same file is refused, because both would overwrite each other's entries."""
    store = EntryStore(sqlite_url(path))
    with pytest.raises(StoreError, match="Another companion uses"):
        EntryStore(sqlite_url(path))
    store.close()


DAMAGE: dict[str, Callable[[Path], None]] = {
    "its first page": lambda path: overwrite(path, 0, os.urandom(4096)),
    "its tree": lambda path: overwrite(path, page_with(path, b"CREATE TABLE") + 100, b"\xff" * 60),
    "no database": lambda path: overwrite(path, 0, b"not a database at all"),
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_database_is_named_kept_and_read(path: Path, how: str) -> None:
    """A damaged database is set aside, and all entries on intact pages are recovered."""
    written = filled(path)
    DAMAGE[how](path)
    found, said = opened(path)
    assert found == written and "was damaged" in said and f"{len(written)} entries could be read" in said
    (aside,) = path.parent.glob("hall.sqlite.damaged-*")
    assert aside.name in said
    assert opened(path) == (found, "")


def test_after_a_lost_entry_only_what_stands_alone_is_kept(path: Path) -> None:
    """After a lost entry only tables' signed results are kept, because other entries depend on earlier ones."""
    written = filled(path, (e.HallOpened("h1", "The club", "c" * 32), *BODIES[1:]))
    at = page_with(path, b"Player 50 ")
    lost = path.read_bytes()[at : at + 4096]
    overwrite(path, at, bytes(4096))
    found, said = opened(path)
    first = next(entry.number for entry in written if e.encode_body(entry.body) in lost)
    kept = [entry for entry in written if entry.number < first or isinstance(entry.body, e.ResultReported)]
    assert found == kept and f"after entry {first - 1} is lost" in said
    store = EntryStore(sqlite_url(path))
    assert Hall(store, BrokerAddress("127.0.0.1", 1, "hall")).state.number == kept[-1].number
    store.close()


def test_an_entry_that_cannot_be_read_is_damage_too(path: Path) -> None:
    """An entry that cannot be decoded counts as damage, although SQLite finds none."""
    written = filled(path, (*BODIES[:2], e.NamesShown("initials"), *BODIES[-2:]))
    overwrite(path, path.read_bytes().index(b'"initials"'), b"\xff")
    found, said = opened(path)
    assert found == [*written[:2], written[3]] and "entry 3 cannot be read" in said


def test_a_hall_whose_beginning_is_lost_is_still_the_same(path: Path) -> None:
    """If the first entry is lost, the hall's identity is recovered from its tables' results."""
    written = filled(path)
    overwrite(path, page_with(path, b"The club"), bytes(4096))
    found, said = opened(path)
    assert isinstance(found[0].body, e.HallOpened) and found[0].body.hall == "h1" and "after entry" in said
    assert found[1:] == [entry for entry in written if isinstance(entry.body, e.ResultReported)]


@pytest.mark.parametrize("how", ["emptied", "deleted", "all entries gone", "zero length and never opened"])
def test_an_emptied_database_is_never_a_new_hall_without_a_word(path: Path, how: str) -> None:
    """An emptied or deleted database opens as a new hall, with a finding that it was empty."""
    filled(path)
    if how == "all entries gone":
        with closing(sqlite3.connect(path)) as db:
            db.execute("DELETE FROM entries")
            db.commit()
    else:
        path.unlink()
        if how != "deleted":
            path.touch()
        if "never" in how:
            path.with_name("hall.sqlite.lock").unlink()
    store = EntryStore(sqlite_url(path))
    hall = Hall(store, BrokerAddress("127.0.0.1", 1, "hall"))
    assert hall.state.hall != "h1" and "was empty, although" in " ".join(hall.findings)
    store.close()
    assert opened(path)[1] == ""


def test_a_new_hall_is_no_word_worth(path: Path) -> None:
    """A new hall without a database reports nothing."""
    assert opened(path) == ([], "")


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Return a function that fills the disk or frees it."""
    real = schema.open_connection
    state = {"full": False}

    def error(folder: Path) -> OSError | None:
        return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) if state["full"] else None

    def tight(path: Path, read_only: bool, threads: bool = False) -> sqlite3.Connection:
        if state["full"] and not read_only:
            problem = sqlite3.OperationalError("database or disk is full")
            problem.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise problem
        return real(path, read_only, threads)

    monkeypatch.setattr(schema, "open_connection", tight)
    monkeypatch.setattr(files, "room_error", error)
    return lambda on: state.update(full=on)


def test_a_full_disk_is_said_and_the_hall_can_be_looked_at(path: Path, full: Callable[[bool], None]) -> None:
    """On a full disk entries can be read but not written, and writing works again after space is freed."""
    written = filled(path)
    full(True)
    store = EntryStore(sqlite_url(path))
    assert store.read() == written
    for write in (lambda: store.append(len(written), 1.0, "x", BODIES[:1]), lambda: store.replace_all(1.0, "x", ())):
        with pytest.raises(StoreError, match="the disk is full: free some space"):
            write()
    assert store.read() == written
    full(False)
    assert store.append(len(written), 1.0, "x", BODIES[-1:]) == store.read()[-1:]
    store.close()


def test_forgetting_takes_the_damaged_files_along(path: Path) -> None:
    """Deleting personal data also deletes the damaged files that were set aside."""
    filled(path)
    DAMAGE["no database"](path)
    store = EntryStore(sqlite_url(path))
    hall = Hall(store, BrokerAddress("127.0.0.1", 1, "hall"))
    hall.record("organiser", e.PlayersEntered(("Zaphodine",)))
    hall.forget("organiser")
    for each in filter(Path.is_file, path.parent.rglob("*")):
        assert b"Zaphodine" not in each.read_bytes() and b"Player 1" not in each.read_bytes(), each
    store.close()
    assert not list(path.parent.glob("*damaged*"))
