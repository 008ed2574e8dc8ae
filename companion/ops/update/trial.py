"""Runs inside a new version that lies aside: imports all that its services begin with, and says what it found.

Its last line is JSON: `format`, the newest journal that it can read, and `why`, what is wrong with it.
"""

from __future__ import annotations

import json
from importlib import import_module
from importlib.util import find_spec

ENTRIES = (
    "companion.cli", "companion.devices.registry", "companion.ops.doctor.examiner", "companion.ops.backup.backup",
    "companion.journal.journal", "web.server", "web.app", "web.commands", "hardware.commands",
    "hardware.buttons_service",
)  # fmt: skip
"""What the services and the commands begin with."""
CAMERA = ("vision.commands.camera", "vision.service")
"""What the camera begins with; it needs more than the table does."""
HALL = ("web.hall.app",)
NEEDED = {CAMERA: ("cv2", "numpy"), HALL: ("cryptography", "spake2")}
"""What a part cannot do without, and the table can."""
OWN = {"companion", "hardware", "vision", "web"}
OPTIONAL = {"gpiozero", "lgpio", "picamera2", "libcamera"}
"""Modules without which a service says by itself that it has no pins or no camera."""


def load(name: str) -> None:
    """Import a module; one that lacks nothing but what it can do without is well."""
    try:
        import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in OPTIONAL:
            raise


def entries() -> tuple[str, ...]:
    """Return what is imported on this machine."""
    parts = [part for part, needed in NEEDED.items() if all(find_spec(each) for each in needed)]
    return (*ENTRIES, *(name for part in parts for name in part))


def broken_games() -> list[str]:
    """Return what is wrong with the games that come with the program; people's own are their affair."""
    from companion.games import BROKEN
    from companion.own_games import __name__ as own

    return [f"{each.package}: {each.why}" for each in BROKEN if not each.package.startswith(f"{own}.")]


def examine() -> dict[str, object]:
    """Import everything; return what is found."""
    name, number = "", 0
    try:
        for name in entries():
            load(name)
        from companion.engine.setup import FORMAT as number

        wrong = broken_games()
    except BaseException as error:
        # A broken module may raise anything, also SystemExit: this program reports it and goes on.
        wrong = [f"{name}: {type(error).__name__}: {error}"]
    return {"format": number, "why": " ".join(wrong)}


def main() -> None:
    """Print what is found."""
    print(json.dumps(examine()), flush=True)


if __name__ == "__main__":
    main()
