"""The shelf: where the camera puts pictures for the pages of the same machine, in memory. Knows not what is on them.

A picture is replaced whole: a reader sees the old one or the new one, never half of one.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

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
