"""Putting several files of a folder in place as one: all of them or none, whenever the plug is pulled.

What is to come lies ready in a folder inside; giving that folder its final name is the one moment that counts. From
then on whoever opens the folder finishes what is left to do. Knows no journal, no backup, no meaning of any file.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import msgspec

READY = ".replacing"
"""What lies ready to be put in place, with its plan."""
MAKING = ".replacing-half-"
"""How the name begins of what is not ready yet: whatever is left of it counts for nothing."""
NEW, PLAN = "new", "plan.json"


class ReplacePlan(msgspec.Struct, frozen=True):
    """What has to be done: `old` names go into the folder `aside`, `new` ones come out of the one that lies ready."""

    aside: str
    old: tuple[str, ...]
    new: tuple[str, ...]


def begun(folder: Path) -> Path:
    """Return a new empty place in the folder where files may be made ready, its `new` folder made."""
    place = folder / f"{MAKING}{os.getpid()}"
    for left in folder.glob(f"{MAKING}*"):
        shutil.rmtree(left, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    for each in (place, place / NEW):
        each.mkdir(mode=0o700)
    return place


def commit(folder: Path, place: Path, aside: str, gone: Iterable[str] = ()) -> None:
    """Put what lies in `place` into the folder; what had those names, and the names `gone`, go aside.

    Killed at any moment the folder holds all that is old or, once `finish` was called, all that is new.
    """
    new = tuple(sorted(path.name for path in (place / NEW).iterdir()))
    old = tuple(name for name in sorted({*new, *gone}) if os.path.lexists(folder / name))
    for path in (place / NEW).rglob("*"):
        synced(path)
    (place / PLAN).write_bytes(msgspec.json.encode(ReplacePlan(aside, old, new)))
    for path in (place / PLAN, place / NEW, place):
        synced(path)
    place.rename(folder / READY)
    synced(folder)
    finish(folder)


def finish(folder: Path) -> None:
    """Put in place what lies ready in a folder, if anything does; whoever opens the folder calls this first."""
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
            return  # somebody else has just finished it
        if not any("/" in name or name in ("", ".", "..") for name in (plan.aside, *plan.old, *plan.new)):
            _carry_out(folder, ready, plan)
    finally:
        os.close(lock)


def _carry_out(folder: Path, ready: Path, plan: ReplacePlan) -> None:
    """Rename what is still to be renamed; what has been done before is recognised."""
    aside = folder / plan.aside
    aside.mkdir(mode=0o700, exist_ok=True)
    for name in plan.old:
        if os.path.lexists(folder / name) and not os.path.lexists(aside / name):
            (folder / name).rename(aside / name)
    synced(aside)
    synced(folder)
    for name in plan.new:
        if os.path.lexists(ready / NEW / name):
            (ready / NEW / name).rename(folder / name)
    synced(folder)
    if not plan.old:
        aside.rmdir()
    done = folder / f"{MAKING}done"
    shutil.rmtree(done, ignore_errors=True)
    ready.rename(done)
    shutil.rmtree(done, ignore_errors=True)
    synced(folder)


def synced(path: Path) -> None:
    """Have a file's content or a folder's names on the disk before going on."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
