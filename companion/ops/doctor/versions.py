"""Reports the versions for a fault report in one line: the companion and the system under it."""

from __future__ import annotations

import platform
import sqlite3
from importlib.metadata import PackageNotFoundError, version

import msgspec

from companion.findings import Finding, well
from companion.ops.doctor.power import read_model

UNKNOWN = "?"


class VersionsReading(msgspec.Struct, frozen=True):
    """The versions on this machine."""

    program: str
    python: str
    sqlite: str
    system: str
    """Machine, system, kernel and processor architecture, if known."""


def read() -> VersionsReading:
    """Look up every version."""
    return VersionsReading(_program(), platform.python_version(), sqlite3.sqlite_version, _system())


def _program() -> str:
    try:
        return version("table-companion")
    except PackageNotFoundError:
        return UNKNOWN


def _system() -> str:
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        name = platform.system()
    kernel = (f"Linux {platform.release()}", platform.machine()) if platform.system() == "Linux" else ()
    return ", ".join(filter(None, (read_model(), name, *kernel)))


def judge(found: VersionsReading) -> list[Finding]:
    """Return one finding with all versions."""
    fields = {"version": found.program, "python": found.python, "sqlite": found.sqlite, "system": found.system}
    return [well("versions.program", **fields)]
