"""Killed at any commit of set-up, joining, first start or restoring, a table is never locked and keeps what it said."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from companion.journal.database import check_free
from companion.journal.journal import Journal
from tests.faults.disk import ROOT

EVENINGS = ("first start", "set-up", "joining", "resuming", "restoring")


def killed(folder: Path, every: int) -> tuple[dict[str, int], list[str]]:
    """Kill at each step, in a process that has no threads yet and forks the others."""
    command = [sys.executable, "-m", "tests.faults.committing", str(folder), str(every)]
    told = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, timeout=1800).stdout
    kills, faults = json.loads(told)
    return kills, faults


def test_killed_at_its_commits_a_table_is_never_locked(tmp_path: Path) -> None:
    """After every kill the game is there with a host PIN that works and all that was acknowledged, or not at all."""
    kills, faults = killed(tmp_path, 37)
    assert faults == []
    assert tuple(kills) == EVENINGS and all(kills.values())


def first_starts(folder: Path, times: int) -> list[str]:
    """Kill so many first starts at random moments; return what was wrong with what they left."""
    wrong, luck = [], Random(9)
    command = "import sys; from companion.journal.journal import Journal; print(flush=True); Journal(sys.argv[1])"
    for number in range(times):
        path = folder / str(number) / "journal.db"
        child = subprocess.Popen([sys.executable, "-c", command, str(path)], cwd=ROOT, stdout=subprocess.PIPE)
        assert child.stdout is not None
        with child.stdout as pipe:
            pipe.readline()
            for _ in range(luck.randrange(200_000)):  # some milliseconds
                pass
            child.kill()
        child.wait()
        try:
            check_free(path)
            with Journal(path) as journal:
                wrong += journal.findings
        except ValueError as error:
            wrong.append(f"{number}: {error}")
    return wrong


@pytest.mark.faults
def test_every_commit_and_many_first_starts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every step of all evenings, and 250 first starts that are killed within their first milliseconds."""
    (tmp_path / "commits").mkdir()
    kills, faults = killed(tmp_path / "commits", 1)
    wrong = first_starts(tmp_path / "first", 250)
    with capsys.disabled():
        print(f"\nkilled at each commit: {kills}, bad {faults}")
        print(f"first starts killed at random: 250, bad {wrong}")
    assert faults == wrong == []
