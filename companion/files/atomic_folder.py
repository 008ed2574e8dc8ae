"""Put several files of a folder in place as one: all of them or none, even if the power fails.

The new files are prepared in a folder inside; renaming that folder to its final name commits them. From then on, every
process that opens the outer folder first finishes the job.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import msgspec

READY = ".replacing"
"""Folder with files ready to be put in place, and their plan."""
MAKING = ".replacing-half-"
"""Prefix of folders in preparation; leftovers are ignored and deleted."""
NEW, PLAN = "new", "plan.json"


class ReplacePlan(msgspec.Struct, frozen=True):
    """The remaining work: move the `old` names to the folder `aside`, the `new` ones out of the prepared one."""

    aside: str
    old: tuple[str, ...]
    new: tuple[str, ...]


def prepare(folder: Path) -> Path:
    """Return a fresh folder, with its `new` folder, for preparing files."""
    place = folder / f"{MAKING}{os.getpid()}"
    for left in folder.glob(f"{MAKING}*"):
        shutil.rmtree(left, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    for each in (place, place / NEW):
        each.mkdir(mode=0o700)
    return place


def commit(folder: Path, place: Path, aside: str, gone: Iterable[str] = ()) -> None:
    """Put the files of `place` into the folder; move existing files of those names, and the names `gone`, to `aside`.

    If the process is killed, the folder holds all the old files or, after a call of `finish`, all the new ones.
    """
    new = tuple(sorted(path.name for path in (place / NEW).iterdir()))
    old = tuple(name for name in sorted({*new, *gone}) if os.path.lexists(folder / name))
    for path in (place / NEW).rglob("*"):
        sync(path)
    (place / PLAN).write_bytes(msgspec.json.encode(ReplacePlan(aside, old, new)))
    for path in (place / PLAN, place / NEW, place):
        sync(path)
    place.rename(folder / READY)
    sync(folder)
    finish(folder)


def finish(folder: Path) -> None:
    """Put prepared files in place if there are any; call this before you use the folder."""
    ready = folder / READY
    try:
        lock = os.open(ready, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            plan = msgspec.json.decode((ready / PLAN).read_bytes(), type=ReplacePlan)
        except FileNotFoundError:
            return  # another process has just finished it
        if not any("/" in name or name in ("", ".", "..") for name in (plan.aside, *plan.old, *plan.new)):
            _carry_out(folder, ready, plan)
    finally:
        os.close(lock)


def _carry_out(folder: Path, ready: Path, plan: ReplacePlan) -> None:
    """Carry out the remaining renames; skip those already done."""
    aside = folder / plan.aside
    aside.mkdir(mode=0o700, exist_ok=True)
    for name in plan.old:
        if os.path.lexists(folder / name) and not os.path.lexists(aside / name):
            (folder / name).rename(aside / name)
    sync(aside)
    sync(folder)
    for name in plan.new:
        if os.path.lexists(ready / NEW / name):
            (ready / NEW / name).rename(folder / name)
    sync(folder)
    if not plan.old:
        aside.rmdir()
    done = folder / f"{MAKING}done"
    shutil.rmtree(done, ignore_errors=True)
    ready.rename(done)
    shutil.rmtree(done, ignore_errors=True)
    sync(folder)


def sync(path: Path) -> None:
    """Flush a file's content or a folder's names to the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
