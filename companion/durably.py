"""Files that last: the lock beside them, room for them, writing them durably, what is wrong with them in words.

Knows no database and no meaning of any file.
"""

from __future__ import annotations

import errno
import fcntl
import os
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile

from companion.replacing import finish, synced

ROOM = 128 * 1024
"""Bytes that must be free at the start: enough for a journal to begin."""
FULL = "the disk is full: make room, then do it again."


class JournalError(ValueError):
    """The journal cannot be read or written; the message says what, where and what to do."""


class NewerFormat(JournalError):
    """A journal written by a newer companion than this one."""


class InUse(JournalError):
    """Another companion has the journal open."""


class Damaged(JournalError):
    """Something that does not fit its checksum, its number or its move."""


def locked(path: Path) -> int:
    """Take the lock beside the journal, so that a second writer leaves with a sentence."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise JournalError(f"The data folder {path.parent} cannot be used: {error.strerror}.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise InUse(f"Another companion uses {path.parent}. Close it, or choose another data folder.") from error
    return lock


def finished(folder: Path) -> None:
    """Finish a restoration that the plug cut short."""
    try:
        finish(folder)
    except OSError as error:
        raise JournalError(f"What was restored in {folder} cannot be put in place: {error.strerror}.") from error


def with_room(folder: Path) -> None:
    """Raise `JournalError` where a folder takes no new data."""
    try:
        with TemporaryFile(dir=folder, buffering=0) as file:
            if file.write(bytes(ROOM)) < ROOM:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file.fileno())
    except OSError as error:
        raise JournalError(f"No match can be kept in {folder}: {plain(error)}") from error


def beside(path: Path, kind: str, why: str = "damaged") -> Path:
    """Return a free name beside the journal for what is kept aside."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    names = (f"{path.name}.{why}-{stamp}{n}.{kind}" for n in ("", *(f"-{k}" for k in range(2, 1000))))
    return next(p for name in names if not (p := path.with_name(name)).exists())


def lengthened(log: Path, length: int) -> None:
    """Give SQLite's log its whole length in bytes, filled with zeros; without room it grows commit by commit."""
    size = log.stat().st_size
    zeros = bytes(max(0, length - size))
    try:
        with log.open("ab", buffering=0) as file:
            if file.write(zeros) < len(zeros):
                raise OSError("no room")
            os.fsync(file.fileno())
    except OSError:
        os.truncate(log, size)


def write_durably(path: Path, data: bytes) -> None:
    """Write a new file so that it survives a power cut."""
    try:
        with path.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        synced(path.parent)
    except OSError as error:
        raise JournalError(f"{path} could not be written: {error.strerror}.") from error


def plain(error: Exception) -> str:
    """Return SQLite's or the system's complaint in words."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error)
    known = {
        "database or disk is full": FULL,
        os.strerror(errno.ENOSPC): FULL,
        "disk I/O error": "the disk reported an error: do it again, and if it stays use another disk.",
        "attempt to write a readonly database": "the file may only be read: check who owns it.",
        "database is locked": "another program holds it: close that program, then do it again.",
        "unable to open database file": "the file cannot be opened: check that it exists, and who owns it.",
    }
    return known.get(text, f"{text}.")
