"""Notifications to systemd."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.ops.systemd import SystemdNotifier


@pytest.fixture(params=["path", "abstract"])
def listener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    """Yield a listening socket like systemd's and its address."""
    address = str(tmp_path / "notify") if request.param == "path" else f"@companion-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind("\0" + address[1:] if address.startswith("@") else address)
        end.settimeout(5)
        yield end, address


def heard(end: socket.socket) -> list[str]:
    """Return all messages received so far."""
    end.setblocking(False)
    said = []
    while True:
        try:
            said.append(end.recv(4096).decode())
        except BlockingIOError:
            return said


def test_everything_is_said_in_systemds_words(listener: tuple[socket.socket, str]) -> None:
    """Each notification is one datagram in systemd's format, and an unchanged status is not repeated."""
    end, address = listener
    notify = SystemdNotifier(address, limit=30)
    notify.ready("buttons are there")
    notify.status("buttons are there")
    notify.status("buttons are there,\nthe camera is missing")
    notify.alive()
    notify.stopping()
    assert heard(end) == [
        "READY=1\nSTATUS=buttons are there",
        "STATUS=buttons are there, the camera is missing",
        "WATCHDOG=1",
        "STOPPING=1",
    ]


def test_alive_is_said_three_times_in_the_interval_at_most(listener: tuple[socket.socket, str]) -> None:
    """The watchdog is notified at most three times per interval."""
    end, address = listener
    moments = (100.0, 100.1, 109.9, 110.0, 110.1, 125.0)
    notify = SystemdNotifier(address, limit=30, clock=iter(moments).__next__)
    for _ in moments:
        notify.alive()
    assert heard(end) == ["WATCHDOG=1"] * 3
    assert notify.every == 10


def test_without_a_watchdog_nobody_is_told_that_we_live(listener: tuple[socket.socket, str]) -> None:
    """Without a watchdog interval no signs of life are sent."""
    end, address = listener
    SystemdNotifier(address).alive()
    assert heard(end) == []


def test_the_socket_is_taken_out_of_the_environment() -> None:
    """The variables are removed from the environment, so that child processes cannot use them."""
    environment = {
        "NOTIFY_SOCKET": "/run/x",
        "WATCHDOG_USEC": "20000000",
        "WATCHDOG_PID": str(os.getpid()),
        "HOME": "/",
    }
    notify = SystemdNotifier.from_environment(environment)
    assert (notify.address, notify.limit, environment) == ("/run/x", 20.0, {"HOME": "/"})


@pytest.mark.parametrize(
    "told",
    [
        {"NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"},
        {"NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "soon"},
        {"NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "0"},
        {"WATCHDOG_USEC": "20000000"},
        {},
    ],
    ids=["another process's", "no number", "zero", "no socket", "nothing"],
)
def test_a_watchdog_that_is_not_ours_is_none(told: dict[str, str]) -> None:
    """A watchdog setting that is invalid or meant for another process is ignored."""
    notify = SystemdNotifier.from_environment(told)
    assert notify.limit is None and notify.every is None and not told


def test_nobody_to_tell_is_no_trouble(tmp_path: Path) -> None:
    """Without systemd, or without its socket, notifications do nothing."""
    for address in ("", str(tmp_path / "gone"), "@companion-nobody"):
        notify = SystemdNotifier(address, limit=1)
        notify.ready()
        notify.alive()
        notify.status("well")
        notify.stopping()


def test_a_full_socket_does_not_hold_us_up(tmp_path: Path) -> None:
    """A full socket does not block."""
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind(address)
        notify = SystemdNotifier(address, limit=1)
        for _ in range(2000):
            notify.ready()
        assert heard(end)


def test_children_inherit_nothing(tmp_path: Path) -> None:
    """A child process does not inherit the variables."""
    ask = "import os; print(sorted(name for name in os.environ if name.startswith(('NOTIFY', 'WATCHDOG'))))"
    code = (
        "import subprocess, sys\n"
        "from companion.ops.systemd import SystemdNotifier\n"
        "SystemdNotifier.from_environment()\n"
        f"subprocess.run([sys.executable, '-c', {ask!r}], check=True)\n"
    )
    environment = {**os.environ, "NOTIFY_SOCKET": str(tmp_path / "x"), "WATCHDOG_USEC": "1000000"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=30)
    assert done.stdout == "[]\n", done.stderr
