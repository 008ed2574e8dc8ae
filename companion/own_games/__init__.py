"""Own games, in the folders listed in `COMPANION_GAMES`: `hex_rails` becomes `companion.own_games.hex_rails`.

May import nothing. Enter at `faults`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

VARIABLE = "COMPANION_GAMES"
"""The environment variable that lists the folders of own games, separated as in PATH."""
__path__ = [str(Path(each).expanduser().absolute()) for each in os.environ.get(VARIABLE, "").split(os.pathsep) if each]


def faults() -> Iterator[tuple[str, str, str]]:
    """Yield each listed folder that cannot hold games: its name, its path, and the reason."""
    for folder in map(Path, __path__):
        why = "which is no folder" if not folder.is_dir() else fault(folder)
        if why:
            yield folder.name, str(folder), f"{VARIABLE} names {folder}, {why}"


def fault(folder: Path) -> str:
    """Return why an existing folder cannot hold games, as the end of a sentence; empty if it can."""
    package = folder.joinpath("__init__.py").exists()
    return "which is a package of Python itself, not a folder that holds games" if package else ""
