"""Store the pictures of enrolled items in the frames folder, which pages read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from companion.devices.frames import replace_file
from vision.deck.stored_decks import RequestRefused

SHELF_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
"""The pattern for names of files in the frames folder, without folders and hidden files."""


class FramesShelf:
    """The frames folder, accessed by names that may come from pages."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, name: str) -> Path:
        """Return the path of a file. Raise `RequestRefused` for an invalid name."""
        if not SHELF_NAME.fullmatch(name):
            raise RequestRefused("bad_name", f"{name!r} is no name on the shelf")
        return self._folder / name

    def put(self, name: str, make: Callable[[], bytes]) -> str:
        """Create a file unless it exists, because its name identifies its content. Return the name."""
        if not (self._folder / name).exists():
            replace_file(self._folder / name, make())
        return name
