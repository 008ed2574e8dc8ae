"""A backup's file: a head, files, and what is in it with checksums; sealed with a passphrase. Knows no journal.

Without a passphrase it is a plain tar file that any system opens. Whatever is read is checked before it is believed.
"""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any

import msgspec

from companion import config
from companion.passphrase import MAGIC, Opening, SealError, Sealing

KIND, FORMAT = "table-companion backup", 1
JOURNAL, DECKS, PLACES = "journal.db", "decks", "places.json"
"""What a data folder holds that cannot be made again, besides the settings. Whatever else lies there is not taken:
sockets, locks, pictures on the shelf, files with passwords."""
HEAD, TAIL = "backup.json", "contents.json"
"""The first and the last file in a backup: what it is, and what is in it."""
LONGEST = 1 << 20
"""Bytes of the head and the tail, at most."""


class BackupError(ValueError):
    """A backup that cannot be made, read or restored; the message says what, where and what to do."""


class Head(msgspec.Struct, frozen=True):
    """What a backup is: format, the program that made it, when (ISO 8601)."""

    kind: str
    format: int
    version: str
    made: str
    complete: bool


class Held(msgspec.Struct, frozen=True):
    """A file in a backup."""

    name: str
    size: int
    sha256: str


class Played(msgspec.Struct, frozen=True):
    """A match in a backup; `state` is the hash of the state that an unfinished one goes on from."""

    id: str
    players: tuple[str, ...]
    records: int
    ended: str | None
    state: str = ""


class Contents(msgspec.Struct, frozen=True):
    """What is in a backup. `left_out` are unfinished matches that may only lie in a sealed one, `said` remarks."""

    files: tuple[Held, ...]
    matches: tuple[Played, ...]
    left_out: tuple[Played, ...] = ()
    said: tuple[str, ...] = ()


def write(
    file: IO[bytes],
    found: Iterable[tuple[str, Path]],
    passphrase: str,
    told: Callable[[tuple[Held, ...]], Contents],
) -> None:
    """Write a backup: a head, the files, and what is in it; sealed with a passphrase."""
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    head = Head(KIND, FORMAT, program(), now, bool(passphrase))
    files: list[Held] = []
    seal = Sealing(file, passphrase) if passphrase else None
    with tarfile.open(fileobj=seal or file, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        _add(tar, HEAD, msgspec.json.format(msgspec.json.encode(head)))
        for name, path in found:
            data = path.read_bytes()
            _add(tar, name, data)
            files.append(Held(name, len(data), hashlib.sha256(data).hexdigest()))
        _add(tar, TAIL, msgspec.json.format(msgspec.json.encode(told(tuple(files)))))
    if seal is not None:
        seal.close()


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(data), 0o600
    tar.addfile(info, io.BytesIO(data))


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Give a backup's file to read from."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror}.") from error
    with file:
        yield file


def is_sealed(file: IO[bytes]) -> bool:
    """Whether a backup asks for a passphrase; the file stands at its beginning afterwards."""
    file.seek(0)
    sealed = file.read(len(MAGIC)) == MAGIC
    file.seek(0)
    return sealed


def read(
    path: Path, file: IO[bytes], passphrase: str = "", into: Path | None = None, wanted: Collection[str] = ()
) -> Contents:
    """Read a backup and check all of it; write its files into a folder, if one is given.

    `wanted` are the first parts of the names to write, such as `decks`; empty: all. `path` is the backup's, for
    sentences.
    """
    sealed = is_sealed(file)
    if sealed and not passphrase:
        raise BackupError(f"{path} is behind a passphrase: give it with --passphrase-file.")
    try:
        return _read(path, Opening(file, passphrase) if sealed else file, into, wanted)
    except (tarfile.TarError, EOFError, msgspec.DecodeError) as error:
        raise BackupError(f"{path} is damaged or cut off: {error}. Take another backup.") from error
    except SealError as error:
        raise BackupError(f"{path}: {error}") from error
    except OSError as error:
        raise BackupError(f"{error.filename or path}: {error.strerror or error}.") from error


def _read(path: Path, stream: Any, into: Path | None, wanted: Collection[str]) -> Contents:
    found: list[Held] = []
    contents: Contents | None = None
    try:
        tar = tarfile.open(fileobj=stream, mode="r|")  # noqa: SIM115  # closed below
    except tarfile.ReadError as error:
        raise BackupError(f"{path} is no backup of the companion, or is damaged at its beginning.") from error
    with tar:
        for number, info in enumerate(tar):
            if number == 0 or info.name == TAIL:
                data = _taken(tar, info, LONGEST)
                if number == 0:
                    _accepted(path, info.name, data)
                else:
                    contents = msgspec.json.decode(data, type=Contents)
                continue
            if contents is not None or not info.isreg() or not plain(info.name):
                raise BackupError(f"{path} holds {info.name!r}, which is no part of a backup.")
            data = _taken(tar, info, info.size)
            found.append(Held(info.name, len(data), hashlib.sha256(data).hexdigest()))
            if into is not None and (not wanted or info.name.split("/")[0] in wanted):
                _put(into / info.name, data)
    if contents is None or contents.files != tuple(found):
        raise BackupError(f"{path} is damaged or cut off: its checksums do not fit. Take another backup.")
    return contents


def _taken(tar: tarfile.TarFile, info: tarfile.TarInfo, most: int) -> bytes:
    file = tar.extractfile(info) if info.isreg() and info.size <= most else None
    if file is None:
        raise tarfile.ReadError(f"{info.name!r} is no file")
    return file.read()


def _accepted(path: Path, name: str, data: bytes) -> None:
    """Refuse what is no backup of ours, or a newer one."""
    try:
        head = msgspec.json.decode(data, type=Head) if name == HEAD else None
    except msgspec.DecodeError:
        head = None
    if head is None or head.kind != KIND:
        raise BackupError(f"{path} is no backup of the companion.")
    if head.format > FORMAT:
        raise BackupError(
            f"{path} was made by a newer companion ({head.version}; this one is {program()}). "
            "Update the companion first."
        )


def plain(name: str) -> bool:
    """Whether a name is one that a backup may hold: nothing that leads elsewhere."""
    parts = name.split("/")
    if any(part in ("", ".", "..") or part.startswith(".") or "\0" in part for part in parts):
        return False
    return name in (JOURNAL, PLACES, config.NAME) or (parts[0] == DECKS and len(parts) > 1)


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)


def program() -> str:
    """Return this program's version."""
    try:
        return version("table-companion")
    except PackageNotFoundError:
        return "unknown"
