"""The way back from a backup: everything is checked first, then put in place as one; what was there is kept aside.

Knows no running table: while a companion uses the folder nothing is restored.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

import msgspec

from companion import config
from companion.engine import state_hash
from companion.files import atomic
from companion.journal.files import take_lock
from companion.journal.journal import Journal, JournalError
from companion.match.match import Match, MatchError
from companion.ops.backup.archive import DECKS, JOURNAL, PLACES, BackupContents, BackupError, opened, read

ASIDE = "before-restore-"
"""How the folder's name begins into which the present data goes."""
LOGS = (f"{JOURNAL}-wal", f"{JOURNAL}-shm")
"""SQLite's files beside a journal: they go where it goes."""
TABLES = (JOURNAL, *LOGS, config.NAME)
CAMERAS = (DECKS, PLACES)
"""What lies in the table's folder, and in the camera's, where it has one of its own."""
ALL = (*TABLES, *CAMERAS)
SETTINGS = f"{config.NAME}.restored"
"""Where restored settings are laid when the true ones lie outside the data folder and are the system's."""


class RestoreReport(msgspec.Struct, frozen=True):
    """What came of it: what was in the backup, where the data of before is now, where settings lie."""

    contents: BackupContents
    aside: tuple[str, ...]
    settings: str = ""


def restore(source: Path, folder: Path, passphrase: str = "", camera: Path | None = None) -> RestoreReport:
    """Put a backup's data into a data folder (and the camera's); or a folder that an earlier restoration kept aside.

    Raises `BackupError` or `JournalError` before anything was changed. Each folder holds the old or the new, whole.
    """
    parts = {folder: ALL} if camera in (None, folder) else {folder: TABLES, camera or folder: CAMERAS}
    if source.is_dir() and not any((source / name).exists() for name in ALL):
        raise BackupError(f"{source} holds nothing that could be restored.")
    with ExitStack() as stack:
        file = None if source.is_dir() else stack.enter_context(opened(source))
        stack.enter_context(held(folder))
        stamp, places = free(tuple(parts)), {}
        try:
            for each, names in reversed(parts.items()):
                with owner_of(each):
                    places[each] = atomic.begun(each)
                    contents = _made_ready(source, file, places[each], passphrase, names)
                    _shown(places[each], each)
            settings = _settings(folder, places[folder])
            for each, place in places.items():
                with owner_of(each):
                    _exchange(each, place, stamp)
        except OSError as error:
            raise BackupError(f"{error.filename or folder} cannot be restored: {error.strerror or error}.") from error
        finally:
            for place in places.values():
                shutil.rmtree(place, ignore_errors=True)
    aside = tuple(str(each / stamp) for each in parts if (each / stamp).is_dir())
    return RestoreReport(contents, aside, settings)


@contextmanager
def owner_of(folder: Path) -> Iterator[None]:
    """Be whom the folder belongs to for a while, where root restores: what is written is theirs, and nobody can have
    root follow a link.
    """
    if os.geteuid() or not folder.exists():
        yield
        return
    owner = folder.stat()
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(os.getgid())


def free(folders: tuple[Path, ...]) -> str:
    """Return a name for what goes aside that none of the folders has yet."""
    stamp = f"{ASIDE}{datetime.now(UTC):%Y%m%dT%H%M%S}"
    names = (stamp, *(f"{stamp}-{n}" for n in range(2, 1000)))
    return next(name for name in names if not any((folder / name).exists() for folder in folders))


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep every companion out of a folder for a while; raise `InUse` where one uses it."""
    with owner_of(folder):
        lock = take_lock(folder / JOURNAL)
    try:
        with owner_of(folder):
            atomic.finish(folder)
        yield
    finally:
        os.close(lock)


def _made_ready(
    source: Path, file: IO[bytes] | None, place: Path, passphrase: str, wanted: Collection[str]
) -> BackupContents:
    """Lay what is to be restored ready, every byte of it checked."""
    new = place / atomic.NEW
    if file is not None:
        contents = read(source, file, passphrase, new, wanted)
        _plays_on(source, new / JOURNAL, contents)
        return contents
    for path in (source / name for name in wanted if (source / name).exists()):
        if path.is_dir():
            shutil.copytree(path, new / path.name)
        else:
            shutil.copy2(path, new / path.name)
    if (new / JOURNAL).exists():
        Journal(new / JOURNAL, read_only=True).close()
    return BackupContents((), ())


def _shown(place: Path, folder: Path) -> None:
    """Let the group read decks and places where it may read the folder: the table saves what is the camera's."""
    if not folder.stat().st_mode & stat.S_IRGRP:
        return
    for name in CAMERAS:
        top = place / atomic.NEW / name
        for path in (top, *top.rglob("*")) if top.exists() else ():
            path.chmod(path.stat().st_mode | (0o050 if path.is_dir() else 0o040))


def _plays_on(source: Path, journal: Path, contents: BackupContents) -> None:
    """Make sure that every match of a backup goes on where it was: the same record, the same state."""
    if not journal.exists():
        return
    with Journal(journal, read_only=True) as opened:
        here = {summary.id: summary.records for summary in opened.matches()}
        for match in contents.matches:
            try:
                found = state_hash(Match.open(opened, match.id).state) if match.state else ""
            except (JournalError, MatchError) as error:
                raise BackupError(f"{source} cannot be played on with this companion: {error}") from error
            if match.state and (here.get(match.id), found) != (match.records, match.state):
                raise BackupError(
                    f"{source}: match {match.id} would not go on as it stood. It was made by another version: use that."
                )


def _settings(folder: Path, place: Path) -> str:
    """Lay settings aside that belong to the system; return where they will lie, or nothing."""
    new = place / atomic.NEW / config.NAME
    if config.path_in(folder) == folder / config.NAME or not new.exists():
        return ""
    with owner_of(folder):
        new.rename(new.with_name(SETTINGS))
    return str(folder / SETTINGS)


def _exchange(folder: Path, place: Path, stamp: str) -> None:
    if any((place / atomic.NEW).iterdir()):
        gone = LOGS if (place / atomic.NEW / JOURNAL).exists() else ()
        atomic.commit(folder, place, stamp, gone)
