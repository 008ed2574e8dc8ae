"""The in-memory copy of a held journal is closed if it cannot be filled."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from companion.journal.held import open_held
from companion.journal.journal import Journal
from companion.journal.schema import JOURNAL


def test_a_copy_that_cannot_be_filled_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If filling the copy fails, its connection is closed."""
    path = tmp_path / "journal.db"
    Journal(path).close()
    made: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def connect_noted(*given: Any, **named: Any) -> sqlite3.Connection:
        made.append(connect(*given, **named))
        return made[-1]

    monkeypatch.setattr(sqlite3, "connect", connect_noted)
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        open_held(path, JOURNAL, None, (("DELETE FROM nowhere", ()),))
    assert made
    for each in made:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            each.execute("SELECT 1")
