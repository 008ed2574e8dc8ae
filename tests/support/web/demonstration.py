"""A demonstration for tests; one command starts it, and it ends with the test."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from companion.demo.http_world import Browser, Unreachable

START = 120.0
"""Seconds within which cards must move on a busy machine that has not drawn its deck yet."""


class Watched:
    """A running demonstration, as a watcher sees it."""

    def __init__(self, process: subprocess.Popen[str], address: str, log: Path) -> None:
        self.process, self.address, self.log = process, address, log
        self.browser = Browser(address)

    def now(self) -> dict[str, Any]:
        """Return the stage's report."""
        found: dict[str, Any] = msgspec.json.decode(self.browser.get("/stage/now.json"))
        return found

    def counts(self) -> tuple[int, ...]:
        """Return the numbers of events, moved cards and questions."""
        return tuple(map(int, re.findall(r"\d+", self.now()["counts"])))

    def want(self, action: str, **form: str) -> None:
        """Send a wish to the stage."""
        code, _, said = self.browser.post("/stage/", f"/stage/{action}", form)
        assert code == 204, said

    def until(self, true: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        end = time.monotonic() + START
        while True:
            try:
                if true():
                    return
            except Unreachable:
                pass
            assert self.process.poll() is None and time.monotonic() < end, self.now()
            time.sleep(0.2)


@contextmanager
def demonstration(log: Path, *more: str) -> Iterator[Watched]:
    """Yield a demonstration for two, with a first auction in which everybody counts; `more`: further options of its
    command."""
    command = [sys.executable, "-u", "-m", "companion", "demo", "--host", "127.0.0.1", "--players", "2", "--seed", "3"]
    with (
        log.open("w") as told,
        subprocess.Popen([*command, *more], stdout=subprocess.PIPE, stderr=told, text=True) as process,
    ):
        assert process.stdout is not None
        try:
            found = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
            here = Watched(process, found.rstrip("/"), log)
            yield here
            here.browser.close()
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
    assert "Traceback" not in log.read_text(), log.read_text()
