"""Files shared by all processes of one test run: the process that first needs one makes it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

FOLDER = "TESTS_SHARED_FOLDER"
"""Environment variable that names the run's folder; `tests/conftest.py` sets it."""


def make_once(name: str, make: Callable[[Path], object]) -> Path:
    """Return the run's file of a name; if missing, `make` writes it while other processes wait."""
    folder = Path(os.environ[FOLDER])
    path = folder / name
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            half = path.with_suffix(".half")
            make(half)
            half.replace(path)
    return path
