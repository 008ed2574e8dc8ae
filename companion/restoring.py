"""The way back from a backup: everything is checked first, then put in place as one; what was there is kept aside.

Knows no running table: while a companion uses the folder nothing is restored.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from companion import config, replacing
from companion.archive import DECKS, JOURNAL, PLACES, BackupError, Contents, read
from companion.engine import state_hash
from companion.journal import Journal, JournalError
from companion.match import Match, MatchError
from companion.storage import locked

ASIDE = "before-restore-"
"""How the folder's name begins into which the present data goes."""
LOGS = (f"{JOURNAL}-wal", f"{JOURNAL}-shm")
"""SQLite's files beside a journal: they go where it goes."""
CAMERAS = (DECKS, PLACES)
"""What lies in the camera's folder, where it has one of its own."""
SETTINGS = f"{config.NAME}.restored"
"""Where restored settings are laid when the true ones lie outside the data folder and are the system's."""


class Restored(msgspec.Struct, frozen=True):
    """What came of it: what was in the backup, where the data of before is now, where settings lie."""

    contents: Contents
    aside: tuple[str, ...]
    settings: str = ""


def restore(source: Path, folder: Path, passphrase: str = "", camera: Path | None = None) -> Restored:
    """Put a backup's data into a data folder (and the camera's); or a folder that an earlier restoration kept aside.

    Raises `BackupError` or `JournalError` before anything was changed. Each folder holds the old or the new, whole.
    """
    camera = camera or folder
    folders = (folder,) if camera == folder else (folder, camera)
    stamp = free(folders)
    with held(folder):
        try:
            places = {each: replacing.begun(each) for each in folders}
        except OSError as error:
            raise BackupError(f"{error.filename} cannot be written: {error.strerror}.") from error
        try:
            contents = _made_ready(source, places[folder], passphrase)
            settings = _settings(folder, places[folder])
            if camera != folder:
                _moved(places[folder], places[camera])
            for each, place in places.items():
                _given(place, each)
            for each in reversed(folders):
                _exchange(each, places[each], stamp)
        except OSError as error:
            raise BackupError(f"The backup cannot be restored: {error.strerror or error}.") from error
        finally:
            for place in places.values():
                shutil.rmtree(place, ignore_errors=True)
    aside = tuple(str(each / stamp) for each in folders if (each / stamp).is_dir())
    return Restored(contents, aside, settings)


def free(folders: tuple[Path, ...]) -> str:
    """Return a name for what goes aside that none of the folders has yet."""
    stamp = f"{ASIDE}{datetime.now(UTC):%Y%m%dT%H%M%S}"
    names = (stamp, *(f"{stamp}-{n}" for n in range(2, 1000)))
    return next(name for name in names if not any((folder / name).exists() for folder in folders))


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep every companion out of a folder for a while; raise `InUse` where one uses it."""
    lock = locked(folder / JOURNAL)
    try:
        if os.geteuid() == 0:  # the lock stays, and belongs to whom the folder belongs
            owner = folder.stat()
            os.fchown(lock, owner.st_uid, owner.st_gid)
        replacing.finish(folder)
        yield
    finally:
        os.close(lock)


def check(source: Path, passphrase: str = "") -> Contents:
    """Check a whole backup and change nothing."""
    return read(source, passphrase)


def _made_ready(source: Path, place: Path, passphrase: str) -> Contents:
    """Lay what is to be restored ready, every byte of it checked."""
    new = place / replacing.NEW
    if not source.is_dir():
        contents = read(source, passphrase, new)
        _plays_on(source, new / JOURNAL, contents)
        return contents
    known = [source / name for name in (JOURNAL, *LOGS, *CAMERAS, config.NAME) if (source / name).exists()]
    if not known:
        raise BackupError(f"{source} holds nothing that could be restored.")
    for path in known:
        if path.is_dir():
            shutil.copytree(path, new / path.name)
        else:
            shutil.copy2(path, new / path.name)
    if (new / JOURNAL).exists():
        Journal(new / JOURNAL, read_only=True).close()
    return Contents((), ())


def _plays_on(source: Path, journal: Path, contents: Contents) -> None:
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
    new = place / replacing.NEW / config.NAME
    if config.path_in(folder) == folder / config.NAME or not new.exists():
        return ""
    new.rename(new.with_name(SETTINGS))
    return str(folder / SETTINGS)


def _moved(table: Path, camera: Path) -> None:
    """Lay what is the camera's ready in the camera's folder."""
    for name in CAMERAS:
        if (table / replacing.NEW / name).exists():
            shutil.move(table / replacing.NEW / name, camera / replacing.NEW / name)


def _given(place: Path, folder: Path) -> None:
    """Give what root has written to whom the folder belongs."""
    if os.geteuid() == 0:
        owner = folder.stat()
        for path in (place, *place.rglob("*")):
            os.chown(path, owner.st_uid, owner.st_gid)


def _exchange(folder: Path, place: Path, stamp: str) -> None:
    if any((place / replacing.NEW).iterdir()):
        gone = LOGS if (place / replacing.NEW / JOURNAL).exists() else ()
        replacing.commit(folder, place, stamp, gone)
        if os.geteuid() == 0 and (folder / stamp).is_dir():
            owner = folder.stat()
            os.chown(folder / stamp, owner.st_uid, owner.st_gid)
