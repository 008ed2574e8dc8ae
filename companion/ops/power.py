"""Ask the system to switch off or restart: write a word to the file that systemd watches (`companion-power.path`)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

Wish = Literal["off", "restart"]
"""Switch the machine off, or restart it."""
WISHES: tuple[Wish, ...] = ("off", "restart")
DEFAULT_PATH = Path("/run/companion/power")


class PowerError(ValueError):
    """The system cannot be asked; the message gives the reason and the fix."""


def request_path() -> Path:
    """Return the path of the request: `COMPANION_POWER`, else the file that systemd watches."""
    return Path(os.environ.get("COMPANION_POWER") or DEFAULT_PATH)


def is_possible() -> bool:
    """Return whether we may write to the request's folder."""
    return os.access(request_path().parent, os.W_OK | os.X_OK)


def ask(wish: Wish) -> None:
    """Write the request; raise `PowerError` if that fails."""
    path = request_path()
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_text(f"{wish}\n", encoding="ascii")
        half.replace(path)
    except OSError as error:
        why = error.strerror or str(error)
        raise PowerError(f"The system cannot be asked at {path}: {why}. Switch it off in its own terminal.") from error
