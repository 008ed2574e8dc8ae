"""A backup's file: a tar of files and checksums, optionally encrypted. Everything is checked before use."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import shutil
import tarfile
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO

import msgspec

from companion import config
from companion.files import untrusted
from companion.journal.journal import JOURNAL
from companion.ops.backup.encryption import MAGIC, DecryptingReader, EncryptingWriter, EncryptionError

KIND, FORMAT = "table-companion backup", 1
DECKS, PLACES, BOARD = "decks", "places.json", "board.json"
"""The data that cannot be recreated, besides journal and settings. The rest is left out: sockets, locks, frames, files
with passwords."""
HEADER_NAME, CONTENTS_NAME = "backup.json", "contents.json"
"""The first and the last file in a backup: its header and its list of contents."""
LONGEST = 1 << 20
"""Maximum size of header and contents, in bytes."""


PIECE = 1 << 20
"""Bytes to read at once."""
LARGEST, MOST_FILES = 1 << 32, 100_000
"""Maximum size of one file in bytes, and maximum number of files."""
DEEPEST, LONGEST_NAME = 16, 1000
"""Maximum depth of folders, and maximum length of a name."""


class _Info(tarfile.TarInfo):
    """A member with bounded extensions (such as long names), which are read into memory at once."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Info:
        """Return a member; raise `TarError` if it announces extensions longer than any name."""
        found = super().frombuf(buf, encoding, errors)
        if not found.isreg() and found.size > LONGEST:
            raise tarfile.ReadError("an extension is too long")
        return found


class BackupError(ValueError):
    """A backup that cannot be made, read or restored; the message gives the place, the reason and the fix."""


class BackupHeader(msgspec.Struct, frozen=True):
    """A backup's format, the version of the program that made it, and the time (ISO 8601)."""

    kind: str
    format: int
    version: str
    made: str
    complete: bool


class BackupFile(msgspec.Struct, frozen=True):
    """A file in a backup."""

    name: str
    size: int
    sha256: str


class BackupMatch(msgspec.Struct, frozen=True):
    """A match in a backup; `state` is the hash of an unfinished one's current state.

    Another version may record states differently, which `shape` identifies (empty in old backups); only the number of
    records and the scores are independent of it.
    """

    id: str
    players: tuple[str, ...]
    records: int
    ended: str | None
    state: str = ""
    shape: str = ""
    scores: tuple[int, ...] = ()


class BackupContents(msgspec.Struct, frozen=True):
    """A backup's contents. `left_out` are unfinished matches that require encryption, `said` are remarks."""

    files: tuple[BackupFile, ...]
    matches: tuple[BackupMatch, ...]
    left_out: tuple[BackupMatch, ...] = ()
    said: tuple[str, ...] = ()


