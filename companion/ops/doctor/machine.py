"""All findings about the machine around a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.findings import Finding, look
from companion.ops.doctor import clock, disk, network, power, services, versions
from companion.ops.doctor.services import ServicesReading


def examine(
    folder: Path, running: ServicesReading, page: str = "", salvage: tuple[str, ...] = ()
) -> tuple[Finding, ...]:
    """Return findings about the machine around the table with this data folder.

    `running` describes the services, `page` is the address that tablets open, and `salvage` is the journal's report
    from its opening. Asking other programs may take some seconds.
    """
    parts: tuple[Callable[[], list[Finding]], ...] = (
        lambda: power.judge(power.read()),
        lambda: disk.judge(disk.read(folder)) + disk.judge_salvage(salvage),
        lambda: clock.judge(clock.read()),
        lambda: network.judge(network.read(page)),
        lambda: services.judge(running),
        lambda: versions.judge(versions.read()),
    )
    names = ("power", "disk", "clock", "network", "services", "versions")
    return tuple(finding for name, part in zip(names, parts, strict=True) for finding in _findings_of(name, part))


def _findings_of(name: str, part: Callable[[], list[Finding]]) -> list[Finding]:
    """Return a part's findings, or a finding that the part cannot be read."""
    try:
        return part()
    except (OSError, ValueError) as error:
        return [look(f"{name}.unread", "unread", error=str(error))]


def threats(folder: Path) -> tuple[Finding, ...]:
    """Return threats to the running game: too little power, a full or broken disk. Quick and without writing."""
    found = [*power.judge(power.read()), *disk.judge(disk.read(folder, try_it=False))]
    kinds = {("power.supply", "low"), ("disk.space", "low"), ("disk.space", "full"), ("disk.folder", "read_only")}
    return tuple(each for each in found if (each.key, each.state) in kinds)
