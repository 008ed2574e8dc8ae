"""The referee's waiting times and the duration of the ending: defaults that a table's settings may change
(`[presses]`).
"""

from __future__ import annotations

import msgspec

from companion.engine import Raising, Unveiling


class Pace(msgspec.Struct, frozen=True):
    """Times in milliseconds; each is a key of `[presses]` in the settings."""

    open_grace_ms: int = 150
    """The time for which a press in an auction waits for earlier ones that may still be in transit."""
    same_moment_ms: int = 150
    """The time within which two raises count as the same amount; the earlier one leads."""
    count_gap_ms: int = 1000
    """The least time between two counts, and between the numbers of a countdown."""
    slow_count_gap_ms: int = 2000
    """The least time between two counts at a slow table."""
    double_tap_ms: int = 600
    """The time for which to ignore a seat's presses after its own raise or after “ready”; 0: never."""
    ending_ms: int = 20_000
    """The time in which the ending may announce places before pages show the result; 0 skips it."""

    def gap_ms(self, timing: Raising | Unveiling) -> int:
        """Return the time between two numbers at a normal or slow table."""
        return self.slow_count_gap_ms if timing.slow else self.count_gap_ms


USUAL = Pace()
