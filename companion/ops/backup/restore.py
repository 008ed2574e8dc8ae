"""Restore a backup: check everything first, then put all of it in place at once, keeping the previous data aside.

This refuses to run while a companion uses the folder.
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
from companion.engine import state_hash, state_shape
from companion.files import atomic_folder, untrusted
from companion.journal.files import take_lock
from companion.journal.journal import JOURNAL, Journal, JournalError
from companion.match.match import Match, MatchError
from companion.ops.backup.archive import (
    BOARD,
    DECKS,
    PLACES,
    BackupContents,
    BackupError,
    BackupMatch,
    create_file,
    open_backup,
    read_archive,
)

ASIDE = "before-restore-"
"""Prefix of the folder for the previous data."""
LOGS = (f"{JOURNAL}-wal", f"{JOURNAL}-shm")
"""SQLite's files beside a journal, which move with it."""
TABLES = (JOURNAL, *LOGS, config.NAME)
CAMERAS = (DECKS, PLACES, BOARD)
"""The camera's part of the data, which may be in its own folder."""
ALL = (*TABLES, *CAMERAS)
SETTINGS = f"{config.NAME}.restored"
"""Name for restored settings if the real ones are outside the data folder and belong to the system."""


class RestoreReport(msgspec.Struct, frozen=True):
    """The result: the backup's contents, the folders with the previous data, the path of restored settings."""

    contents: BackupContents
    aside: tuple[str, ...]
    settings: str = ""


def restore(source: Path, folder: Path, passphrase: str = "", camera: Path | None = None) -> RestoreReport:
    """Restore a backup, or a folder that an earlier restoration kept aside, into a data folder (and the camera's).

    Raises `BackupError` or `JournalError` before any change. Each folder holds all the old data or all the new.
    """
    parts = {folder: ALL} if camera in (None, folder) else {folder: TABLES, camera or folder: CAMERAS}
    if source.is_dir() and not any((source / name).exists() for name in ALL):
        raise BackupError(f"{source} contains nothing to restore.")
    with ExitStack() as stack:
        file = None if source.is_dir() else stack.enter_context(open_backup(source))
        stack.enter_context(lock_folder(folder))
        stamp, places = free_name(tuple(parts)), {}
        try:
            for each, names in reversed(parts.items()):
                with as_owner(each):
                    places[each] = atomic_folder.prepare(each)
                if file is None:
                    _copy_kept(source, places[each] / atomic_folder.NEW, each, names)
                with as_owner(each):
                    contents = _prepare(source, file, places[each], passphrase, names)
                    _share_with_group(places[each], each)
            settings = _set_settings_aside(folder, places[folder])
            for each, place in places.items():
                with as_owner(each):
                    _commit(each, place, stamp)
        except OSError as error:
            raise BackupError(f"{error.filename or folder} cannot be restored: {error.strerror or error}.") from error
        finally:
            for place in places.values():
                shutil.rmtree(place, ignore_errors=True)
    aside = tuple(str(each / stamp) for each in parts if (each / stamp).is_dir())
    return RestoreReport(contents, aside, settings)


@contextmanager
def as_owner(folder: Path) -> Iterator[None]:
    """Act as the folder's owner if root restores: the owner gets the files, and no link makes root write elsewhere."""
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


