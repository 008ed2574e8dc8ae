"""The wall clock: whether it is right. The game does not need it: only the times that are shown do."""

from __future__ import annotations

import ctypes
import time
from pathlib import Path

import msgspec

from companion.findings import Finding, look, well

SANE = range(2026, 2100)
"""Years in which this program can be running."""
UNSYNCHRONISED = 5
"""What `adjtimex` returns (TIME_ERROR) while nobody keeps the clock right."""
TIMEX = 208
"""Bytes of the kernel's `struct timex`, with some to spare."""
RTC = Path("/sys/class/rtc/rtc0")


class ClockReading(msgspec.Struct, frozen=True):
    """What the clock says."""

    year: int
    shown: str
    """Day and time, as pages show them."""
    synchronised: bool | None
    """Whether the network keeps it right; None: the system does not tell."""
    rtc: bool = False
    """Whether a battery keeps it through a power cut."""


def read() -> ClockReading:
    """Look at the clock."""
    now = time.localtime()
    return ClockReading(now.tm_year, time.strftime("%Y-%m-%d %H:%M", now), _synchronised(), RTC.exists())


def _synchronised() -> bool | None:
    """Return what the kernel knows: every kind of time service tells it."""
    try:
        state: int = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.create_string_buffer(TIMEX))
    except (OSError, AttributeError):
        return None
    return None if state < 0 else state != UNSYNCHRONISED


def judge(found: ClockReading) -> list[Finding]:
    """Return what the clock's reading says."""
    if found.year not in SANE:
        return [look("clock.time", "wrong", now=found.shown)]
    if found.synchronised is None:
        return [well("clock.time", "unknown", now=found.shown)]
    if found.synchronised:
        return [well("clock.time", now=found.shown)]
    if found.rtc:
        return [well("clock.time", "battery", now=found.shown)]
    return [well("clock.time", "unsynchronised", now=found.shown)]  # many a table has no internet, and needs none
