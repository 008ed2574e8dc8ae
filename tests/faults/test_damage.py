"""Damage of every kind, hundreds of times: opening is a journal or a sentence, and intact pages lose no row."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.journal.journal import Journal, JournalError, NewerFormat
from companion.journal.recovery.sqlite_pages import FRAME, LOG_HEAD
from companion.table.table import Table
from tests.faults.damage import DAMAGES, FILE, LOG, SIZE, Bytes, Whole, laid, left, rows_of, written
from tests.support.paces import HURRIED

MIDDLE = LOG_HEAD.size + 5 * FRAME + 1000
"""A place in a log, with commits before and after it."""
MEMORY = Path("/dev/shm") if Path("/dev/shm").is_dir() else None


class Tried(msgspec.Struct):
    """What came of one kind of damage. `due` rows lay on pages that were not touched, `there` of them are there."""

    times: int = 0
    refused: int = 0
    due: int = 0
    there: int = 0
    more: int = 0
    wrong: list[str] = []


@pytest.fixture(scope="module")
def whole() -> Iterator[Whole]:
    """Give an undamaged journal."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as place:
        yield written(Path(place))


@pytest.fixture
def folder() -> Iterator[Path]:
    """Give a folder in memory."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as place:
        yield Path(place) / "data"


def tried(whole: Whole, folder: Path, kind: str, times: int) -> Tried:
    """Damage a journal so often, open it, read all of it, and play on."""
    found = Tried()
    for number in range(times):
        luck = Random(f"{kind} {number}")
        files: Bytes = {name: bytearray(data) for name, data in whole.files.items()}
        DAMAGES[kind](files, luck)
        due = left(whole, files)
        path = laid(folder, files)
        found.times += 1
        try:
            with Journal(path) as journal:
                rows = rows_of(journal)
                for match in journal.matches():
                    journal.records(match.id)
                for key in ("table/current", "web.large", "web.doors.2"):
                    journal.read_value(key)
                journal.keep("on", b"it goes")
            with Table(path, pace=HURRIED) as table:
                table.matches()
        except NewerFormat:
            found.refused += 1  # its format is one small number in the head
            continue
        except Exception as error:
            found.wrong.append(f"{kind} {number}: {type(error).__name__}: {error}")
            continue
        found.due += len(due)
        found.there += len(due & rows)
        found.more += len(rows - due)
        if not due <= rows:
            found.wrong.append(f"{kind} {number}: {len(due - rows)} of {len(due)} rows on intact pages are gone")
    return found


@pytest.mark.parametrize("kind", DAMAGES)
def test_intact_pages_lose_no_row_and_nothing_ends_in_a_traceback(whole: Whole, folder: Path, kind: str) -> None:
    """After any damage to the file or to its log the table starts with every row whose page is whole."""
    found = tried(whole, folder, kind, 12)
    assert found.wrong == []
    assert found.due > 0 and found.refused < found.times


def test_a_journal_cut_by_one_page_loses_that_page_alone(whole: Whole, folder: Path) -> None:
    """Cut by one page, without its log: what SQLite refuses to read at all comes back row by row."""
    with Journal(laid(folder, {FILE: bytearray(whole.files[FILE]), LOG: bytearray(whole.files[LOG])})) as journal:
        before = len(journal.records("1"))
    path = folder / FILE
    path.write_bytes(path.read_bytes()[:-SIZE])
    with Journal(path) as journal:
        rows = rows_of(journal)
        assert "was damaged" in journal.findings[0]
        assert len(journal.records("1")) == before
    assert sum(len(row) == 8 for row in rows) >= 4 * 192 - 40


def test_a_kept_copy_holds_every_byte(whole: Whole, folder: Path) -> None:
    """A damaged journal is kept aside with its log as it was found, for its owner alone."""
    files = {name: bytearray(data) for name, data in whole.files.items()}
    files[LOG][MIDDLE : MIDDLE + 8] = b"\xff" * 8
    with Journal(laid(folder, files)):
        pass
    (aside,) = (each for each in folder.glob("*.damaged-*") if each.is_dir())
    assert {name: (aside / name).read_bytes() for name in files} == files
    assert aside.stat().st_mode & 0o077 == 0 and (aside / FILE).stat().st_mode & 0o077 == 0


def test_a_salvage_that_fails_leaves_the_damaged_file_in_place(
    whole: Whole, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without room for a new file nothing is moved, and with room the next start salvages."""
    files = {name: bytearray(data) for name, data in whole.files.items()}
    files[LOG][MIDDLE : MIDDLE + 8] = b"\xff" * 8
    path = laid(folder, files)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as no_room:
        no_room.setattr("companion.journal.database.atomic_folder.commit", full)
        with pytest.raises(JournalError, match=r"cannot be repaired: the disk is full: free some space"):
            Journal(path)
    assert path.read_bytes() == files[FILE] and (folder / LOG).read_bytes() == files[LOG]
    with Journal(path) as journal:
        assert len(rows_of(journal)) > 4 * 192
    assert not [each for each in folder.iterdir() if each.name.startswith(".replacing")]


@pytest.mark.faults
def test_thousands_of_damages(whole: Whole, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Five hundred of each kind, with figures."""
    found = {kind: tried(whole, folder, kind, 500) for kind in DAMAGES}
    with capsys.disabled():
        for kind, each in found.items():
            print(
                f"\n{kind}: {each.times} journals, {each.refused} refused as newer, {each.there:,} of {each.due:,} "
                f"rows on intact pages there, {each.more:,} on damaged ones besides, bad {each.wrong[:3]}",
                end="",
            )
        print()
    assert [wrong for each in found.values() for wrong in each.wrong] == []
    shutil.rmtree(folder, ignore_errors=True)
