"""How a table asks the system to switch the machine off or to start it again. Knows no rights: the system decides.

The wish is one word in one file, which systemd watches (`companion-power.path`); no other right is given to the table.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

Wish = Literal["off", "restart"]
"""Switch off; start the machine again."""
WISHES: tuple[Wish, ...] = ("off", "restart")
PLACE = Path("/run/companion/power")


class PowerError(ValueError):
    """The system cannot be asked; the message says why and what to do."""


def place() -> Path:
    """Return where the wish is written: `COMPANION_POWER`, else the file that the companion's service watches."""
    return Path(os.environ.get("COMPANION_POWER") or PLACE)


def possible() -> bool:
    """Whether somebody has made a place for the wish that we may write in."""
    return os.access(place().parent, os.W_OK | os.X_OK)


def ask(wish: Wish) -> None:
    """Write the wish whole; raise `PowerError` where that cannot be done."""
    path = place()
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_text(f"{wish}\n", encoding="ascii")
        half.replace(path)
    except OSError as error:
        why = error.strerror or str(error)
        raise PowerError(f"The system cannot be asked at {path}: {why}. Switch it off in its own terminal.") from error
