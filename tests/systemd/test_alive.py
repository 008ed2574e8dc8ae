"""Tests of the services' messages to systemd when they start as units do."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PATIENCE = 30.0
"""The timeout for a message in seconds; Python starts slowly on a busy machine."""
LIMIT = 0.3
"""The watchdog's limit in seconds."""
COMMANDS = {
    "buttons": ("buttons", "--pins", "simulated"),
    "camera": ("camera", "--source", "none"),
    "table": ("table", "--port", "PORT"),
}


class Listener:
    """systemd's end of the notification socket."""

    def __init__(self, path: Path) -> None:
        self.said: list[str] = []
        self._end = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._end.bind(str(path))
        self._end.settimeout(PATIENCE)

    def until(self, wanted: Callable[[str], bool]) -> str:
        """Wait for a matching message and return it."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            self.said.append(self._end.recv(4096).decode())
            if wanted(self.said[-1]):
                return self.said[-1]
        raise AssertionError(f"what was wanted was not said: {self.said}")

    def close(self) -> None:
        """Close the socket."""
        self._end.close()


def free_port() -> int:
    """Return an unused port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def started(folder: Path, *command: str) -> Iterator[tuple[subprocess.Popen[bytes], Listener]]:
    """Start a command as systemd does, and yield its process and messages."""
    listener = Listener(folder / "notify")
    environment = {
        **os.environ,
        "NOTIFY_SOCKET": str(folder / "notify"),
        "WATCHDOG_USEC": str(int(LIMIT * 1_000_000)),
        "COMPANION_DATA": str(folder / "data"),
        "COMPANION_BUS": str(folder / "bus"),
        "COMPANION_SHELF": str(folder / "shelf"),
    }
    words = (str(free_port()) if word == "PORT" else word for word in command)
    process = subprocess.Popen((sys.executable, "-m", "companion", *words), env=environment)
    try:
        yield process, listener
    finally:
        process.kill()
        process.wait()
        listener.close()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_service_says_when_it_is_ready_that_it_lives_and_that_it_ends(name: str, tmp_path: Path) -> None:
    """A service first reports that it is ready, then that it is alive, and finally that it is stopping."""
    with started(tmp_path, *COMMANDS[name]) as (process, listener):
        assert listener.until(lambda said: True).startswith("READY=1")
        assert "STATUS=pages answer" in listener.said[0] or name != "table", "it is ready before its pages answer"
        for _ in range(3):
            listener.until(lambda said: said == "WATCHDOG=1")
        process.send_signal(signal.SIGTERM)
        listener.until(lambda said: said == "STOPPING=1")
        assert process.wait(PATIENCE) == 0
