"""A demonstration as a newcomer starts it: one command, and a whole table plays itself; nothing of it is left."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.people.over_http import Away, Browser

START = 120.0
"""Seconds within which cards move, on a busy machine that has not drawn its deck yet."""


class Watched:
    """A demonstration that runs, as somebody who watches it sees it."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process, self.address = process, address
        self.browser = Browser(address)

    def now(self) -> dict[str, Any]:
        """Return what the stage says."""
        found: dict[str, Any] = msgspec.json.decode(self.browser.get("/stage/now.json"))
        return found

    def counts(self) -> tuple[int, ...]:
        """Return how many events happened, cards moved and questions were asked."""
        return tuple(map(int, re.findall(r"\d+", self.now()["counts"])))

    def want(self, action: str, **form: str) -> None:
        """Tap something on the stage."""
        code, _, said = self.browser.post("/stage/", f"/stage/{action}", form)
        assert code == 204, said

    def until(self, true: Callable[[], bool]) -> None:
        """Wait until something is so."""
        end = time.monotonic() + START
        while True:
            try:
                if true():
                    return
            except Away:
                pass
            assert self.process.poll() is None and time.monotonic() < end, self.now()
            time.sleep(0.2)


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """Give a demonstration of Take a Train for two, at full speed."""
    command = [sys.executable, "-u", "-m", "companion", "demo", "--host", "127.0.0.1", "--players", "2", "--seed", "3"]
    log = tmp_path_factory.mktemp("demo") / "log"
    with log.open("w") as told, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=told, text=True) as process:
        assert process.stdout is not None
        try:
            found = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
            here = Watched(process, found.rstrip("/"))
            yield here
            here.browser.close()
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
    assert "Traceback" not in log.read_text(), log.read_text()


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
