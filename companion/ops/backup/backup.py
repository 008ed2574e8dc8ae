"""Make a backup: one file with matches, decks, settings and manual places, consistent even during play.

Without a passphrase it holds no secrets: no PINs, no addresses of pages, no unfinished match with secrets. With one it
holds everything, encrypted. SQLite itself copies the journal, which does not disturb a running table.
`companion.ops.backup.restore` reads it back.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from companion import config
from companion.engine import state_hash, state_shape
from companion.files.atomic_folder import sync
from companion.journal.files import create_private_file, memory_folder, room_error
from companion.journal.journal import JOURNAL, PLAYERS, EmptyJournal, Journal, JournalError, Summary
from companion.match.match import Match, MatchError
from companion.match.notation import export_records
from companion.ops.backup.archive import (
    BOARD,
    DECKS,
    PLACES,
    BackupContents,
    BackupError,
    BackupMatch,
    open_backup,
    read_archive,
    write_archive,
)
from companion.ops.backup.encryption import check_passphrase

FOLDER, ENDING = "backups", ".backup"
OPEN_KEYS = ("catalogue/*", "web.deck.*", f"{PLAYERS}*")
"""Public keys of the journal besides matches. All others stay out of an unencrypted file."""
WORKING = ".backup-half-"


# --- making ---------------------------------------------------------------------------------------


def make_backup(
    folder: Path, target: Path, passphrase: str = "", camera: Path | None = None
) -> tuple[Path, BackupContents]:
    """Make a backup of a data folder (and the camera's, if it has its own); return its path and contents.

    `target` is a new file or a folder. The file appears complete or not at all, after it was read back once. Raises
    `BackupError`, `EncryptionError` or `JournalError`.
    """
    if passphrase:
        check_passphrase(passphrase)
    if not folder.is_dir():
        raise BackupError(f"There is no data folder {folder}.")
    target = new_path(target)
    half = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with working_folder(folder) as place:
            journal = place / JOURNAL
            if (folder / JOURNAL).exists():
                with suppress(EmptyJournal):
                    copy_journal(folder / JOURNAL, journal)
            closed = camera is not None and not is_readable(camera)
            others = other_files(folder, folder if camera is None or closed else camera)
            found = [*([(JOURNAL, journal)] if journal.exists() else []), *others]
            if not found:
                raise BackupError(f"There is nothing to back up in {folder}: no match, no deck, no settings.")
            matches, left_out, said = remove_secrets(journal, bool(passphrase)) if journal.exists() else ((), (), ())
            if closed:
                said = (*said, f"The camera's folder {camera} cannot be read: its decks are not in the backup.")
            with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                write_archive(file, found, passphrase, lambda files: BackupContents(files, matches, left_out, said))
                file.flush()
                os.fsync(file.fileno())
        with open_backup(half) as file:
            contents = read_archive(target, file, passphrase)
        half.rename(target)
        _sync_names(target.parent)
    except OSError as error:
        raise BackupError(f"The backup {target} could not be written: {error.strerror or error}.") from error
    finally:
        half.unlink(missing_ok=True)
    return target, contents


def new_path(target: Path) -> Path:
    """Return the path of a new backup; in a folder, the name contains the time."""
    if target.is_dir():
        stamp = f"companion-{datetime.now(UTC):%Y-%m-%d-%H%M%S}"
        names = (f"{stamp}{n}{ENDING}" for n in ("", *(f"-{k}" for k in range(2, 1000))))
        target = next(path for name in names if not (path := target / name).exists())
    if target.exists():
        raise BackupError(f"The file {target} exists already: choose another name.")
    if not target.parent.is_dir():
        raise BackupError(f"There is no folder {target.parent}: create it first, or choose another.")
    return target


def is_readable(folder: Path) -> bool:
    """Return whether all of a folder's decks are readable; a missing folder has none."""
    places = (folder, folder / DECKS)
    return not folder.exists() or all(not each.exists() or os.access(each, os.R_OK | os.X_OK) for each in places)


@contextmanager
def working_folder(folder: Path) -> Iterator[Path]:
    """Provide a protected folder for working copies inside the data folder, or in memory if the disk has problems."""
    for left in folder.glob(f"{WORKING}*"):
        if not Path(f"/proc/{left.name.removeprefix(WORKING).partition('-')[0]}").exists():
            shutil.rmtree(left, ignore_errors=True)
    if room_error(folder) is None:
        place = folder / f"{WORKING}{os.getpid()}-{secrets.token_hex(4)}"
        place.mkdir(mode=0o700)
    else:
        place = Path(tempfile.mkdtemp(prefix="companion-", dir=memory_folder()))
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def copy_journal(source: Path, target: Path) -> None:
    """Copy a journal as of one moment, even while others write to it."""
    with Journal(source, read_only=True) as journal:
        create_private_file(target)
        with closing(sqlite3.connect(target)) as copy:
            journal.copy_to(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # a single file without a write-ahead log


def other_files(folder: Path, camera: Path) -> Iterator[tuple[str, Path]]:
    """Yield names and paths of settings, decks, places and the board, except unfinished files (dot files)."""
    by_hand = [(name, camera / name) for name in (PLACES, BOARD)]
    for name, path in ((config.NAME, config.path_in(folder)), *by_hand):
        if path.is_file():
            yield name, path
    for path in sorted((camera / DECKS).rglob("*")):
        inside = path.relative_to(camera)
        if path.is_file() and not path.is_symlink() and not any(part.startswith(".") for part in inside.parts):
            yield inside.as_posix(), path


# --- secrets --------------------------------------------------------------------------------------


def remove_secrets(
    copy: Path, complete: bool
) -> tuple[tuple[BackupMatch, ...], tuple[BackupMatch, ...], tuple[str, ...]]:
    """Examine the copy of a journal, and unless it is to be `complete`, remove everything secret.

    Returns the matches kept, those left out, and sentences on any damage.
    """
    matches: list[BackupMatch] = []
    left_out: list[BackupMatch] = []
    with Journal(copy, read_only=True) as journal:
        for summary in journal.matches():
            match, secret = _examine(journal, summary)
            if secret and not complete:
                left_out.append(msgspec.structs.replace(match, scores=()))
            else:
                matches.append(match)
        said = tuple(journal.findings)
    if not complete:
        _strip(copy, [match.id for match in left_out])
    return tuple(matches), tuple(left_out), said


def _examine(journal: Journal, summary: Summary) -> tuple[BackupMatch, bool]:
    """Return a match's record, and whether the match still contains secrets."""
    found = BackupMatch(summary.id, summary.players, summary.records, summary.ended)
    if summary.ended is not None:
        return found, False
    try:
        records = journal.records(summary.id)
        match = Match.open(journal, summary.id)
    except (JournalError, MatchError):
        return found, True  # it is unreadable, so it may contain secrets
    found = msgspec.structs.replace(
        found,
        records=len(records),
        state=state_hash(match.state),
        shape=state_shape(match.state),
        scores=match.game.scores(match.state),
    )
    secret = bool(match.seed) or any('"secret":true' in line for line in export_records(match.line, records, False))
    return found, secret


def _strip(copy: Path, left_out: list[str]) -> None:
    """Remove matches and all other private data from a copy, leaving no byte behind."""
    keep = " OR ".join("key GLOB ?" for _ in OPEN_KEYS)
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        db.execute("PRAGMA secure_delete=ON")
        db.execute("BEGIN")
        for match in left_out:
            db.execute("DELETE FROM records WHERE match = ?", (int(match),))
            db.execute("DELETE FROM matches WHERE id = ?", (int(match),))
            db.execute("DELETE FROM kept WHERE key = ?", (PLAYERS + match,))
        db.execute(f"DELETE FROM kept WHERE NOT ({keep})", OPEN_KEYS)
        db.execute("DELETE FROM records WHERE match NOT IN (SELECT id FROM matches)")
        db.execute("COMMIT")
        db.execute("VACUUM")


def has_secrets(journal: Journal, match: Summary) -> bool:
    """Return whether a match still contains secrets, so that only an encrypted backup may hold it."""
    return _examine(journal, match)[1]


def _sync_names(folder: Path) -> None:
    """Make a new file's name durable if the file system can do so: a USB stick's cannot."""
    try:
        sync(folder)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
