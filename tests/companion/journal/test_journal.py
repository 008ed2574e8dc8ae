"""The journal keeps what it acknowledged, discards torn records, and explains failures in a sentence."""

from __future__ import annotations

import os
import resource
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from zlib import crc32

import pytest

from companion.engine import state_hash
from companion.journal import database, schema
from companion.journal.journal import EmptyJournal, Journal, JournalError, JournalInUse, NewerFormat, Record, checksum
from companion.journal.schema import APPLICATION, JOURNAL
from companion.match.match import Match
from tests.support.matches import dealt, ours, stroll

AT = "2030-01-01T12:00:00.000Z"


def records(first: int, *bodies: str, move: int = 1) -> list[Record]:
    """Return records of one move with the given bodies."""
    return [Record(first + n, AT, "table", move, body) for n, body in enumerate(bodies)]


def filled(path: Path, moves: int = 6, matches: int = 1) -> list[tuple[Record, ...]]:
    """Write a journal with moves of two records each, and return the records of each match."""
    written = []
    with Journal(path) as journal:
        for _ in range(matches):
            match = journal.create(ours(), "seed", AT)
            said = []
            for move in range(1, moves + 1):
                said += (batch := records(2 * move - 1, '{"n":1}', '{"n":2}', move=move))
                journal.append(match, batch)
            written.append(tuple(said))
    return written


def spoil(path: Path, statement: str, *values: object) -> None:
    """Change the database directly, without the journal."""
    with closing(sqlite3.connect(path)) as db:
        assert db.execute(statement, values).rowcount > 0
        db.commit()


# --- reading and writing --------------------------------------------------------------------------


def test_a_journal_gives_back_what_it_was_given(tmp_path: Path) -> None:
    """Headers, seeds, records and stored values are unchanged after closing and opening."""
    path = tmp_path / "journal.db"
    first, second = filled(path, matches=2)
    with Journal(path) as journal:
        journal.keep("pin/1", b"\x00hash")
        journal.keep("pin/2", b"gone")
        journal.keep("pin/2", None)
    with Journal(path) as journal:
        assert (journal.records("1"), journal.records("2")) == (first, second)
        header = journal.header("2")
        assert (header.setup, header.seed, header.started, header.ended) == (ours(), "seed", AT, None)
        assert (journal.read_value("pin/1"), journal.read_value("pin/2"), journal.read_value("pin/3")) == (
            b"\x00hash",
            None,
            None,
        )
        assert [(m.id, m.game, m.records, m.changed) for m in journal.matches()] == [
            ("2", "take-a-train", 12, AT),
            ("1", "take-a-train", 12, AT),
        ]
        assert journal.findings == []


def test_a_match_can_end_and_go_on(tmp_path: Path) -> None:
    """The list of matches shows when a match ended, and no longer does after the end is undone."""
    with Journal(tmp_path / "journal.db") as journal:
        match = journal.create(ours())
        journal.append(match, records(1, "{}"), ended=True)
        assert journal.matches()[0].ended == AT
        journal.append(match, records(2, "{}", move=2), ended=False)
        assert journal.matches()[0].ended is None


def test_a_match_that_is_not_there_is_named(tmp_path: Path) -> None:
    """An unknown match or a missing journal is refused with a sentence."""
    with Journal(tmp_path / "journal.db") as journal:
        for name in ("1", "x", "-1", "9" * 40, ""):
            with pytest.raises(JournalError, match="There is no match"):
                journal.records(name)
    with pytest.raises(JournalError, match="There is no journal"):
        Journal(tmp_path / "nothing.db", read_only=True)


def test_a_reader_needs_no_lock_and_writes_nothing(tmp_path: Path) -> None:
    """A reader sees what has been committed while another program writes, and cannot write itself."""
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        match = journal.create(ours())
        journal.append(match, records(1, "{}"))
        with Journal(path, read_only=True) as reader:
            assert reader.records(match) == tuple(records(1, "{}"))
            with pytest.raises(JournalError, match="opened read-only"):
                reader.keep("a", b"b")
            journal.append(match, records(2, "{}", move=2))
            assert len(reader.records(match)) == 2


