"""Measure how long a service has been silent, not counting time in which it could not run or we could not listen."""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import termios
from collections.abc import Callable
from pathlib import Path

from companion.devices.bus.protocol import BusPeer
from companion.messages import SECOND

LOST = int(1.5 * SECOND)
"""A service that has been silent for this long is lost; it sends a message at least twice a second."""
CHECK_EVERY = 0.25
"""Seconds between checks for a lost service."""
FORGIVEN = 8 * SECOND
"""Waiting for the processor excuses silence up to this span: a service that waits longer is of no use."""
SUSPECT = 750_000_000
"""Nanoseconds of silence after which a process is examined; a service sends a message at least twice a second."""
TICK = SECOND // os.sysconf("SC_CLK_TCK")
"""Nanoseconds per clock tick, the kernel's unit for a thread's running time."""
PROC = Path("/proc")
Threads = dict[str, tuple[bool, int]]
"""A process's threads by id: whether each is running or ready to run, and how long it has run (ns)."""


class SilenceTimer:
    """Measures the silence of one service. Callers must hold a lock of their own.

    `every`: seconds between two calls of `look`. If a call comes late, we could not run, and hence not listen: of such
    a gap only twice this span counts.
    """

    def __init__(self, clock: Callable[[], int], every: float) -> None:
        self._clock = clock
        self._most = round(2 * every * SECOND)
        self._looked = clock()
        self._silent = self._waited = 0
        self._threads: Threads = {}

    def restart(self) -> None:
        """Restart the measurement: the service has sent something."""
        self._looked = self._clock()
        self._silent = self._waited = 0
        self._threads = {}

    def look_at(self, peer: BusPeer | None) -> int:
        """Return the nanoseconds of silence so far of a service that the bus may know."""
        return self.look() if peer is None else self.look(peer.unheard, peer.process)

    def look(self, unheard: bool = False, process: int = 0) -> int:
        """Return the nanoseconds of silence so far.

        `unheard`: something from the service has arrived that is not handled yet. `process`: its id on this machine, or
        0 if unknown; time in which it waited for a processor does not count. Our own process is not examined, as it is
        running.
        """
        if unheard:
            self.restart()
            return 0
        now = self._clock()
        passed = min(now - self._looked, self._most)
        self._looked = now
        self._silent += passed
        if process not in (0, os.getpid()) and self._silent >= SUSPECT:
            threads = _read_threads(process)
            if self._threads:
                # The longest wait of any thread that is ready to run, as the others may depend on that one.
                ran = {thread: ran - self._threads.get(thread, (False, 0))[1] for thread, (_, ran) in threads.items()}
                self._waited += max([0, *[passed - ran[thread] for thread, (ready, _) in threads.items() if ready]])
            self._threads = threads
        return self._silent - min(self._waited, FORGIVEN)


def _read_threads(process: int) -> Threads:
    """Return the threads of a process; none if it has ended or is hidden from us."""
    found: Threads = {}
    try:
        for place in (PROC / str(process) / "task").iterdir():
            # proc(5): the name, which may contain anything, is in brackets; then state, …, utime and stime
            fields = (place / "stat").read_text(errors="replace").rpartition(")")[2].split()
            found[place.name] = fields[0] == "R", (int(fields[11]) + int(fields[12])) * TICK
    except (OSError, IndexError):
        pass
    return found


def has_unread_bytes(end: socket.socket | None) -> bool:
    """Whether a socket holds bytes that are not read yet."""
    if end is None:
        return False
    try:
        found = fcntl.ioctl(end.fileno(), termios.FIONREAD, struct.pack("i", 0))
    except (OSError, ValueError):  # the socket is closed
        return False
    return bool(struct.unpack("i", found)[0])
