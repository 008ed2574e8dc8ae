"""Paces of tables whose referee waits for nothing, or for as long as a test wants."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion import config
from companion.referee.pace import Pace
from companion.table.pace_settings import TABLE

HURRIED = Pace(open_grace_ms=0, same_moment_ms=0, count_gap_ms=0, slow_count_gap_ms=0, double_tap_ms=0, ending_ms=0)
"""The pace without waiting: presses are judged at once, and people count as fast as they can."""


def as_settings(pace: Pace = HURRIED) -> str:
    """Return a pace as a settings table."""
    return "\n".join([f"[{TABLE}]", *[f"{key} = {value}" for key, value in msgspec.structs.asdict(pace).items()], ""])


def write_pace(folder: Path, pace: Pace = HURRIED) -> None:
    """Write a pace into a data folder's settings, for a table in another process."""
    (folder / config.NAME).write_text(as_settings(pace), encoding="utf-8")
