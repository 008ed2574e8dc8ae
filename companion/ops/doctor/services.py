"""The services around the table: whether bus, buttons and camera live, since when, how often they were started again,
and whether a second table runs. Knows no pins and no pictures.
"""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from companion.findings import Finding, bad, look, well

SYSTEMD = Path("/run/systemd/system")
"""Is there where systemd runs the machine."""
PATIENCE = 2.0
OFTEN = 3
"""Starts again after a failure from which on somebody should look."""
TABLES = ("run", "table")
"""Commands that are a table."""


class ServiceReading(msgspec.Struct, frozen=True):
    """One service as the table knows it."""

    name: Literal["buttons", "camera"]
    alive: bool = False
    expected: bool = False
    """One that is expected and does not live is lost; else nobody wants it."""
    since: str = ""
    """Since when it lives or is lost, as day and time; empty: not known."""
    kind: str = ""
    restarts: int = 0


class ServicesReading(msgspec.Struct, frozen=True):
    """What is known of everything that runs."""

    bus: str
    """The bus's address."""
    table: bool = False
    """Whether a table listens on it."""
    since: str = ""
    """Since when the table runs."""
    restarts: int = 0
    """How often systemd had to start the table again."""
    services: tuple[ServiceReading, ...] = ()
    tables: tuple[int, ...] = ()
    """Processes that are tables."""


def restarts(unit: str) -> int:
    """Return how often systemd had to start a unit again; 0 where it does not know it."""
    program = shutil.which("systemctl") if SYSTEMD.is_dir() else None
    if program is None:
        return 0
    command = (program, "show", unit, "--property=NRestarts", "--value")
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return 0
    return int(told) if told.isdecimal() else 0


def processes(proc: Path, *commands: str) -> Iterator[int]:
    """Yield the numbers of processes that run one of the companion's commands; not this one, and no child of such."""
    found = {}
    for path in sorted(proc.glob("[0-9]*/cmdline"), key=lambda path: int(path.parent.name)):
        number = int(path.parent.name)
        try:
            words = path.read_bytes().decode(errors="replace").split("\0")
            parent = int((path.parent / "stat").read_text(errors="replace").rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        names = [Path(word).name for word in words]
        if any(first == "companion" and second in commands for first, second in itertools.pairwise(names)):
            found[number] = parent
    yield from (number for number, parent in found.items() if parent not in found and not _ours(number, found))


def _ours(number: int, found: dict[int, int]) -> bool:
    """Whether a process is this one, or one above it of the same kind."""
    above = os.getpid()
    while above in found and above != number:
        above = found[above]
    return above == number


def judge(found: ServicesReading) -> list[Finding]:
    """Return what is judged of everything that runs."""
    return [_table(found), *[_service(each) for each in found.services if found.table], *_second(found)]


def _table(found: ServicesReading) -> Finding:
    if not found.table:
        return well("services.table", "off", bus=found.bus)
    if found.restarts >= OFTEN:
        return look("services.table", "restarted", bus=found.bus, since=found.since, count=found.restarts)
    return well("services.table", "ok" if found.since else "listens", bus=found.bus, since=found.since)


def _service(each: ServiceReading) -> Finding:
    key = f"services.{each.name}"
    if not each.alive:
        return bad(key, "lost", since=each.since or "?") if each.expected else well(key, "none")
    if each.restarts >= OFTEN:
        return look(key, "restarted", since=each.since, count=each.restarts)
    return well(key, since=each.since)


def _second(found: ServicesReading) -> list[Finding]:
    """Return that there is a second table, for each thinks that it is the one."""
    most = 0 if found.since else 1  # where this process is the table, the others are too many
    if len(found.tables) <= most:
        return []
    return [look("services.second", "several", processes=", ".join(map(str, found.tables)))]
