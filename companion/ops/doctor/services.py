"""Examine the services around the table (alive, since when, restarts), and look for a second table."""

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
"""A folder that exists if systemd runs the machine."""
PATIENCE = 2.0
OFTEN = 3
"""Number of restarts after failures at which somebody should look."""
TABLES = ("run", "table")
"""Commands that run a table."""


class ServiceReading(msgspec.Struct, frozen=True):
    """One service as the table sees it."""

    name: Literal["buttons", "camera"]
    alive: bool = False
    expected: bool = False
    """Whether it should be there; if so, a service that is not alive is lost."""
    since: str = ""
    """The day and time when it appeared or was lost; empty: unknown."""
    kind: str = ""
    restarts: int = 0


class ServicesReading(msgspec.Struct, frozen=True):
    """A reading of all running services."""

    bus: str
    """The bus's address."""
    table: bool = False
    """Whether a table listens on the bus."""
    since: str = ""
    """The day and time when the table started."""
    restarts: int = 0
    """The number of times that systemd had to restart the table."""
    services: tuple[ServiceReading, ...] = ()
    tables: tuple[int, ...] = ()
    """Process ids of tables."""


def count_restarts(unit: str) -> int:
    """Return how often systemd had to restart a unit; 0 if unknown."""
    program = shutil.which("systemctl") if SYSTEMD.is_dir() else None
    if program is None:
        return 0
    command = (program, "show", unit, "--property=NRestarts", "--value")
    try:
        told = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return 0
    return int(told) if told.isdigit() else 0


def find_processes(proc: Path, *commands: str) -> Iterator[int]:
    """Yield the ids of processes that run one of these commands, except this process and the children of found ones."""
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
    yield from (number for number, parent in found.items() if parent not in found and not _is_ours(number, found))


def _is_ours(number: int, found: dict[int, int]) -> bool:
    """Return whether a process is this one, or its ancestor with such a command."""
    above = os.getpid()
    while above in found and above != number:
        above = found[above]
    return above == number


def judge(found: ServicesReading) -> list[Finding]:
    """Return the findings about all running services."""
    return [_table(found), *[_service(each) for each in found.services if found.table], *_second_table(found)]


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


def _second_table(found: ServicesReading) -> list[Finding]:
    """Return a finding if there is a second table, since each would consider itself the only one."""
    most = 0 if found.since else 1  # if this process is the table, any other is too many
    if len(found.tables) <= most:
        return []
    return [look("services.second", "several", processes=", ".join(map(str, found.tables)))]
