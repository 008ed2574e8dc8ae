"""Check who listens at a Unix socket's path, and bind the path for a single table."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

from companion.devices.bus.address import LONGEST_PATH
from companion.devices.bus.protocol import SLOW, BusError

BACKLOG = 8


def why_unreachable(path: Path) -> str:
    """Return a sentence that says why nobody can be reached at a path; empty if somebody listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(SLOW)
        try:
            probe.connect(str(path))
        except OSError as error:
            return explain_failure(path, error)
    return ""


def explain_failure(path: Path, error: OSError) -> str:
    """Return a sentence that says why a connection to a path failed and what to do."""
    if isinstance(error, PermissionError):
        return f"The bus {path} may not be used by this user: it must be in the group of the table's user."
    if isinstance(error, (ConnectionRefusedError, FileNotFoundError, NotADirectoryError)):
        return f"No table listens at {path}: start one (companion table, or companion run)."
    return f"The bus {path} does not answer: {error.strerror or error}. Is the table too busy?"


def listen(path: Path) -> socket.socket:
    """Return a socket that listens at a path for this user and group; raise `BusError` if that fails."""
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise BusError(f"The path {path} is too long for a socket: choose a shorter data folder.")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path.parent):
            _bind(listener, path)
    except OSError as error:
        listener.close()
        raise BusError(f"The bus cannot be opened at {path}: {error.strerror or error}.") from error
    except BusError:
        listener.close()
        raise
    return listener


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, so that two tables starting together cannot both find the path free."""
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def _is_deserted(path: Path) -> bool:
    """Return whether a dead table left this socket; a busy one, or one that we may not use, is not deserted."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        return probe.connect_ex(str(path)) == errno.ECONNREFUSED


def _bind(listener: socket.socket, path: Path) -> None:
    """Listen at a path, replacing a dead table's socket; raise `BusError` if another table listens."""
    if path.exists() and stat.S_ISSOCK(path.stat().st_mode):
        if not _is_deserted(path):
            raise BusError(f"Another table listens at {path} already: stop it first, or choose another data folder.")
        path.unlink()
    old = os.umask(0o117)
    try:
        listener.bind(str(path))
    finally:
        os.umask(old)
    listener.listen(BACKLOG)