def test_a_second_writer_leaves_with_a_sentence(tmp_path: Path) -> None:
    """A second writer is refused, in the same process or another, until the first one closes."""
    path = tmp_path / "journal.db"
    child = f"from companion.journal.journal import *\ntry: Journal({str(path)!r})\nexcept JournalInUse as e: print(e)"
    with Journal(path):
        with pytest.raises(JournalInUse, match="Another companion uses"):
            Journal(path)
        told = subprocess.run([sys.executable, "-c", child], capture_output=True, text=True, check=True)
        assert told.stdout.startswith("Another companion uses")
    Journal(path).close()


# --- damage ---------------------------------------------------------------------------------------

DAMAGES: dict[str, tuple[int, str, Callable[[Path], None]]] = {
    "last record changed": (
        10,
        "Record 12 is damaged: its checksum does not fit.",
        lambda path: spoil(path, "UPDATE records SET body = '{\"n\":3}' WHERE seq = 12"),
    ),
    "record in the middle changed": (
        4,
        "Record 5 is damaged: its checksum does not fit.",
        lambda path: spoil(path, "UPDATE records SET by = 'host' WHERE seq = 5"),
    ),
    "no text at all": (
        6,
        "Record 7 is damaged: its checksum does not fit.",
        lambda path: spoil(path, "UPDATE records SET body = x'00ff', at = 5 WHERE seq = 7"),
    ),
    "no JSON under a true checksum": (
        8,
        "Record 9 is damaged: it is not JSON.",
        lambda path: spoil(
            path,
            "UPDATE records SET body = '{\"n\":', crc = ? WHERE seq = 9",
            checksum(1, 9, AT, "table", 5, 2, '{"n":'),
        ),
    ),
    "a number missing": (
        6,
        "Record 7 is missing.",
        lambda path: spoil(path, "DELETE FROM records WHERE seq IN (7, 8)"),
    ),
    "half a move at the end": (
        10,
        "The last record of move 6 is missing.",
        lambda path: spoil(path, "DELETE FROM records WHERE seq = 12"),
    ),
    "a number that cannot be": (
        12,
        "Record 13 is missing.",
        lambda path: spoil(path, "INSERT INTO records VALUES(1, 'x', '', '', 7, 1, '{}', 0)"),
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_tail_is_cut_off_kept_aside_and_reported(tmp_path: Path, damage: str) -> None:
    """From the first bad record on, a match is cut back to its last whole move, and the rest is kept aside."""
    path = tmp_path / "journal.db"
    left, why, strike = DAMAGES[damage]
    (written,) = filled(path)
    strike(path)
    with Journal(path, read_only=True) as reader:
        assert reader.records("1") == written[:left]
        assert why in reader.findings[0]
    assert not list(tmp_path.glob("*damaged*"))
    with Journal(path) as journal:
        assert journal.records("1") == written[:left]
        (finding,) = journal.findings
        assert why in finding
        (aside,) = tmp_path.glob("*.damaged-*.jsonl")
        assert aside.name in finding
        assert aside.read_text().count("\n") >= 1
        journal.append("1", records(left + 1, "{}", move=left))
    with Journal(path) as journal:
        assert len(journal.records("1")) == left + 1
        assert journal.findings == []


def test_damage_in_one_match_leaves_the_others_alone(tmp_path: Path) -> None:
    """Damage to records cuts only their match, and a damaged header closes only its match."""
    path = tmp_path / "journal.db"
    first, second, _ = filled(path, matches=3)
    spoil(path, "UPDATE records SET body = '[]' WHERE match = 2 AND seq = 3")
    spoil(path, "UPDATE matches SET header = '{}' WHERE id = 3")
    with Journal(path) as journal:
        assert (journal.records("1"), journal.records("2")) == (first, second[:2])
        assert [match.id for match in journal.matches()] == ["2", "1"]
        with pytest.raises(JournalError, match="Match 3 cannot be opened: its header is damaged"):
            journal.header("3")


def test_what_is_kept_besides_is_checked_too(tmp_path: Path) -> None:
    """A damaged value counts as missing and is reported."""
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        journal.keep("pin", b"1234")
    spoil(path, "UPDATE kept SET value = x'00'")
    with Journal(path) as journal:
        assert journal.read_value("pin") is None
        assert "'pin' is damaged" in journal.findings[0]
    spoil(path, "UPDATE kept SET value = 'text', crc = ?", crc32(b"text"))
    with Journal(path) as journal:
        assert journal.read_value("pin") is None


def overwrite(path: Path, at: int, data: bytes) -> None:
    """Overwrite bytes in a file, from its end if `at` is negative."""
    with path.open("r+b") as file:
        file.seek(at, os.SEEK_SET if at >= 0 else os.SEEK_END)
        file.write(data)


def read_all(path: Path) -> None:
    """Read every match without repairs."""
    with Journal(path, read_only=True) as journal:
        for match in journal.matches():
            journal.records(match.id)


WRECKS: dict[str, Callable[[Path], None]] = {
    "a page of noise": lambda path: overwrite(path, -4096, Random(3).randbytes(4096)),
    "the first page gone": lambda path: overwrite(path, 0, bytes(4096)),
    "half the file gone": lambda path: os.truncate(path, path.stat().st_size // 2),
    "noise all over": lambda path: overwrite(path, 0, Random(4).randbytes(path.stat().st_size)),
}


@pytest.mark.parametrize("wreck", WRECKS)
def test_a_file_that_sqlite_cannot_read_is_kept_aside_and_salvaged(tmp_path: Path, wreck: str) -> None:
    """A file that SQLite cannot read is kept aside, and the readable beginning of each match is recovered."""
    path = tmp_path / "journal.db"
    written = filled(path, moves=300, matches=2)
    WRECKS[wreck](path)
    before = path.read_bytes()
    with pytest.raises(JournalError):
        read_all(path)
    with Journal(path) as journal:
        assert "was damaged" in journal.findings[0]
        found = {match.id: journal.records(match.id) for match in journal.matches()}
        for match_id, said in found.items():
            assert said == written[int(match_id) - 1][: len(said)]
        match = journal.create(ours())
        journal.append(match, records(1, "{}"))
    (aside,) = (each for each in tmp_path.glob("*.damaged-*") if each.is_dir())
    assert (aside / path.name).read_bytes() == before
    with Journal(path) as journal:
        assert journal.findings == []
        assert journal.records(match) == tuple(records(1, "{}"))


def test_a_page_of_noise_costs_only_what_stood_on_it(tmp_path: Path) -> None:
    """A page of noise costs only the records on it, and other matches are recovered whole."""
    path = tmp_path / "journal.db"
    first, second = filled(path, moves=300, matches=2)
    overwrite(path, -4096, Random(3).randbytes(4096))
    with Journal(path) as journal:
        assert journal.records("1") == first
        assert journal.records("2") == second[: len(journal.records("2"))]
        assert len(journal.records("2")) < len(second)


def test_noise_at_the_end_of_the_log_is_no_commit(tmp_path: Path) -> None:
    """Noise after the last commit in SQLite's log, as after a power cut, is ignored."""
    path = tmp_path / "journal.db"
    copy = tmp_path / "copy"
    copy.mkdir()
    with Journal(path) as journal:
        match = journal.create(ours())
        journal.append(match, records(1, '{"n":1}'))
        journal.append(match, records(2, '{"n":2}', move=2))
        for suffix in ("", "-wal"):
            (copy / f"journal.db{suffix}").write_bytes(Path(f"{path}{suffix}").read_bytes())
    log = copy / "journal.db-wal"
    overwrite(log, len(log.read_bytes().rstrip(b"\0")) - 20, Random(5).randbytes(5000))
    with Journal(copy / "journal.db") as journal:
        assert journal.records(match) == tuple(records(1, '{"n":1}'))


def test_a_newer_format_is_refused_and_left_alone(tmp_path: Path) -> None:
    """A journal in a newer format is refused and not changed, even for reading."""
    path = tmp_path / "journal.db"
    filled(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 2")
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(NewerFormat, match=r"newer companion \(format 2; this one reads up to 1\)"):
            Journal(path, read_only=read_only)
    assert path.read_bytes() == before


def test_an_older_format_is_kept_aside_whole_before_anything_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A journal in an older format is copied once, unchanged, before it is upgraded."""
    path = tmp_path / "journal.db"
    (written,) = filled(path)
    newer = partial(database.Database, kind=JOURNAL._replace(format=2))
    monkeypatch.setattr("companion.journal.journal.Database", newer)
    with Journal(path) as journal:
        (copy,) = tmp_path.glob("journal.db.format-1-*.db")
        assert journal.findings == [
            f"The journal was written by an older companion (format 1); it is kept as {copy.name}."
        ]
        assert journal.records("1") == written
    with Journal(path) as journal:
        assert journal.findings == []
    monkeypatch.undo()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with Journal(copy, read_only=True) as older:
        assert older.records("1") == written
    with pytest.raises(NewerFormat):
        Journal(path)


def test_a_strangers_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    """A database of another program is refused and not changed."""
    path = tmp_path / "contacts.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE people(name)")
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(JournalError, match="not a journal of the companion"):
            Journal(path, read_only=read_only)
    assert path.read_bytes() == before


def test_a_table_is_not_begun_over_what_is_not_its_own(tmp_path: Path) -> None:
    """`check_free` refuses a newer or foreign database, and leaves a damaged one to be repaired on opening."""
    path = tmp_path / "journal.db"
    database.check_free(path)
    filled(path)
    database.check_free(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 2")
    with pytest.raises(NewerFormat):
        database.check_free(path)
    path.write_bytes(b"no database at all, but long enough to be looked at by one who wants to know" * 20)
    database.check_free(path)
    with closing(sqlite3.connect(tmp_path / "contacts.db")) as db:
        db.execute("CREATE TABLE people(name)")
    with pytest.raises(JournalError, match="not a journal of the companion"):
        database.check_free(tmp_path / "contacts.db")


def test_a_folder_that_cannot_be_is_named(tmp_path: Path) -> None:
    """A wrong path, such as a file in place of the folder, is refused with a sentence."""
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="cannot be used"):
        Journal(tmp_path / "file" / "journal.db")
    (tmp_path / "folder.db").mkdir()
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal(tmp_path / "folder.db")


# --- the disk fails -------------------------------------------------------------------------------


class Failing(sqlite3.Connection):
    """A connection whose commits can fail before or after they reach the file."""

    fail = ""

    def execute(self, statement: str, *values: object) -> sqlite3.Cursor:
        """Run a statement, or fail as a broken disk would."""
        if statement == "COMMIT" and self.fail == "before":
            raise sqlite3.OperationalError("disk I/O error")
        done = super().execute(statement, *values)
        if statement == "COMMIT" and self.fail == "after":
            raise sqlite3.OperationalError("disk I/O error")
        return done


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Failing]]:
    """Let all journals use connections that can fail."""
    connect = sqlite3.connect
    monkeypatch.setattr(database.sqlite3, "connect", lambda *a, **k: connect(*a, factory=Failing, **k))
    yield Failing
    Failing.fail = ""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_failed_commit_changes_nothing(tmp_path: Path, failing: type[Failing], moment: str) -> None:
    """A failed commit has no effect, even if it reached the file, and writing works afterwards."""
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        match = journal.create(ours())
        journal.append(match, records(1, "{}"))
        journal.keep("key", b"old")
        failing.fail = moment
        with pytest.raises(JournalError, match="the disk reported an error"):
            journal.append(match, records(2, '{"lost":1}', move=2), ended=True, keep={"key": b"new"})
        with pytest.raises(JournalError, match="nothing was changed"):
            journal.create(dealt())
        with pytest.raises(JournalError, match="nothing was changed"):
            journal.keep("other", b"lost")
        failing.fail = ""
        journal.append(match, records(2, '{"kept":1}', move=2))
        assert journal.records(match) == (*records(1, "{}"), *records(2, '{"kept":1}', move=2))
        assert [(m.id, m.ended) for m in journal.matches()] == [(match, None)]
        assert (journal.read_value("key"), journal.read_value("other")) == (b"old", None)


def test_a_failed_handle_is_never_used_again(tmp_path: Path, failing: type[Failing]) -> None:
    """After a failed commit the file is closed and reopened, because a second fsync could falsely succeed."""
    with Journal(tmp_path / "journal.db") as journal:
        match = journal.create(ours())
        old = journal._file._db
        failing.fail = "before"
        with pytest.raises(JournalError):
            journal.append(match, records(1, "{}"))
        failing.fail = ""
        journal.append(match, records(1, "{}"))
        assert journal._file._db is not old
        assert old is not None
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            old.execute("SELECT 1")


@contextmanager
def small_files(most: int) -> Iterator[None]:
    """Limit the size of files that this process writes, in bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_takes_no_more_is_said_and_survived(tmp_path: Path) -> None:
    """If the file cannot grow, a move is refused, and the match goes on when there is space again."""
    path = tmp_path / "journal.db"
    with ExitStack() as stack:
        with small_files(200_000):
            journal = stack.enter_context(Journal(path))
            match = Match.begin(journal, dealt(3), "5")
            with pytest.raises(JournalError, match="nothing was changed"):
                stroll(match, Random(2), 10_000)
        assert len(journal.records(match.id)) == match.seq > 10
        stroll(match, Random(2), match.seq + 10)
        final = match.seq, state_hash(match.state)
    with Journal(path) as journal:
        again = Match.open(journal, match.id)
        assert (again.seq, state_hash(again.state)) == final
        assert journal.findings == []


def test_a_full_disk_is_called_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite's error for a full disk becomes a sentence with a remedy."""
    path = tmp_path / "journal.db"
    real = schema.open_connection

    def tight(path: Path, read_only: bool) -> sqlite3.Connection:
        db = real(path, read_only)
        db.execute(f"PRAGMA max_page_count = {pages}")
        return db

    pages = 1 << 20
    monkeypatch.setattr(schema, "open_connection", tight)
    with Journal(path) as journal:
        match = journal.create(ours())
        journal.append(match, records(1, "{}"))
    pages = 1  # SQLite takes this as the present number of pages
    with Journal(path) as journal:
        with pytest.raises(JournalError, match="the disk is full: free some space"):
            journal.append(match, records(2, f'"{"x" * 50_000}"', move=2))
        assert len(journal.records(match)) == 1
        journal.append(match, records(2, '"small"', move=2))
        assert len(journal.records(match)) == 2


# --- the very first start -------------------------------------------------------------------------


BEGUN: dict[str, Callable[[Path], None]] = {
    "an empty file": lambda path: path.write_bytes(b"") and None,
    "a file without tables": lambda path: _run(path, "PRAGMA journal_mode=WAL", "PRAGMA user_version=0"),
    "a file with our mark and no tables": lambda path: _run(path, f"PRAGMA application_id={APPLICATION}"),
}


def _run(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


@pytest.mark.parametrize("begun", BEGUN)
def test_what_a_kill_in_the_first_start_leaves_is_new(tmp_path: Path, begun: str) -> None:
    """A file in which nothing was ever stored is treated as new, and a reader gets EmptyJournal."""
    path = tmp_path / "journal.db"
    BEGUN[begun](path)
    with pytest.raises(EmptyJournal, match="nothing has been saved there"):
        Journal(path, read_only=True)
    database.check_free(path)
    with Journal(path) as journal:
        assert journal.findings == []
        journal.append(journal.create(ours()), records(1, "{}"))
    with Journal(path) as journal:
        assert len(journal.records("1")) == 1


@pytest.mark.parametrize("size", [512, 1024, 4096])
@pytest.mark.parametrize("versions", [b"\0\0", b"\2\2"])
def test_a_power_cut_in_the_first_write_is_no_damage(tmp_path: Path, size: int, versions: bytes) -> None:
    """A first page that was partly written in a power cut is rolled back, and no damage is reported."""
    path = tmp_path / "journal.db"
    path.write_bytes(bytes(18) + versions + bytes(size - 20))
    head = bytes.fromhex("d9d505f920a163d7") + b"".join(n.to_bytes(4) for n in (0, 4711, 0, 512, 4096))
    path.with_name("journal.db-journal").write_bytes(head.ljust(512, b"\0"))
    database.check_free(path)
    with Journal(path) as journal:
        assert journal.findings == []
        journal.append(journal.create(ours()), records(1, "{}"))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["journal.db", "journal.db.lock"]


def test_a_strangers_empty_database_is_a_strangers(tmp_path: Path) -> None:
    """An empty database with another program's mark is refused and not changed."""
    path = tmp_path / "journal.db"
    _run(path, "PRAGMA application_id=4711")
    before = path.read_bytes()
    for open_it in (database.check_free, Journal):
        with pytest.raises(JournalError, match="not a journal of the companion"):
            open_it(path)
    assert path.read_bytes() == before


def test_our_own_journal_is_ours_whatever_its_mark(tmp_path: Path) -> None:
    """If only the application's mark of a journal is damaged, the journal is read and marked again."""
    path = tmp_path / "journal.db"
    (written,) = filled(path)
    _run(path, "PRAGMA application_id=4711")
    with Journal(path) as journal:
        assert journal.records("1") == written
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION,)


def test_records_without_a_header_are_no_part_of_a_new_match(tmp_path: Path) -> None:
    """The number of a match with a lost header is not used again."""
    path = tmp_path / "journal.db"
    filled(path, matches=2)
    spoil(path, "DELETE FROM matches")
    with Journal(path) as journal:
        match = journal.create(ours())
        journal.append(match, records(1, "{}"))
        assert (match, len(journal.records(match))) == ("3", 1)


# --- access rights --------------------------------------------------------------------------------


def modes(folder: Path) -> dict[str, int]:
    """Return the modes of a folder's files by name, and the folder's own as `.`."""
    return {each.name: stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()} | {
        ".": stat.S_IMODE(folder.stat().st_mode)
    }


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o777])
def test_a_journal_is_for_its_owner_alone_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    """With every umask the folder has mode 0700 and all files 0600."""
    folder = tmp_path / "data"
    old = os.umask(mask)
    try:
        filled(folder / "journal.db")
        spoil(folder / "journal.db", "UPDATE records SET body = '[]' WHERE seq = 5")
        with Journal(folder / "journal.db") as journal:
            journal.records("1")
            found = modes(folder)
    finally:
        os.umask(old)
    assert found.pop(".") == 0o700
    assert len(found) == 5 and set(found.values()) == {0o600}, found


def test_a_folder_that_was_open_is_closed_where_it_is_ours(tmp_path: Path) -> None:
    """A data folder that others could read loses their rights, unless it contains foreign files."""
    for name, foreign in (("data", False), ("home", True)):
        folder = tmp_path / name
        folder.mkdir()
        filled(folder / "journal.db")
        (folder / "decks").mkdir(mode=0o755)
        if foreign:
            (folder / "holiday.jpg").write_bytes(b"")
        for each in (folder, *folder.glob("journal.db*")):
            each.chmod(0o755)
        with Journal(folder / "journal.db"):
            found = modes(folder)
        assert found["."] == (0o755 if foreign else 0o700)
        assert {mode for file, mode in found.items() if file.startswith("journal.db")} == {0o600}
        assert found["decks"] == 0o755


def test_the_home_folder_and_shared_ones_are_never_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The modes of a home folder or a shared folder are not changed."""
    home, shared = tmp_path / "home", tmp_path / "shared"
    home.mkdir()
    home.chmod(0o755)
    shared.mkdir()
    shared.chmod(0o1777)
    monkeypatch.setenv("HOME", str(home))
    for folder in (home, shared):
        before = stat.S_IMODE(folder.stat().st_mode)
        with Journal(folder / "journal.db"):
            assert modes(folder)["."] == before
            assert modes(folder)["journal.db"] == 0o600


# --- transactions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["before", "after"])
def test_commits_together_are_one(tmp_path: Path, failing: type[Failing], moment: str) -> None:
    """The commits within a transaction succeed or fail together."""
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        journal.keep("key", b"old")
        failing.fail = moment
        with pytest.raises(JournalError, match="nothing was changed"):
            several(journal)
        failing.fail = ""
        journal.keep("on", b"it goes")
        assert journal.matches() == ()
        assert (journal.read_value("key"), journal.read_value("other")) == (b"old", None)
        with pytest.raises(KeyError):
            several(journal, KeyError())
        assert (journal.matches(), journal.read_value("key")) == ((), b"old")
        several(journal)
    with Journal(path) as journal:
        assert (len(journal.matches()), journal.read_value("key")) == (1, b"newer")


def several(journal: Journal, error: Exception | None = None) -> None:
    """Create a match and store values in one transaction, which fails in the middle if an error is given."""
    with journal.transaction():
        journal.append(journal.create(ours()), records(1, "{}"))
        journal.keep("key", b"new")
        if error is not None:
            raise error
        journal.keep_all({"key": b"newer", "other": b"too"})


# --- no file handles left -------------------------------------------------------------------------


@contextmanager
def few_handles(spare: int) -> Iterator[None]:
    """Limit the number of files that this process can still open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(map(int, os.listdir("/proc/self/fd"))) + spare, hard))
    holes = []
    try:
        with suppress(OSError):
            while True:
                holes.append(os.open("/dev/null", os.O_RDONLY))
        for hole in holes[len(holes) - spare :] if spare else []:
            os.close(hole)
            holes.remove(hole)
        yield
    finally:
        for hole in holes:
            os.close(hole)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_without_file_handles_it_is_a_sentence_and_nothing_is_lost(tmp_path: Path) -> None:
    """With few file handles a journal opens or is refused in a sentence, an open one works, and nothing is lost."""
    path = tmp_path / "journal.db"
    (written,) = filled(path)
    whole = path.read_bytes()
    opened = 0
    for spare in range(9):
        for data in (whole, whole[:-4096]):
            for each in tmp_path.glob("journal.db-*"):
                each.unlink()
            path.write_bytes(data)
            with suppress(JournalError), few_handles(spare):
                database.check_free(path)
            with suppress(JournalError), few_handles(spare):
                Journal(path).close()
                opened += 1
            with Journal(path) as journal:
                assert len(rows_of(journal)) >= len(written) - 40
    assert 0 < opened < 18
    path.write_bytes(whole)
    with Journal(path) as journal:
        with few_handles(0):
            journal.append("1", records(13, "{}", move=7))
        assert len(journal.records("1")) == 13


def rows_of(journal: Journal) -> list[object]:
    """Return all rows of records in the file."""
    with journal._file.reading() as db:
        return db.execute("SELECT * FROM records").fetchall()
