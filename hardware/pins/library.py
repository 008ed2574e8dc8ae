"""Checks gpiozero, which drives the pins. A missing or too old one becomes a finding; everything else still works."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version

from companion.findings import Finding, bad

OLDEST = (2, 0, 1)
"""The first version that reports an edge's time. Debian 13 has 1.6.2, Raspberry Pi OS a newer version."""


def missing_library() -> tuple[Finding, ...]:
    """Return a finding if gpiozero is missing or too old, otherwise nothing."""
    needed = ".".join(map(str, OLDEST))
    try:
        found = version("gpiozero")
    except PackageNotFoundError:
        return (bad("buttons.library", "missing", needed=needed),)
    if tuple(map(int, re.findall(r"\d+", found)[:3])) < OLDEST:
        return (bad("buttons.library", "old", found=found, needed=needed),)
    return ()