def write_archive(
    file: IO[bytes],
    found: Iterable[tuple[str, Path]],
    passphrase: str,
    told: Callable[[tuple[BackupFile, ...]], BackupContents],
) -> None:
    """Write a backup: a header, the files, and the contents; encrypt it if there is a passphrase."""
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    head = BackupHeader(KIND, FORMAT, program_version(), now, bool(passphrase))
    files: list[BackupFile] = []
    seal = EncryptingWriter(file, passphrase) if passphrase else None
    with tarfile.open(fileobj=seal or file, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        _add_member(tar, HEADER_NAME, msgspec.json.format(msgspec.json.encode(head)))
        for name, path in found:
            data = path.read_bytes()
            _add_member(tar, name, data)
            files.append(BackupFile(name, len(data), hashlib.sha256(data).hexdigest()))
        _add_member(tar, CONTENTS_NAME, msgspec.json.format(msgspec.json.encode(told(tuple(files)))))
    if seal is not None:
        seal.close()


def _add_member(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(data), 0o600
    tar.addfile(info, io.BytesIO(data))


@contextmanager
def open_backup(path: Path) -> Iterator[IO[bytes]]:
    """Open a backup's file for reading."""
    try:
        file = untrusted.open_regular(path)
    except untrusted.Unreadable as error:
        raise BackupError(f"{path} cannot be read: {error}.") from error
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror}.") from error
    with file:
        yield file


def is_encrypted(file: IO[bytes]) -> bool:
    """Whether a backup needs a passphrase; rewind the file to its beginning."""
    file.seek(0)
    sealed = file.read(len(MAGIC)) == MAGIC
    file.seek(0)
    return sealed


def read_archive(
    path: Path, file: IO[bytes], passphrase: str = "", into: Path | None = None, wanted: Collection[str] = ()
) -> BackupContents:
    """Read and check a whole backup; write its files into a folder, if one is given.

    `wanted` are the first parts of the names to write, such as `decks`; empty: all. Error messages name `path`.
    """
    sealed = is_encrypted(file)
    if sealed and not passphrase:
        raise BackupError(f"{path} needs a passphrase: give it with --passphrase-file.")
    try:
        return _read(path, DecryptingReader(file, passphrase) if sealed else file, into, wanted)
    except (tarfile.TarError, EOFError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BackupError(f"{path} is damaged or cut off: {error}. Take another backup.") from error
    except EncryptionError as error:
        raise BackupError(f"{path}: {error}") from error
    except OSError as error:
        raise BackupError(f"{error.filename or path}: {error.strerror or error}.") from error


def _read(
    path: Path, stream: IO[bytes] | DecryptingReader, into: Path | None, wanted: Collection[str]
) -> BackupContents:
    found: list[BackupFile] = []
    contents: BackupContents | None = None
    try:
        tar = tarfile.open(fileobj=stream, mode="r|", tarinfo=_Info)  # noqa: SIM115  # closed below
    except tarfile.ReadError as error:
        raise BackupError(f"{path} is not a backup of the companion, or its beginning is damaged.") from error
    with tar:
        for number, info in enumerate(tar):
            if number == 0 or info.name == CONTENTS_NAME:
                data = _read_member(tar, info, LONGEST)
                if number == 0:
                    _check_header(path, info.name, data)
                else:
                    contents = msgspec.json.decode(data, type=BackupContents)
                continue
            if contents is not None or not info.isreg() or not is_allowed_name(info.name):
                raise BackupError(f"{path} holds {info.name!r}, which does not belong in a backup.")
            if number > MOST_FILES or info.size > LARGEST:
                raise BackupError(
                    f"{path} contains more than a backup may: {MOST_FILES} files of {LARGEST >> 20} MiB each."
                )
            keep = into is not None and (not wanted or info.name.split("/")[0] in wanted)
            found.append(_copy_member(tar, info, into / info.name if into is not None and keep else None))
    if contents is None or contents.files != tuple(found):
        raise BackupError(f"{path} is damaged or cut off: its checksums do not fit. Take another backup.")
    return contents


def _read_member(tar: tarfile.TarFile, info: tarfile.TarInfo, most: int) -> bytes:
    file = tar.extractfile(info) if info.isreg() and info.size <= most else None
    if file is None:
        raise tarfile.ReadError(f"{info.name!r} is not a file")
    return file.read()


def _copy_member(tar: tarfile.TarFile, info: tarfile.TarInfo, target: Path | None) -> BackupFile:
    """Read a file piece by piece, and write it to any target; raise `OSError` if the disk is too full."""
    file, digest, size = tar.extractfile(info), hashlib.sha256(), 0
    assert file is not None
    with ExitStack() as stack:
        out = stack.enter_context(create_file(target, info.size)) if target is not None else None
        while piece := file.read(PIECE):
            digest.update(piece)
            size += len(piece)
            if out is not None:
                out.write(piece)
    return BackupFile(info.name, size, digest.hexdigest())


def _check_header(path: Path, name: str, data: bytes) -> None:
    """Raise `BackupError` for a file that is not our backup, or too new."""
    try:
        head = msgspec.json.decode(data, type=BackupHeader) if name == HEADER_NAME else None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        head = None
    if head is None or head.kind != KIND:
        raise BackupError(f"{path} is not a backup of the companion.")
    if head.format > FORMAT:
        raise BackupError(
            f"{path} was made by a newer companion ({head.version}; this one is {program_version()}). "
            "Update the companion first."
        )


def is_allowed_name(name: str) -> bool:
    """Whether a backup may hold a file of this name, which must not lead elsewhere."""
    parts = name.split("/")
    if len(parts) > DEEPEST or len(name) > LONGEST_NAME:
        return False
    if any(part in ("", ".", "..") or part.startswith(".") or "\0" in part for part in parts):
        return False
    return name in (JOURNAL, PLACES, BOARD, config.NAME) or (parts[0] == DECKS and len(parts) > 1)


def create_file(path: Path, size: int) -> IO[bytes]:
    """Create a file that only this user may read; raise `OSError` if the disk has less room than `size` bytes."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if shutil.disk_usage(path.parent).free < size:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def program_version() -> str:
    """Return this program's version."""
    try:
        return version("table-companion")
    except PackageNotFoundError:
        return "unknown"
