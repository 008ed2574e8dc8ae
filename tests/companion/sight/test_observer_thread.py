"""The observer's thread wakes up for readings and at due times."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.engine import CellName, Player, Seat, Setup
from companion.messages import SECOND, CellSighting, Sighted
from companion.sight import lasting
from companion.sight.moves import Propose
from companion.sight.observer import SightObserver
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from tests.support.hex_rails.rules import RULES, Laid
from tests.support.web.board_room import offered

SOON = 10.0
"""Seconds within which the thread must react, even on a busy machine."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Yield a match of Hex Rails with real pieces."""
    with offered(), Table(tmp_path / "journal.db") as found:
        found.start(Setup(RULES.name, (Player("Jane"), Player("Bill")), deck="ours"))
        yield found


@contextmanager
def awaited(table: Table, shows: Callable[[Snapshot], bool]) -> Iterator[SightObserver]:
    """Yield an observer with a thread, and wait until the table meets a condition."""
    shown = threading.Event()
    table.listen(lambda snapshot, entries: shown.set() if shows(snapshot) else None)
    observer = SightObserver(table)
    try:
        yield observer
        assert shown.wait(SOON)
    finally:
        observer.close()
        assert observer._thread is not None and not observer._thread.is_alive()


def cube(cell: str) -> Sighted:
    """Return a reading of one red cube on a cell."""
    return Sighted(1, 1, game=RULES.name, cells=(CellSighting(cell, ("cube.red",)),))


def test_a_reading_wakes_it(table: Table) -> None:
    """A reading wakes the thread, which proposes a certain event."""
    with awaited(table, lambda snapshot: bool(snapshot.entries)) as observer:
        observer.accept_reading(cube("A2"))
    assert [entry.event for entry in table.snapshot().entries] == [Laid(Seat(0), CellName("A2"))]


def test_patience_that_is_over_wakes_it(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread wakes up to report a mismatch that has lasted, without a new reading."""
    monkeypatch.setattr(lasting, "PATIENCE", SECOND // 20)
    with awaited(table, lambda snapshot: bool(snapshot.sight.mismatches)) as observer:
        observer.accept_reading(cube("C5"))
    assert table.snapshot().entries == ()


def test_closing_while_it_looks_ends_it(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing the observer during a look ends its thread."""
    observer = SightObserver(table)
    closer, told = threading.Thread(target=observer.close, daemon=True), threading.Event()
    put, judge = observer._inbox.put, observer._tracker.judge

    def close(now: int, propose: Propose) -> None:
        """Close the observer from another thread during the look."""
        monkeypatch.setattr(observer._tracker, "judge", judge)
        closer.start()
        told.wait(SOON)

    def put_and_tell(news: Callable[[], None]) -> None:
        """Put an item into the inbox and signal it."""
        put(news)
        told.set()

    monkeypatch.setattr(observer._tracker, "judge", close)
    monkeypatch.setattr(observer._inbox, "put", put_and_tell)
    put(lambda: None)
    assert told.wait(SOON)
    closer.join(SOON)
    assert not closer.is_alive()
