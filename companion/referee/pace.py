"""How long the referee waits: usual times, which the settings of a table may change (`[presses]`)."""

from __future__ import annotations

import msgspec

from companion import config
from companion.engine import Raising, Unveiling

TABLE = "presses"
LONGEST_MS = 10_000
"""The longest pause between counts, and the longest wait for presses, in milliseconds."""
LONGEST_TAP_MS = 2_000
"""The longest time in which a second press can be ignored, in milliseconds."""


class Pace(msgspec.Struct, frozen=True):
    """Times in milliseconds; each is a key of `[presses]` in the settings."""

    open_grace_ms: int = 150
    """How long a press in an auction waits for earlier ones that may still be on their way."""
    same_moment_ms: int = 150
    """Two raises this close are one amount, and the earlier one leads."""
    count_gap_ms: int = 1000
    """The least time between two counts, and between the numbers of a countdown."""
    slow_count_gap_ms: int = 2000
    """The same at a table that counts slowly."""
    double_tap_ms: int = 600
    """After its own raise, or after “ready”, a seat's presses are ignored for so long; 0: none is."""

    def gap_ms(self, timing: Raising | Unveiling) -> int:
        """Return the time between two numbers at a table that counts slowly or not."""
        return self.slow_count_gap_ms if timing.slow else self.count_gap_ms


USUAL = Pace()


def read_pace(settings: config.Settings) -> Pace:
    """Return the pace that the settings choose; raise `ConfigError` for times that do not fit."""
    table, place = settings.table(TABLE) or {}, settings.place(TABLE)
    config.check_keys(table, config.TABLES[TABLE], place)
    return Pace(
        **{
            name: config.read_whole(table, name, place, 0, longest, usual)
            for name, usual in msgspec.structs.asdict(USUAL).items()
            for longest in [LONGEST_TAP_MS if name == "double_tap_ms" else LONGEST_MS]
        }
    )
