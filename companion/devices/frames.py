"""Frames the camera hands to the pages of the same machine: pictures in memory, and what is drawn over the live one.

A picture is replaced whole: a reader sees the old one or the new one, never half of one.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import msgspec

from companion.messages import Sighting

MEMORY = Path("/dev/shm")
"""A folder that lies in memory on Linux: pictures that change ten times a second would wear out an SD card."""


def shelf(folder: Path) -> Path:
    """Return a data folder's shelf, made if need be: `COMPANION_SHELF`, in memory, or among temporary files.

    For a folder that the variable names whoever set it vouches: table and camera may be two users who share it. Among
    temporary files anybody could have been there first, so it must be our own.
    """
    named = os.environ.get("COMPANION_SHELF")
    if named:
        path = Path(named)
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path
    among = MEMORY if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) else Path(tempfile.gettempdir())
    mark = hashlib.sha256(os.fsencode(folder.absolute())).hexdigest()[:16]
    path = among / f"companion-{os.getuid()}-{mark}"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.stat().st_uid != os.getuid():
        raise PermissionError(f"{path} belongs to somebody else: no picture is put there.")
    return path


def put(path: Path, data: bytes) -> None:
    """Replace a file of the shelf as a whole."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    half.write_bytes(data)
    half.replace(path)


PICTURE, DRAWING = "live.jpg", "live.json"
"""The names on the shelf."""
Outline = tuple[tuple[float, float], ...]
"""Four corners, clockwise from the upper left one as the thing's own reader sees it, from 0 to 1 of the picture."""


class CardOutline(msgspec.Struct, frozen=True):
    """One card in the live picture."""

    sighting: Sighting
    outline: Outline


class LiveFrame(msgspec.Struct, frozen=True):
    """What is recognised in the live picture of the same `at`."""

    at: int
    """When the picture was taken, nanoseconds of CLOCK_MONOTONIC; a page loads a picture once."""
    cards: tuple[CardOutline, ...] = ()
    places: dict[str, Outline] = {}
    """The places of the mat, or of the table without one, that are read, as far as they are known."""
    covered: tuple[str, ...] = ()
    """Places that cannot be seen now."""
    moving: bool = False
    """Something moves: what is drawn is as of before."""


def show(shelf: Path, picture: bytes, live: LiveFrame) -> None:
    """Put a picture (JPEG) and what is drawn over it on the shelf, the drawing last."""
    put(shelf / PICTURE, picture)
    put(shelf / DRAWING, msgspec.json.encode(live))


def shown(shelf: Path) -> LiveFrame | None:
    """Return what is drawn over the picture on the shelf; None where there is none."""
    try:
        return msgspec.json.decode((shelf / DRAWING).read_bytes(), type=LiveFrame)
    except (OSError, msgspec.DecodeError):
        return None
