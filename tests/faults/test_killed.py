"""`kill -9` at random moments: of a table alone, of the live server with people at it."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.disk import ROOT
from tests.faults.serving import Evening, Figures


def killed(folder: Path, kills: int, seed: int) -> dict[str, list[str] | list[float] | int]:
    """Kill playing tables; return what came of it."""
    command = [sys.executable, "-m", "tests.faults.killing", str(folder), str(kills), str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str] | list[float] | int] = json.loads(done.stdout)
    return found


def told(label: str, times: list[float], target: str = "") -> str:
    """Return times in milliseconds as a line."""
    return f"  {label}: p50 {statistics.median(times):.0f} ms, max {max(times):.0f} ms, n {len(times)}{target}"


def test_a_killed_table_loses_nothing(tmp_path: Path) -> None:
    """Two dozen tables are killed: each move that was acknowledged is there, and the next table goes on from it."""
    found = killed(tmp_path, 24, 11)
    assert found["faults"] == []
    assert found["kills"] == 24


def test_a_killed_server_loses_no_move(tmp_path: Path) -> None:
    """While everybody taps the server is killed, twice: every tap that was answered is there."""
    with Evening(tmp_path) as evening:
        figures = evening.kills(2, seed=1)
    assert figures.faults == []
    assert figures.taps > 0


@pytest.mark.faults
def test_two_thousand_killed_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The writer alone, in a process of its own each time."""
    found = killed(tmp_path, 2000, 5)
    with capsys.disabled():
        print(f"\nkilled tables: {found['kills']} kills, {found['acknowledged']} moves, bad {found['faults']}")
        print(told("table opened again, first word", found["resumed"]))  # type: ignore[arg-type]
    assert found["faults"] == []


@pytest.mark.faults
def test_a_hundred_killed_servers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`companion run` with four people tapping at once."""
    figures = Figures()
    for number in range(10):
        folder = tmp_path / str(number)
        folder.mkdir()
        with Evening(folder) as evening:
            figures.add(evening.kills(12, seed=number))
    with capsys.disabled():
        print(f"\nkilled servers: {len(figures.started)}, {figures.taps} answered taps, bad {figures.faults}")
        print(told("service start to the first page with the match", figures.started, " (target 3,000 ms)"))
    assert figures.faults == []