def free_name(folders: tuple[Path, ...]) -> str:
    """Return a name for the previous data that none of the folders uses yet."""
    stamp = f"{ASIDE}{datetime.now(UTC):%Y%m%dT%H%M%S}"
    names = (stamp, *(f"{stamp}-{n}" for n in range(2, 1000)))
    return next(name for name in names if not any((folder / name).exists() for folder in folders))


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Keep every companion out of a folder for a while; raise `JournalInUse` if one is using it."""
    with as_owner(folder):
        lock = take_lock(folder / JOURNAL)
    try:
        with as_owner(folder):
            atomic_folder.finish(folder)
        yield
    finally:
        os.close(lock)


def _prepare(
    source: Path, file: IO[bytes] | None, place: Path, passphrase: str, wanted: Collection[str]
) -> BackupContents:
    """Prepare a backup's files, checking every byte; of a folder's copied files, check the journal."""
    new = place / atomic_folder.NEW
    if file is not None:
        contents = read_archive(source, file, passphrase, new, wanted)
        _check_matches(source, new / JOURNAL, contents)
        return contents
    if (new / JOURNAL).exists():
        Journal(new / JOURNAL, read_only=True).close()
    return BackupContents((), ())


def _copy_kept(source: Path, new: Path, folder: Path, wanted: Collection[str]) -> None:
    """Copy the wanted files of a folder: its owner reads, and the owner of the restored folder writes.

    On a Raspberry Pi these are two users, table and camera, and neither may look into the other's folder.
    """
    with as_owner(source):
        tops = [source / name for name in wanted if (source / name).exists()]
        found = [(path, path.is_dir()) for top in tops for path in (top, *sorted(top.rglob("*")))]
    for path, is_folder in found:
        target = new / path.relative_to(source)
        if is_folder:
            with as_owner(folder):
                target.mkdir(mode=0o700)
            continue
        with as_owner(source):
            try:
                file = untrusted.open_regular(path)
            except untrusted.Unreadable as error:
                raise BackupError(f"{path} cannot be restored: {error}.") from None
        with file, as_owner(folder), create_file(target, os.fstat(file.fileno()).st_size) as copy:
            shutil.copyfileobj(file, copy)


def _share_with_group(place: Path, folder: Path) -> None:
    """Let the group read the camera's files if it may read the folder: table and camera may be two users."""
    if not folder.stat().st_mode & stat.S_IRGRP:
        return
    for name in CAMERAS:
        top = place / atomic_folder.NEW / name
        for path in (top, *top.rglob("*")) if top.exists() else ():
            path.chmod(path.stat().st_mode | (0o050 if path.is_dir() else 0o040))


def _check_matches(source: Path, journal: Path, contents: BackupContents) -> None:
    """Check that every match of a backup continues from the same point, with the same records and state."""
    if not journal.exists():
        return
    with Journal(journal, read_only=True) as opened:
        here = {summary.id: summary.records for summary in opened.matches()}
        for match in contents.matches:
            if not match.state:
                continue
            try:
                same = here.get(match.id) == match.records and _continues(opened, match)
            except (JournalError, MatchError) as error:
                raise BackupError(f"This companion cannot continue {source}: {error}") from error
            if not same:
                raise BackupError(
                    f"{source}: match {match.id} would not continue from the same state. "
                    "Another version made it: use that version."
                )


def _continues(journal: Journal, match: BackupMatch) -> bool:
    """Return whether a match continues from the same state; raise `MatchError` if a record breaks the rules.

    If another version recorded states differently, hashes prove nothing: then the rules check every record, and the
    scores must match.
    """
    here = Match.open(journal, match.id)
    if state_hash(here.state) == match.state:
        return True
    if state_shape(here.state) == match.shape:
        return False
    Match.open(journal, match.id, check=True)
    return not match.shape or here.game.scores(here.state) == match.scores


def _set_settings_aside(folder: Path, place: Path) -> str:
    """Set the system's settings aside; return their future path, or an empty text."""
    new = place / atomic_folder.NEW / config.NAME
    if config.path_in(folder) == folder / config.NAME or not new.exists():
        return ""
    with as_owner(folder):
        new.rename(new.with_name(SETTINGS))
    return str(folder / SETTINGS)


def _commit(folder: Path, place: Path, stamp: str) -> None:
    if any((place / atomic_folder.NEW).iterdir()):
        gone = LOGS if (place / atomic_folder.NEW / JOURNAL).exists() else ()
        atomic_folder.commit(folder, place, stamp, gone)
