"""`kill -9` of a hall, its broker and its tables throughout a tournament: no result is lost, and none counts twice."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.faults.disk import ROOT
from tests.support.brokers import needs_mosquitto

MINUTES = 30


def killed(folder: Path, seed: int, kills: int, tables: int, rounds: int) -> Any:
    """Play a tournament with kills; return what came of it."""
    needs_mosquitto()
    command = [sys.executable, "-m", "tests.faults.hall_killing", str(folder), "--seed", str(seed)]
    command += ["--kills", str(kills), "--tables", str(tables), "--rounds", str(rounds)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60 * MINUTES)
    assert done.returncode == 0, done.stderr[-8000:]
    return json.loads(done.stdout)


@pytest.mark.broker
@pytest.mark.slow
def test_a_tournament_survives_kills(tmp_path: Path) -> None:
    """Six kills in two rounds of three tables: results and standings are those of the tables' own journals."""
    found = killed(tmp_path, seed=1, kills=6, tables=3, rounds=2)
    assert found["faults"] == []
    assert sum(found["kills"].values()) == 6 and found["results"] >= 6


@pytest.mark.broker
@pytest.mark.faults
@pytest.mark.parametrize("seed", [2, 3])
def test_a_tournament_survives_hundreds_of_kills(tmp_path: Path, capsys: pytest.CaptureFixture[str], seed: int) -> None:
    """Six rounds of ten tables: also while a result is sent, while it is written, and whatever the clocks say."""
    found = killed(tmp_path, seed, kills=210, tables=10, rounds=6)
    again = found["right_again"]
    with capsys.disabled():
        print(f"\nkilled (seed {seed}): {found['kills']}, at moments {found['moments']}")
        print(f"  {found['results']} results, bad {found['faults']}")
        print(f"  from the broker's answer until all see all: p50 {statistics.median(again):.1f} s, "
              f"max {max(again):.1f} s, n {len(again)} (target 5 s)")  # fmt: skip
    assert found["faults"] == []
    assert sum(found["kills"].values()) == 210 and found["results"] >= 60
