"""Ask the kernel about a silent peer: do its threads wait for a processor, and do its bytes lie unread?"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import termios
from pathlib import Path

from companion.messages import SECOND

TICK = SECOND // os.sysconf("SC_CLK_TCK")
"""Nanoseconds per clock tick, the kernel's unit for a thread's running time."""
PROC = Path("/proc")
Threads = dict[str, tuple[bool, int]]
"""A process's threads by id: whether each is running or ready to run, and its running time (ns)."""


def read_threads(process: int) -> Threads:
    """Return the threads of a process; none if it has ended or we may not see it."""
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
    """Return whether a socket holds unread bytes."""
    if end is None:
        return False
    try:
        found = fcntl.ioctl(end.fileno(), termios.FIONREAD, struct.pack("i", 0))
    except (OSError, ValueError):  # the socket is closed
        return False
    return bool(struct.unpack("i", found)[0])
