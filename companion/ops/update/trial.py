"""Runs inside a new version that is not installed yet: imports all entry points of its services, and reports the
result.

Its last line is JSON: `format` is the newest journal format that it can read, and `why` its faults.
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
"""The entry points of the services and the commands."""
CAMERA = ("vision.commands.camera", "vision.service")
"""The entry point of the camera, which needs more modules than the table."""
HALL = ("web.hall.app",)
NEEDED = {CAMERA: ("cv2", "numpy"), HALL: ("cryptography", "spake2")}
"""Modules that a part needs, but not the table."""
OWN = {"companion", "hardware", "vision", "web"}
OPTIONAL = {"gpiozero", "lgpio", "picamera2", "libcamera"}
"""Modules whose absence a service reports itself: it then has no pins or no camera."""


def load(name: str) -> None:
    """Import a module; missing optional modules are no fault."""
    try:
        import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in OPTIONAL:
            raise


def entries() -> tuple[str, ...]:
    """Return the names of the modules to import on this machine."""
    parts = [part for part, needed in NEEDED.items() if all(find_spec(each) for each in needed)]
    return (*ENTRIES, *(name for part in parts for name in part))


def broken_games() -> list[str]:
    """Return the faults of the games that are part of the program; people's own games do not count."""
    from companion.games import BROKEN
    from companion.own_games import __name__ as own

    return [f"{each.package}: {each.why}" for each in BROKEN if not each.package.startswith(f"{own}.")]


def examine() -> dict[str, object]:
    """Import everything; return the result."""
    name, number = "", 0
    try:
        for name in entries():
            load(name)
        from companion.engine.setup import FORMAT as number

        wrong = broken_games()
    except BaseException as error:
        # A broken module may raise anything, even SystemExit: report it and continue.
        wrong = [f"{name}: {type(error).__name__}: {error}"]
    return {"format": number, "why": " ".join(wrong)}


def main() -> None:
    """Print the result."""
    print(json.dumps(examine()), flush=True)


if __name__ == "__main__":
    main()
