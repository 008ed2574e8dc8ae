"""The Debian tree with libcamera and picamera2 that `build.sh` makes and the tests boot, with the project in it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from tests.hardware.kernel.machine import Tree, boot

PROJECT = Path(__file__).resolve().parents[3]
PACKAGES = ("companion", "hardware", "vision", "tests")


def _cache() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "table-companion" / "camera-root"


ROOT = _cache()


def lacking() -> str:
    """Return why the tree cannot be booted and the remedy, or an empty text."""
    return "" if (ROOT / "opt" / "ready").exists() else f"there is no tree with libcamera at {ROOT}: make cameras"


def boot_root(root: Path, program: str) -> dict[str, Any]:
    """Copy the project into the tree, run one of its test modules there and return the reports."""
    place = root / "opt" / "project"
    shutil.rmtree(place, ignore_errors=True)
    for package in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__", "*.png", "*.pyc")
        shutil.copytree(PROJECT / package, place / package, ignore=ignored)
    guest = "/opt/project/tests/hardware/kernel/guest.py"
    tree = Tree(str(root), "/usr/bin/python3", guest, "/opt/project:/opt/packages", "2G")
    return boot(program, tree)
