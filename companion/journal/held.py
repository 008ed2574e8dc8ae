"""A file whose disk takes nothing: why, and a copy of it in memory that can be read meanwhile."""

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
"""Why a disk takes nothing, though what lies on it can be read; empty if it does."""
HELD: dict[int, Held] = {errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EROFS: "read_only"}
WHY: dict[Held, str] = {"full": FULL, "read_only": READ_ONLY}
"""The reason as a sentence."""


def held_by(error: OSError | None) -> Held:
    """Return why an error of writing leaves only reading; empty for any other error, or none."""
    return "" if error is None else HELD.get(error.errno or 0, "")


def open_held(
    path: Path, kind: FileKind, found: Sequence[Rows] | None, torn: Iterable[tuple[str, tuple[object, ...]]]
) -> sqlite3.Connection:
    """Return a connection to a copy in memory of what is durable; raise `sqlite3.Error` or `OSError` if that fails.

    `found` are the rows of a damaged file that cannot be repaired now, `torn` the statements that reverse failed
    commits. The files are synced first, although nothing was written: a killed table may have left a commit that was
    not, and nothing is shown before it is durable.
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
    """Sync a file; one that is missing or on a read-only file system has nothing to sync."""
    try:
        sync(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        if error.errno != errno.EROFS:
            raise
