"""A demonstration as a newcomer starts it: one command, and a whole table plays itself; nothing of it is left."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.demonstration import Watched, demonstration


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """Give a demonstration of Take a Train for two, at full speed."""
    with demonstration(tmp_path_factory.mktemp("demo") / "log") as found:
        yield found


@pytest.mark.slow
def test_cards_move_and_are_understood(watched: Watched) -> None:
    """Within a minute of the command a card has been moved, read and shown, and nothing was wrong."""
    watched.until(lambda: watched.now()["ready"])
    watched.want("speed", speed="16")
    watched.until(lambda: watched.counts()[0] > 4 and watched.counts()[1] > 0)
    assert watched.now()["wrong"] == ""
    assert watched.now()["camera"]["sees"]


@pytest.mark.slow
def test_a_seat_is_taken_over_and_given_back(watched: Watched) -> None:
    """Who takes a seat is waited for; given back, the table plays on. And it stops where somebody says so."""
    watched.until(lambda: watched.now()["ready"])
    watched.want("take", seat="0", on="1")
    watched.want("take", seat="1", on="1")
    watched.until(lambda: watched.now()["taken"] == [0, 1])
    watched.want("take", seat="0", on="0")
    watched.want("take", seat="1", on="0")
    before = watched.counts()[0]
    watched.until(lambda: watched.counts()[0] > before)
    watched.want("speed", speed="0")
    watched.until(lambda: watched.now()["state"] == "stopped")
    watched.want("speed", speed="16")


@pytest.mark.slow
def test_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ended in the middle, it takes its folder and its processes with it."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    command = [sys.executable, "-u", "-m", "companion", "demo", "--host", "127.0.0.1", "--players", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        next(line for line in process.stdout if "http://" in line)
        folders = list(tmp_path.glob("companion-demo-*"))
        assert len(folders) == 1
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    assert not folders[0].exists()
