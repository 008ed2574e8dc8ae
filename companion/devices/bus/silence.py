"""How long a service has been silent although nothing kept it from speaking, and us from hearing it."""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import termios
from collections.abc import Callable
from pathlib import Path

from companion.messages import SECOND

FORGIVEN = 8 * SECOND
"""Waiting for the processor excuses silence up to this length: nobody can rely on a service that waits longer."""
SUSPECT = 750_000_000
"""Nanoseconds of silence from which on a process is examined; a service speaks at least twice a second."""
TICK = SECOND // os.sysconf("SC_CLK_TCK")
"""Nanoseconds of the unit in which the kernel tells how long a thread has run."""
PROC = Path("/proc")
Threads = dict[str, tuple[bool, int]]
"""A process's threads by id: whether each runs or waits for a processor, and how long it has run (ns)."""


class SilenceTimer:
    """Measures the silence of one service. Its callers hold a lock of their own.

    `every`: seconds between two calls of `look`. If a look comes late, we have been kept from running, and from hearing
    anything: of such a gap only twice this span counts.
    """

    def __init__(self, clock: Callable[[], int], every: float) -> None:
        self._clock = clock
        self._most = round(2 * every * SECOND)
        self._looked = clock()
        self._silent = self._waited = 0
        self._threads: Threads = {}

    def spoke(self) -> None:
        """Begin anew: the service has said something."""
        self._looked = self._clock()
        self._silent = self._waited = 0
        self._threads = {}

    def look(self, unheard: bool = False, process: int = 0) -> int:
        """Return the nanoseconds of silence so far.

        `unheard`: something of the service has come and is not dealt with yet. `process`: its id on this machine, 0
        where it is unknown; time in which it waited for a processor is no silence. Our own process is not asked: it
        runs.
        """
        if unheard:
            self.spoke()
            return 0
        now = self._clock()
        passed = min(now - self._looked, self._most)
        self._looked = now
        self._silent += passed
        if process not in (0, os.getpid()) and self._silent >= SUSPECT:
            threads = _threads(process)
            if self._threads:
                self._waited += waited(self._threads, threads, passed)
            self._threads = threads
        return self._silent - min(self._waited, FORGIVEN)


def waited(before: Threads, now: Threads, passed: int) -> int:
    """Return for how much of the time that passed (ns) a process could not run for want of a processor.

    It is the longest wait of a thread that is ready to run: the others may depend on that one.
    """
    waits = [passed - (ran - before.get(thread, (False, 0))[1]) for thread, (ready, ran) in now.items() if ready]
    return max([0, *waits])


def _threads(process: int) -> Threads:
    """Return the threads of a process; none where it has ended or is hidden from us."""
    found: Threads = {}
    try:
        for place in (PROC / str(process) / "task").iterdir():
            # proc(5): the name, which may hold anything, is in brackets; then state, …, utime and stime
            fields = (place / "stat").read_text(errors="replace").rpartition(")")[2].split()
            found[place.name] = fields[0] == "R", (int(fields[11]) + int(fields[12])) * TICK
    except (OSError, IndexError):
        pass
    return found


def unread(end: socket.socket | None) -> bool:
    """Whether bytes have arrived at a socket that nobody has read yet."""
    if end is None:
        return False
    try:
        found = fcntl.ioctl(end.fileno(), termios.FIONREAD, struct.pack("i", 0))
    except (OSError, ValueError):  # it is closed
        return False
    return bool(struct.unpack("i", found)[0])
