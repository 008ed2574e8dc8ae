"""The readings of a process and of a socket come from a real kernel."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys

from companion.devices.bus.kernel_readings import has_unread_bytes, read_threads
from companion.messages import MILLISECOND


def test_a_real_process_is_read() -> None:
    """The kernel reports a busy process as running, and a stopped one as not ready."""
    child = subprocess.Popen([sys.executable, "-c", "print(flush=True)\nwhile True: pass"], stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None
        child.stdout.readline()
        ((ready, ran),) = read_threads(child.pid).values()
        assert ready
        while read_threads(child.pid)[str(child.pid)][1] < ran + 50 * MILLISECOND:
            pass
        os.kill(child.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, child.pid, os.WSTOPPED)
        ((ready, _),) = read_threads(child.pid).values()
        assert not ready
    finally:
        child.kill()
        child.communicate()


def test_unread_bytes_are_noticed() -> None:
    """A socket has unread bytes until they are read, and a closed socket has none."""
    here, there = socket.socketpair()
    assert not has_unread_bytes(here)
    there.send(b"x")
    assert has_unread_bytes(here)
    here.recv(1)
    assert not has_unread_bytes(here)
    here.close()
    there.close()
    assert not has_unread_bytes(here)
    assert not has_unread_bytes(None)
