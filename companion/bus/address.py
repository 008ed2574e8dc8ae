"""Where the bus is: an address in words, from the environment, the settings, or the data folder. Opens nothing."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import msgspec

LONGEST_PATH = 100
"""Bytes that the address of a Unix socket may have, with some to spare (the kernel takes 108)."""
NAMED = "COMPANION_BUS"
"""The environment's word for where the bus is."""
UNIX = "unix:"


class Local(msgspec.Struct, frozen=True):
    """A Unix socket."""

    path: Path

    def __str__(self) -> str:
        """Return the address in words."""
        return f"{UNIX}{self.path}"


Address = Local
"""Where a bus is."""


def parsed(text: str) -> Address:
    """Return an address that is written `unix:PATH` or as a bare path."""
    return Local(Path(text.removeprefix(UNIX)).expanduser())


def address(folder: Path) -> Address:
    """Return where a data folder's bus is: `COMPANION_BUS`, else the socket in the folder.

    Where its path would be too long for a socket it is among the temporary files.
    """
    named = os.environ.get(NAMED)
    if named:
        return parsed(named)
    path = folder.absolute() / "bus"
    if len(os.fsencode(path)) <= LONGEST_PATH:
        return Local(path)
    mark = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    return Local(Path(tempfile.gettempdir()) / f"companion-{os.getuid()}" / mark)
