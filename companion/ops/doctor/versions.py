"""Report the versions of the companion and of what it is built on."""

from __future__ import annotations

import platform
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

import msgspec

from companion.findings import Finding, bad, well
from companion.ops.doctor.power import read_model

PYTHON = (3, 11)
"""The oldest supported Python."""
PACKAGES = (
    ("opencv", "cv2", ("opencv-python-headless", "opencv-python", "opencv")),
    ("gpiozero", "gpiozero", ("gpiozero",)),
    ("lgpio", "lgpio", ("lgpio",)),
    ("picamera2", "picamera2", ("picamera2",)),
)  # fmt: skip
"""Each by its name here, the module, and the packages that provide it."""
UNKNOWN = "?"
PATIENCE = 10.0


class VersionsReading(msgspec.Struct, frozen=True):
    """The versions on this machine."""

    program: str
    python: tuple[int, int, int]
    sqlite: str
    system: str
    model: str = ""
    packages: dict[str, str] = {}
    """Versions by name; missing packages are left out."""


def read() -> VersionsReading:
    """Look up every version."""
    return VersionsReading(
        _version("table-companion") or UNKNOWN,
        sys.version_info[:3],
        sqlite3.sqlite_version,
        _system(),
        read_model(),
        dict(_packages()),
    )


def _system() -> str:
    """Return the names of the system and of the processor's architecture."""
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        name = platform.system()
    return f"{name}, Linux {platform.release()}, {platform.machine()}" if platform.system() == "Linux" else name


def _packages() -> Iterator[tuple[str, str]]:
    for name, module, packages in PACKAGES:
        if find_spec(module) is not None:
            yield name, next((found for each in packages if (found := _version(each))), "") or _ask_module(module)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _ask_module(module: str) -> str:
    """Ask a module itself, such as a system's own OpenCV; in a separate process, as it may be large."""
    command = (sys.executable, "-c", f"import {module}; print({module}.__version__)")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.SubprocessError):
        return UNKNOWN
    return done.stdout.strip() or UNKNOWN


def judge(found: VersionsReading) -> list[Finding]:
    """Return a finding for each version; only a Python that is too old is a fault."""
    python = ".".join(map(str, found.python))
    old = found.python[:2] < PYTHON
    return [
        well("versions.program", version=found.program),
        bad("versions.python", "old", version=python, least=".".join(map(str, PYTHON)))
        if old
        else well("versions.python", version=python),
        well("versions.sqlite", version=found.sqlite),
        *[
            well(f"versions.{name}", version=found.packages[name])
            if name in found.packages
            else well(f"versions.{name}", "missing")
            for name, _, _ in PACKAGES
        ],
        well("versions.system", system=found.system),
        well("versions.model", "ok" if "raspberry pi" in found.model.lower() else "other", model=found.model),
    ]
