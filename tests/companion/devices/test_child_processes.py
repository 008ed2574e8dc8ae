"""A real child process is restarted when it dies, and ends when it is told to."""

from __future__ import annotations

import contextlib
import os
import queue
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.devices import child_processes
from companion.devices.bus import SocketAddress, serve
from companion.devices.child_processes import SupervisedProcess
from companion.messages import AnyMessage, Health

PATIENCE = 30
"""Seconds after which a test stops waiting for an immediate reaction."""
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
    """A supervised process that reports its lines through a named pipe."""

    def __init__(self, folder: Path, manners: str) -> None:
        fifo = folder / "fifo"
        os.mkfifo(fifo)
        self.end = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)  # stays open when writers close it
        self.supervised = SupervisedProcess("child", [sys.executable, "-c", CHILD, str(fifo), manners])

    def line(self) -> str:
        """Return the next line of the process."""
        found = b""
        while not found.endswith(b"\n"):
            ready, _, _ = select.select([self.end], [], [], PATIENCE)
            assert ready, "the process says nothing"
            found += os.read(self.end, 1)
        return found.decode().strip()

    def close(self) -> None:
        """Close the process and the pipe."""
        self.supervised.close()
        os.close(self.end)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten all waits of the supervisor."""
    monkeypatch.setattr(child_processes, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(child_processes, "LONGEST_WAIT", 0.02)
    monkeypatch.setattr(child_processes, "PATIENCE", 0.2)


@pytest.fixture
def family(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Family]:
    """Yield a process that is not started yet, by default one that ends on request."""
    family = Family(tmp_path, getattr(request, "param", "polite"))
    yield family
    family.close()


def gone(pid: int) -> bool:
    """Return whether no process has this id."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_process_runs_until_it_is_closed(family: Family) -> None:
    """A process is told to end and is gone when `close` returns, and it is not restarted."""
    family.supervised.start()
    pid = int(family.line())
    assert not gone(pid)
    family.supervised.close()
    assert family.line() == "told to end"
    assert gone(pid)
    assert family.supervised.process is not None and family.supervised.process.returncode == 0


def test_a_process_that_was_started_is_not_started_twice(family: Family) -> None:
    """Starting a process twice runs it only once."""
    family.supervised.start()
    family.supervised.start()
    family.line()
    family.supervised.close()
    assert family.line() == "told to end"  # a second process would first have written its id


class Punctual:
    """A process that ends right after a wait for it has timed out."""

    returncode: int | None = None

    def poll(self) -> int | None:
        """Return its exit code."""
        return self.returncode

    def wait(self, timeout: float) -> int:
        """Set the exit code and raise a timeout."""
        self.returncode = -9
        raise subprocess.TimeoutExpired("child", timeout)


def test_no_end_goes_unsaid(family: Family, caplog: pytest.LogCaptureFixture) -> None:
    """A process that ends between two waits is still reported."""
    process: Any = Punctual()
    family.supervised._wait_for_end(process)
    assert caplog.text.count("child ended (-9) and is started again") == 1


def test_a_process_that_is_killed_is_started_again(family: Family, caplog: pytest.LogCaptureFixture) -> None:
    """A killed process is restarted each time, and the log reports it."""
    family.supervised.start()
    first = int(family.line())
    os.kill(first, signal.SIGKILL)
    second = int(family.line())
    os.kill(second, signal.SIGKILL)
    third = int(family.line())
    assert len({first, second, third}) == 3
    assert gone(first) and gone(second) and not gone(third)
    assert caplog.text.count("child ended (-9) and is started again") == 2


@pytest.mark.parametrize("family", ["stubborn"], indirect=True)
def test_a_process_that_does_not_end_is_killed(family: Family) -> None:
    """A process that ignores the request to end is killed."""
    family.supervised.start()
    pid = int(family.line())
    family.supervised.close()
    assert gone(pid)
    assert family.supervised.process is not None and family.supervised.process.returncode == -signal.SIGKILL


def test_a_process_has_a_session_of_its_own(family: Family) -> None:
    """A process runs in its own session, so that Ctrl-C in the terminal does not reach it."""
    family.supervised.start()
    pid = int(family.line())
    assert os.getsid(pid) == pid != os.getsid(0)


