"""The referee's pace in the settings (`[presses]`)."""

from __future__ import annotations

import msgspec

from companion import config
from companion.referee.pace import USUAL, Pace

TABLE = "presses"
LONGEST_MS = 10_000
"""The longest pause between counts, and the longest wait for presses, in milliseconds."""
LONGEST_OF = {"double_tap_ms": 2_000, "ending_ms": 20_000}
"""The longest time for ignoring a second press, and for telling an end, in milliseconds."""


def read_pace(settings: config.Settings) -> Pace:
    """Return the pace in the settings; raise `ConfigError` for times out of range."""
    table, place = settings.table(TABLE) or {}, settings.place(TABLE)
    config.check_keys(table, config.TABLES[TABLE], place)
    return Pace(
        **{
            name: config.read_whole(table, name, place, 0, longest, usual)
            for name, usual in msgspec.structs.asdict(USUAL).items()
            for longest in [LONGEST_OF.get(name, LONGEST_MS)]
        }
    )
