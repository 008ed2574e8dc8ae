"""Copies the table's data before an update, as the table's own user, so that root follows no link of another user.

`companion restore FOLDER` restores such a copy.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from companion.files.atomic_folder import sync
from companion.journal.journal import JOURNAL, EmptyJournal
from companion.ops.backup.backup import FOLDER, copy_journal, is_readable, other_files

PREFIX = "before-update-"
KEPT = 5
"""The number of copies to keep."""


def journal_format(folder: Path) -> int:
    """Return the format of the journal in a data folder; 0 if there is none."""
    path = folder / JOURNAL
    if not path.exists():
        return 0
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)) as db:
        (found,) = db.execute("PRAGMA user_version").fetchone()
    return int(found)


def save(folder: Path, camera: Path | None = None) -> Path:
    """Copy journal, decks, settings and places into a new folder, and return it."""
    parent = folder / FOLDER
    parent.mkdir(mode=0o700, exist_ok=True)
    target = parent / f"{PREFIX}{datetime.now(UTC):%Y%m%dT%H%M%S}"
    half = parent / f".{target.name}"
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(mode=0o700)
    try:
        if (folder / JOURNAL).exists():
            with suppress(EmptyJournal):
                copy_journal(folder / JOURNAL, half / JOURNAL)
        readable = camera is not None and is_readable(camera)
        for name, path in other_files(folder, camera if readable and camera is not None else folder):
            (half / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            shutil.copyfile(path, half / name)
        for path in (*half.rglob("*"), half):
            sync(path)
        half.rename(target)
        sync(parent)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    forget_old(parent)
    return target


def forget_old(parent: Path) -> None:
    """Remove all copies except the latest."""
    for old in sorted(parent.glob(f"{PREFIX}*"))[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)


def main() -> None:
    """Run the subcommand `format` or `save`, and print the answer."""
    folder, camera = Path(os.environ["COMPANION_DATA"]), os.environ.get("COMPANION_CAMERA_DATA")
    if not folder.is_dir():
        print("")
    elif sys.argv[1:] == ["format"]:
        print(journal_format(folder))
    else:
        print(save(folder, Path(camera) if camera else None))


if __name__ == "__main__":
    main()
