"""Runs a real mosquitto for tests with the configuration, permissions and passwords that `companion broker` writes."""

from __future__ import annotations

import contextlib
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.devices.bus import BrokerAddress
from companion.devices.bus.mosquitto import CONFIGURATION, write_files
from tests.support.must_run import must_run

PATIENCE = 20.0
"""Seconds to wait for a real broker before a test fails."""
FIRST_PORT, PORTS = 20_000, 12_000
"""The range of ports for tests, below 32,768, from which Linux takes ports for connections."""


def mosquitto() -> str | None:
    """Return the path of the broker's executable."""
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def needs_mosquitto() -> None:
    """Skip a test if there is no broker, or fail it if it must run."""
    if mosquitto() is None:
        assert not must_run("broker"), "there is no mosquitto: apt install mosquitto"
        pytest.skip("there is no mosquitto: apt install mosquitto")


def free_port() -> int:
    """Return an unused port, outside the range that the kernel assigns to connections."""
    while True:
        port = FIRST_PORT + secrets.randbelow(PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def until(true: Callable[[], object]) -> None:
    """Wait until a condition holds; fail if it never does."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it never came about"
        time.sleep(0.01)


class Mosquitto:
    """A broker with its own port, and a folder that contains the passwords of all users."""

    def __init__(self, folder: Path, also: tuple[str, ...] = ()) -> None:
        program = mosquitto()
        assert program is not None
        self.folder, self.port = folder, free_port()
        write_files(folder, "companion", self.port, "127.0.0.1", also)
        with (folder / CONFIGURATION).open("a", encoding="utf-8") as file:
            file.write("user root\n")  # for tests run as root: mosquitto reads its files as another user
        self.command = [program, "-c", str(folder / CONFIGURATION)]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> BrokerAddress:
        """The address of the bus."""
        return BrokerAddress("127.0.0.1", self.port, password_file=self.folder / "{service}.password")

    def start(self) -> None:
        """Start the broker and wait until it listens."""
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(self._listens)

    def stop(self) -> None:
        """Kill the broker, as a power cut would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


@contextmanager
def running(folder: Path, also: tuple[str, ...] = ()) -> Iterator[Mosquitto]:
    """Yield a running broker; skip the test if none is installed."""
    needs_mosquitto()
    found = Mosquitto(folder, also)
    found.start()
    try:
        yield found
    finally:
        found.stop()
