"""Files that all processes of one test run share; the first process that needs a file makes it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

FOLDER = "TESTS_SHARED_FOLDER"
"""The environment variable with the run's folder, set by `tests/conftest.py`."""


def make_once(name: str, make: Callable[[Path], object]) -> Path:
    """Return the run's file with a name; if it is missing, `make` writes it while other processes wait."""
    folder = Path(os.environ[FOLDER])
    path = folder / name
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            half = path.with_suffix(".half")
            make(half)
            half.replace(path)
    return path
