"""gpiozero, which drives the pins: where it is missing or too old, that is a finding, and everything else goes on."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version

from companion.findings import Finding, bad

OLDEST = (2, 0, 1)
"""Older ones do not pass on an edge with its moment. Debian 13 has 1.6.2, Raspberry Pi OS a newer one."""


def missing_library() -> tuple[Finding, ...]:
    """Return a finding if gpiozero is missing or too old; else nothing."""
    needed = ".".join(map(str, OLDEST))
    try:
        found = version("gpiozero")
    except PackageNotFoundError:
        return (bad("buttons.library", "missing", needed=needed),)
    if tuple(map(int, re.findall(r"\d+", found)[:3])) < OLDEST:
        return (bad("buttons.library", "old", found=found, needed=needed),)
    return ()
