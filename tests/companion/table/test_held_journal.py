"""If the disk cannot be written, the table shows the game, refuses changes with the reason, and recovers."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion.engine import Seat
from companion.files import atomic_folder
from companion.games.take_a_train import events as ev
from companion.journal import files, schema
from companion.journal.journal import Journal, JournalError
from companion.match.actor import Actor
from companion.messages import Press
from companion.table.bot_seat import BotSeat
from companion.table.table import Table
from tests.support.matches import OPEN_LOT, ours, quick
from tests.support.paces import HURRIED

__all__ = ["quick"]
pytestmark = pytest.mark.usefixtures("quick")


class Disk:
    """A disk that can be full, read-only or writable."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.error = 0
        self._open = schema.open_connection
        monkeypatch.setattr(files, "room_error", self.room_error)
        monkeypatch.setattr(schema, "open_connection", self.open_connection)
        self._prepare = atomic_folder.prepare
        monkeypatch.setattr(atomic_folder, "prepare", self.prepare)

    def room_error(self, folder: Path) -> OSError | None:
        """Return the error that writing in a folder raises, or None."""
        return OSError(self.error, os.strerror(self.error)) if self.error else None

    def prepare(self, folder: Path) -> Path:
        """Prepare a folder, or raise the disk's error."""
        if self.error:
            raise OSError(self.error, os.strerror(self.error))
        return self._prepare(folder)

    def open_connection(self, path: Path, read_only: bool) -> sqlite3.Connection:
        """Open a database, but only for reading while the disk has an error."""
        if self.error and not read_only:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        return self._open(path, read_only)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """Return the disk of all journals."""
    return Disk(monkeypatch)


def lot(path: Path) -> None:
    """Leave a table in the middle of a count."""
    with Table(path, pace=HURRIED) as table:
        table.start(ours())
        for event in OPEN_LOT:
            assert table.propose(event, Actor.TABLE).accepted


@pytest.mark.parametrize(
    ("error", "kind"), [(errno.ENOSPC, "full"), (errno.EDQUOT, "full"), (errno.EROFS, "read_only")]
)
def test_a_table_starts_shows_and_goes_on(tmp_path: Path, disk: Disk, error: int, kind: str) -> None:
    """On a full or read-only disk the table shows the last state and refuses raises until it can write again."""
    path = tmp_path / "journal.db"
    lot(path)
    disk.error = error
    with Table(path, pace=HURRIED) as table:
        shown = table.snapshot()
        assert [entry.event for entry in shown.entries] == list(OPEN_LOT)
        assert (shown.unsaved, shown.timing) == (kind, None)
        answer = table.propose(ev.Raised(Seat(1), 300), Actor.at_seat(1))
        assert answer.refusal is not None and answer.refusal.key == f"disk_{kind}"
        table.press(Press(1, 0))
        assert [entry.event for entry in table.snapshot().entries] == list(OPEN_LOT)
        disk.error = 0
        table.regain()
        assert (table.snapshot().unsaved, table.snapshot().entries[-1].event) == ("", ev.CountBroken("restart"))
        assert table.propose(ev.Raised(Seat(1), 300), Actor.at_seat(1)).accepted
    with Journal(path) as journal:
        assert len(journal.records("1")) > len(OPEN_LOT) + 1
        assert journal.findings == []


def test_everything_else_is_refused_too(tmp_path: Path, disk: Disk) -> None:
    """Starting, resuming and leaving a match and storing values are refused, and reading works."""
    path = tmp_path / "journal.db"
    lot(path)
    disk.error = errno.ENOSPC
    with Table(path, pace=HURRIED) as table:
        acts: tuple[Callable[[], object], ...] = (
            lambda: table.start(ours()),
            lambda: table.resume("1"),
            table.leave,
            lambda: table.keep("a", b"1"),
            lambda: table.keep_all({"a": b"1"}),
        )
        for act in acts:
            with pytest.raises(JournalError, match="the disk is full"):
                act()
        assert table.read_value("a") is None
        assert [match.id for match in table.matches()] == ["1"]
        assert table.snapshot().match_id == "1"
        disk.error = 0
        table.keep("a", b"1")
        assert table.read_value("a") == b"1"


def test_a_disk_that_fills_up_again_at_the_first_write_loses_nothing(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the disk fills up again at the first write, the game is shown as before and keeps waiting."""
    path = tmp_path / "journal.db"
    lot(path)
    disk.error = errno.ENOSPC
    with Table(path, pace=HURRIED) as table:

        def fill(journal: Journal, *_: object, **__: object) -> None:
            disk.error = errno.ENOSPC
            with journal._file.commit():
                raise sqlite3.OperationalError("database or disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(Journal, "append", fill)
            disk.error = 0
            table.regain()
        shown = table.snapshot()
        assert (shown.unsaved, [entry.event for entry in shown.entries]) == ("full", list(OPEN_LOT))
        disk.error = 0
        assert table.propose(ev.Raised(Seat(1), 300), Actor.at_seat(1)).accepted


def test_a_damaged_journal_is_shown_and_repaired_later(tmp_path: Path, disk: Disk) -> None:
    """A damaged journal is shown as far as it can be read, and is repaired only when the disk is writable."""
    path = tmp_path / "journal.db"
    lot(path)
    with Journal(path) as journal:
        journal.keep("a", b"1")
    data = bytearray(path.read_bytes())
    data[4096 + 1 : 4096 + 8] = b"\xff" * 7
    path.write_bytes(data)
    disk.error = errno.EROFS
    with Table(path, pace=HURRIED) as table:
        assert [entry.event for entry in table.snapshot().entries] == list(OPEN_LOT)
        assert path.read_bytes() == data
        disk.error = 0
        assert table.propose(ev.Raised(Seat(1), 300), Actor.at_seat(1)).accepted
        assert any("was damaged" in finding for finding in table.snapshot().findings)


def test_bots_wait_for_room(tmp_path: Path, disk: Disk) -> None:
    """Bots do not act until the disk is writable again."""
    path = tmp_path / "journal.db"
    lot(path)
    with Table(path, pace=HURRIED) as table:
        bot = BotSeat(table, lambda seconds: None, Random(1).random)
        for seat in range(3):
            bot.sit(Seat(seat))
        assert list(bot.moves(table.snapshot()))
    disk.error = errno.ENOSPC
    with Table(path, pace=HURRIED) as table:
        bot = BotSeat(table, lambda seconds: None, Random(1).random)
        for seat in range(3):
            bot.sit(Seat(seat))
        assert list(bot.moves(table.snapshot())) == []


def test_a_running_table_tells_pages_that_nothing_can_be_saved(tmp_path: Path, disk: Disk) -> None:
    """A running table reports the first failed move and shows that it cannot save, and later continues the match."""
    path = tmp_path / "journal.db"
    lot(path)
    with Table(path, pace=HURRIED) as table:
        table._writer.do(lambda session: session.journal._file._disconnect())
        disk.error = errno.ENOSPC
        before = table.snapshot()
        answer = table.propose(ev.Raised(Seat(1), 300), Actor.at_seat(1))
        assert answer.refusal is not None and answer.refusal.key == "disk_full"
        shown = table.snapshot()
        assert (shown.unsaved, shown.entries) == ("full", before.entries)
        disk.error = 0
        assert table.propose(ev.Raised(Seat(1), 300), Actor.at_seat(1)).accepted
        assert table.snapshot().unsaved == ""
