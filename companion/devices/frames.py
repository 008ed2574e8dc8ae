"""Live pictures from the camera, shared in memory with the pages on this machine. Each file is replaced as a whole."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import msgspec

from companion.messages import Sighting, TokenSighting

MEMORY = Path("/dev/shm")
"""An in-memory folder on Linux: writing pictures ten times a second would wear out an SD card."""


def frames_folder(folder: Path) -> Path:
    """Return the folder for frames, creating it if needed: `COMPANION_SHELF`, else in memory, else temporary.

    A folder named by the variable is trusted: two users, table and camera, may share it. We must own any other folder:
    anybody could have created it first among the temporary files.
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
        raise PermissionError(f"{path} belongs to another user: no picture is saved there.")
    return path


def replace_file(path: Path, data: bytes) -> None:
    """Replace a file of the folder as a whole."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    half.write_bytes(data)
    half.replace(path)


PICTURE_NAME, OUTLINES_NAME = "live.jpg", "live.json"
"""File names in the folder."""
Outline = tuple[tuple[float, float], ...]
"""Corners as fractions of the picture, clockwise from the upper left as the reader of the card or place sees it."""


class CardOutline(msgspec.Struct, frozen=True):
    """One card in the live picture."""

    sighting: Sighting
    outline: Outline


class TokenOutline(msgspec.Struct, frozen=True):
    """One token in the live picture. `outline` is a polygon for the circle around it, as fractions of the picture."""

    sighting: TokenSighting
    outline: Outline


class LiveFrame(msgspec.Struct, frozen=True):
    """The cards and places recognised in the live picture, taken at the same moment."""

    at: int
    """The time of the picture, in nanoseconds of CLOCK_MONOTONIC; lets a page load each picture once."""
    cards: tuple[CardOutline, ...] = ()
    places: dict[str, Outline] = {}
    """The known places of the mat, or of the table without one."""
    covered: tuple[str, ...] = ()
    """The places that are hidden now."""
    moving: bool = False
    """Whether something is moving: the outlines then date from before the movement."""
    tokens: tuple[TokenOutline, ...] = ()


def write_frame(folder: Path, picture: bytes, live: LiveFrame) -> None:
    """Write a picture (JPEG) and then its outlines."""
    replace_file(folder / PICTURE_NAME, picture)
    replace_file(folder / OUTLINES_NAME, msgspec.json.encode(live))


def read_frame(folder: Path) -> LiveFrame | None:
    """Return the outlines of the current picture, or None."""
    try:
        return msgspec.json.decode((folder / OUTLINES_NAME).read_bytes(), type=LiveFrame)
    except (OSError, msgspec.DecodeError):
        return None
