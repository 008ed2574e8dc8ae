"""A file on a disk that accepts no writes: the reason, and a copy in memory to read meanwhile."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from companion.files.atomic_folder import sync
from companion.journal.files import FULL, READ_ONLY
from companion.journal.recovery.rows import Rows
from companion.journal.schema import FileKind, create_tables, open_copy

Held = Literal["", "full", "read_only"]
"""Why a disk can be read but not written; empty if it can be written."""
HELD: dict[int, Held] = {errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EROFS: "read_only"}
WHY: dict[Held, str] = {"full": FULL, "read_only": READ_ONLY}
"""The reason as a sentence."""


def held_by(error: OSError | None) -> Held:
    """Return why a write error still allows reading; empty for any other error, or none."""
    return "" if error is None else HELD.get(error.errno or 0, "")


def open_held(
    path: Path, kind: FileKind, found: Sequence[Rows] | None, torn: Iterable[tuple[str, tuple[object, ...]]]
) -> sqlite3.Connection:
    """Return a connection to a copy of the durable data in memory; raise `sqlite3.Error` or `OSError` if that fails.

    `found` are the rows of a damaged file that cannot be repaired now, `torn` the statements that reverse failed
    commits. The files are synced first, although nothing was written here: a killed table may have left an unsynced
    commit, and nothing is shown before it is durable.
    """
    for each in (path, Path(f"{path}-wal")):
        _sync_readable(each)
    if found is None:
        copy = open_copy(path, kind.threads)
    else:
        copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=not kind.threads)
    try:
        if found is not None:
            create_tables(copy, kind, found)
        for statement, values in torn:
            copy.execute(statement, values)
    except BaseException:
        copy.close()
        raise
    return copy


def _sync_readable(path: Path) -> None:
    """Sync a file; a missing file, or one on a read-only file system, needs no sync."""
    try:
        sync(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        if error.errno != errno.EROFS:
            raise
