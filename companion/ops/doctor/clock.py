"""Examine the wall clock. Games do not need it; only displayed times do."""

from __future__ import annotations

import time

import msgspec

from companion.findings import Finding, look

SANE = range(2026, 2100)
"""Years in which this program can be running."""


class ClockReading(msgspec.Struct, frozen=True):
    """A reading of the clock."""

    year: int
    shown: str
    """Day and time as pages show them."""


def read() -> ClockReading:
    """Read the clock."""
    now = time.localtime()
    return ClockReading(now.tm_year, time.strftime("%Y-%m-%d %H:%M", now))


def judge(found: ClockReading) -> list[Finding]:
    """Return a finding if the clock cannot be right."""
    return [] if found.year in SANE else [look("clock.time", "wrong", now=found.shown)]