def test_what_cannot_be_started_is_said_and_ended(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    """A command that does not exist is logged, and closing does not wait for it."""
    absent = SupervisedProcess("child", [str(tmp_path / "nothing")])
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


def test_a_process_that_was_never_started_closes(tmp_path: Path) -> None:
    """A process that was never started can be closed."""
    absent = SupervisedProcess("child", [str(tmp_path / "nothing")])
    absent.close()
    assert absent.process is None


# --- a child and the end of its parent ------------------------------------------------------------

PARENT = """
import signal, sys
from companion.devices.child_processes import SupervisedProcess
SupervisedProcess("child", sys.argv[1:]).start()
signal.pause()
"""
ORPHAN = """
import os, signal, sys
from companion.devices import child_processes
child_processes.CHECK_PARENT_EVERY = child_processes.ORPHAN_PATIENCE = 0.01
if "no pidfd" in sys.argv:
    del os.pidfd_open
if "stubborn" in sys.argv:
    signal.signal(signal.SIGTERM, lambda *_: os.write(2, b"told to end\\n"))
print(os.getpid(), file=sys.stderr, flush=True)
child_processes.end_with_parent()
print("serving", file=sys.stderr, flush=True)
while True:
    signal.pause()
"""
MOMENTS = 11


class Orphaned:
    """A parent with a child that writes into a pipe, which closes when both have ended."""

    def __init__(self, *command: str) -> None:
        # The shell prints its process id and becomes the child, so the child keeps its parent.
        words = ("sh", "-c", 'echo $$ >&2; exec "$@"', "sh", *command)
        self.parent = subprocess.Popen((sys.executable, "-c", PARENT, *words), stderr=subprocess.PIPE, env=alone())
        assert self.parent.stderr is not None
        self.pipe = self.parent.stderr.fileno()
        self.rest = b""
        self.child = int(self.line())

    def line(self) -> str:
        """Return the next line, or an empty string if no writer is left."""
        while b"\n" not in self.rest:
            ready, _, _ = select.select([self.pipe], [], [], PATIENCE)
            assert ready, "a process lives and says nothing"
            piece = os.read(self.pipe, 65536)
            if not piece:
                return ""
            self.rest += piece
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode()

    def bereave(self) -> list[str]:
        """Kill the parent and return the child's remaining lines."""
        self.parent.kill()
        return list(iter(self.line, ""))

    def __enter__(self) -> Orphaned:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.child, signal.SIGKILL)
        self.parent.kill()
        self.parent.communicate()


def alone() -> dict[str, str]:
    """Return the environment without the companion's variables."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COMPANION_")}


def buttons(folder: Path) -> tuple[str, ...]:
    """Return the command of the buttons service, which prints each module that it imports."""
    words = ("buttons", "--pins", "simulated", "--data", str(folder), "--child")
    return (sys.executable, "-X", "importtime", "-m", "companion", *words)


def test_no_service_outlives_a_parent_that_is_killed_while_it_starts(tmp_path: Path) -> None:
    """If the parent is killed while a service starts or serves, the service ends and joins no later table."""
    heard: queue.Queue[AnyMessage] = queue.Queue()
    with (
        closing(serve(SocketAddress(tmp_path / "bus"), lambda peer, message: heard.put(message))),
        Orphaned(*buttons(tmp_path)) as whole,
    ):
        assert isinstance(heard.get(timeout=PATIENCE), Health)
        imports = len(whole.bereave())
    while not heard.empty():
        heard.get()
    for moment in range(MOMENTS):
        with Orphaned(*buttons(tmp_path)) as early:  # without a table the child may be further than it has printed
            for _ in range(imports * moment // MOMENTS):
                assert early.line()
            early.parent.kill()
            early.parent.wait()
            with closing(serve(SocketAddress(tmp_path / "bus"), lambda peer, message: heard.put(message))):
                early.bereave()
    assert heard.empty()


@pytest.mark.parametrize("system", ["pidfd", "no pidfd"])
def test_a_child_is_told_when_its_parent_is_killed(system: str) -> None:
    """A child learns of its parent's death, even on a system that does not notify it."""
    with Orphaned(sys.executable, "-c", ORPHAN, system) as family:
        assert [family.line(), family.line()] == [str(family.child), "serving"]
        assert family.bereave() == []


def test_an_orphan_that_does_not_end_kills_itself() -> None:
    """An orphan that does not end on request kills itself."""
    with Orphaned(sys.executable, "-c", ORPHAN, "stubborn") as family:
        assert [family.line(), family.line()] == [str(family.child), "serving"]
        assert family.bereave() == ["told to end"]


def test_a_child_of_a_parent_that_has_ended_never_begins() -> None:
    """A child whose parent has already ended does not start."""
    environment = {**os.environ, child_processes.PARENT: str(os.getppid())}
    done = subprocess.run(
        [sys.executable, "-c", ORPHAN], stderr=subprocess.PIPE, env=environment, timeout=PATIENCE, text=True
    )
    assert (done.returncode, "serving" in done.stderr) == (0, False)
