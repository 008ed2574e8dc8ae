"""Examine the wall clock. The game does not need it; only displayed times do."""

from __future__ import annotations

import ctypes
import time
from pathlib import Path

import msgspec

from companion.findings import Finding, look, well

SANE = range(2026, 2100)
"""Years in which this program can be running."""
UNSYNCHRONISED = 5
"""Result of `adjtimex` (TIME_ERROR) while nothing keeps the clock right."""
TIMEX = 208
"""Size of the kernel's `struct timex` in bytes, with a margin."""
RTC = Path("/sys/class/rtc/rtc0")


class ClockReading(msgspec.Struct, frozen=True):
    """A reading of the clock."""

    year: int
    shown: str
    """Day and time, as pages show them."""
    synchronised: bool | None
    """Whether the network keeps it right; None: unknown."""
    rtc: bool = False
    """Whether a battery keeps it running through a power cut."""


def read() -> ClockReading:
    """Read the clock."""
    now = time.localtime()
    return ClockReading(now.tm_year, time.strftime("%Y-%m-%d %H:%M", now), _read_synchronised(), RTC.exists())


def _read_synchronised() -> bool | None:
    """Return what the kernel knows, to which every kind of time service reports."""
    try:
        state: int = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.create_string_buffer(TIMEX))
    except (OSError, AttributeError):
        return None
    return None if state < 0 else state != UNSYNCHRONISED


def judge(found: ClockReading) -> list[Finding]:
    """Return the findings about the clock."""
    if found.year not in SANE:
        return [look("clock.time", "wrong", now=found.shown)]
    if found.synchronised is None:
        return [well("clock.time", "unknown", now=found.shown)]
    if found.synchronised:
        return [well("clock.time", now=found.shown)]
    if found.rtc:
        return [well("clock.time", "battery", now=found.shown)]
    return [well("clock.time", "unsynchronised", now=found.shown)]  # many tables have no internet, and need none
