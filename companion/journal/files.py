"""The journal's file operations: lock, private modes, free space, durable writes, and errors as sentences."""

from __future__ import annotations

import errno
import fcntl
import glob
import os
import stat
from contextlib import suppress
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import TemporaryFile

from companion.files.atomic_folder import finish, sync

ROOM = 128 * 1024
"""Free bytes required to start a journal."""
OURS = (
    "companion.toml", "decks", "places.json", "board.json", "printed", "backups", "bus", "host-pin",
    "before-restore-", ".replacing", ".backup-half-", "*.password", "table-companion",
)  # fmt: skip
"""The beginnings of the names of everything else that the companion puts into a data folder."""
FULL = "the disk is full: free some space, then try again."
READ_ONLY = (
    "the disk is read-only, as the system makes a card that begins to fail: make a backup, and put in a new card."
)
MEMORY = Path("/dev/shm")
"""A folder in memory on Linux."""


class JournalError(ValueError):
    """The journal cannot be read or written; the message says why and what to do."""


class NewerFormat(JournalError):
    """A journal written by a newer companion than this one."""


class JournalInUse(JournalError):
    """Another companion has the journal open."""


class EmptyJournal(JournalError):
    """A journal without data: the table was stopped right after its first start."""


class DamagedJournal(JournalError):
    """A record that contradicts its checksum, number or move."""


def take_lock(path: Path) -> int:
    """Take the lock beside the journal; raise `JournalInUse` if another process holds it."""
    try:
        make_private_folder(path.parent)
        lock = _open_lock(Path(f"{path}.lock"))
    except OSError as error:
        raise JournalError(f"The data folder {path.parent} cannot be used: {error.strerror}.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise JournalInUse(f"Another companion uses {path.parent}. Close it, or choose another data folder.") from error
    return lock


def _open_lock(path: Path) -> int:
    """Open the lock, creating it if it is missing; on a read-only disk, open an existing one."""
    try:
        return open_private(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW)
    except OSError as error:
        if error.errno != errno.EROFS or not path.exists():
            raise
        return os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)


def make_private_folder(folder: Path) -> None:
    """Create a folder that only its owner may enter, under any umask; leave an existing folder as it is."""
    if folder.is_dir():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
        with suppress(OSError):  # USB sticks have no modes
            folder.chmod(0o700)


def restrict_access(path: Path) -> None:
    """Remove other users' rights from a journal, the files beside it, and a data folder of its own.

    A folder with other uses (a home, /tmp) keeps its rights: only this user's folder with nothing but the companion's
    files becomes private.
    """
    folder = path.parent
    for each in folder.glob(f"{glob.escape(path.name)}*"):
        if each.is_file() and not each.is_symlink():
            _restrict(each, 0o600)
    names = [each.name for each in folder.iterdir()]
    ours = (path.name, *OURS)
    if folder.stat().st_mode & stat.S_ISVTX or folder == Path.home():
        return
    if all(any(fnmatchcase(name, f"{each}*") for each in ours) for name in names):
        _restrict(folder, 0o700)


def _restrict(path: Path, most: int) -> None:
    """Remove the mode bits beyond `most` from a file or folder, if this user owns it."""
    found = path.stat()
    if found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) & ~most:
        with suppress(OSError):
            path.chmod(stat.S_IMODE(found.st_mode) & most)


def create_private_file(path: Path) -> None:
    """Create an empty file that only its owner may read, under any umask; leave an existing file as it is."""
    with suppress(FileExistsError):
        os.close(open_private(path, os.O_RDWR | os.O_CREAT | os.O_EXCL))


def open_private(path: Path, flags: int) -> int:
    """Open a file that only its owner may read, under any umask; raise `OSError` if that fails."""
    opened = os.open(path, flags | os.O_CLOEXEC, 0o600)
    with suppress(OSError):  # another user owns it, or the file system has no modes
        os.fchmod(opened, 0o600)
    return opened


def finish_restoration(folder: Path) -> None:
    """Finish a restoration that a power cut interrupted."""
    try:
        finish(folder)
    except OSError as error:
        raise JournalError(f"The data restored in {folder} cannot be put in place: {error.strerror}.") from error


def require_room(folder: Path) -> None:
    """Raise `JournalError` if a folder has no room for new data."""
    error = room_error(folder)
    if error is not None:
        raise JournalError(f"No match can be saved in {folder}: {describe_error(error)}") from error


def room_error(folder: Path) -> OSError | None:
    """Try to write to a folder; return the error, or None if there is room."""
    try:
        with TemporaryFile(dir=folder, buffering=0) as file:
            if file.write(bytes(ROOM)) < ROOM:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file.fileno())
    except OSError as error:
        return error
    return None


def memory_folder() -> Path | None:
    """Return a folder in memory, or None for the folder of temporary files."""
    return MEMORY if os.access(MEMORY, os.W_OK) else None


def is_empty(path: Path) -> bool:
    """Whether a file is empty or missing."""
    return not path.exists() or not path.stat().st_size


def aside_path(path: Path, ending: str = "", why: str = "damaged") -> Path:
    """Return an unused path beside the journal for data that is set aside."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    names = (f"{path.name}.{why}-{stamp}{n}{ending}" for n in ("", *(f"-{k}" for k in range(2, 1000))))
    return next(p for name in names if not (p := path.with_name(name)).exists())


def extend_file(log: Path, length: int) -> None:
    """Extend SQLite's log with zeros to its full length in bytes; without room, leave it to grow with each commit."""
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
    """Write a new file that survives a power cut."""
    try:
        with open(open_private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        sync(path.parent)
    except OSError as error:
        raise JournalError(f"{path} could not be written: {error.strerror}.") from error


def describe_error(error: Exception) -> str:
    """Return an error of SQLite or the system as a sentence."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error)
    known = {
        "database or disk is full": FULL,
        os.strerror(errno.ENOSPC): FULL,
        os.strerror(errno.EDQUOT): FULL,
        os.strerror(errno.EROFS): READ_ONLY,
        "disk I/O error": "the disk reported an error: try again; if it happens again, use another disk.",
        "attempt to write a readonly database": "the file is read-only: check who owns it.",
        "database is locked": "another program is using it: close that program, then try again.",
        "unable to open database file": "the file cannot be opened: check that it exists, and who owns it.",
    }
    return known.get(text, f"{text}.")
