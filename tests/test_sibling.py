"""Siblings: a real process is started again when it dies, and ends when it is told to."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import sibling
from companion.sibling import Sibling

PATIENCE = 30
"""Seconds after which a test gives up waiting for what should come at once."""
CHILD = """
import os, signal, sys
said = os.open(sys.argv[1], os.O_WRONLY)
def end(*_):
    os.write(said, b"told to end\\n")
    if sys.argv[2] == "polite":
        os._exit(0)
signal.signal(signal.SIGTERM, end)
os.write(said, b"%d\\n" % os.getpid())
while True:
    signal.pause()
"""


class Family:
    """A sibling whose words come through a named pipe."""

    def __init__(self, folder: Path, manners: str) -> None:
        fifo = folder / "fifo"
        os.mkfifo(fifo)
        self.end = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)  # never at its end, whoever writes
        self.sibling = Sibling("child", [sys.executable, "-c", CHILD, str(fifo), manners])

    def line(self) -> str:
        """Return the next line that the process says."""
        found = b""
        while not found.endswith(b"\n"):
            ready, _, _ = select.select([self.end], [], [], PATIENCE)
            assert ready, "the process says nothing"
            found += os.read(self.end, 1)
        return found.decode().strip()

    def close(self) -> None:
        """End it and the pipe."""
        self.sibling.close()
        os.close(self.end)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing take longer than it must."""
    monkeypatch.setattr(sibling, "SOON", 0.01)
    monkeypatch.setattr(sibling, "LATE", 0.02)
    monkeypatch.setattr(sibling, "PATIENCE", 0.2)


@pytest.fixture
def family(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Family]:
    """Give a sibling that has not been started yet, a polite one unless the test says otherwise."""
    family = Family(tmp_path, getattr(request, "param", "polite"))
    yield family
    family.close()


def gone(pid: int) -> bool:
    """Whether there is no such process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_sibling_runs_until_it_is_closed(family: Family) -> None:
    """It is told to end, may say so, and is gone when `close` returns; it is not started again."""
    family.sibling.start()
    pid = int(family.line())
    assert not gone(pid)
    family.sibling.close()
    assert family.line() == "told to end"
    assert gone(pid)
    assert family.sibling.process is not None and family.sibling.process.returncode == 0


def test_a_sibling_that_is_killed_is_started_again(family: Family, caplog: pytest.LogCaptureFixture) -> None:
    """Killed twice, there is a new one each time, and the log says so."""
    family.sibling.start()
    first = int(family.line())
    os.kill(first, signal.SIGKILL)
    second = int(family.line())
    os.kill(second, signal.SIGKILL)
    third = int(family.line())
    assert len({first, second, third}) == 3
    assert gone(first) and gone(second) and not gone(third)
    assert caplog.text.count("child ended (-9) and is started again") == 2


@pytest.mark.parametrize("family", ["stubborn"], indirect=True)
def test_a_sibling_that_does_not_end_is_killed(family: Family) -> None:
    """It was told and stays: after a while it is not asked any more."""
    family.sibling.start()
    pid = int(family.line())
    family.sibling.close()
    assert family.line() == "told to end"
    assert gone(pid)
    assert family.sibling.process is not None and family.sibling.process.returncode == -signal.SIGKILL


def test_a_sibling_has_a_session_of_its_own(family: Family) -> None:
    """A Ctrl-C in the terminal is for the table, which ends its siblings itself."""
    family.sibling.start()
    pid = int(family.line())
    assert os.getsid(pid) == pid != os.getsid(0)


def test_what_cannot_be_started_is_said_and_ended(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    """There is no such command: the log says so, and closing does not wait for it."""
    absent = Sibling("child", [str(tmp_path / "nothing")])
    said = absent._closing
    waited = said.wait

    def once(seconds: float | None = None) -> bool:
        said.set()
        return waited(seconds)

    absent._closing.wait = once  # type: ignore[method-assign]
    absent.start()
    absent.close()
    assert "child cannot be started" in caplog.text
    assert absent.process is None


def test_a_sibling_that_was_never_started_closes(tmp_path: Path) -> None:
    """Closing before starting is nothing."""
    absent = Sibling("child", [str(tmp_path / "nothing")])
    absent.close()
    assert absent.process is None
