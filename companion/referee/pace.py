"""How long the referee waits and an end is told: usual times, which a table's settings may change (`[presses]`)."""

from __future__ import annotations

import msgspec

from companion.engine import Raising, Unveiling


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
    ending_ms: int = 20_000
    """How long the end of a match may be told, place by place, before pages show its result; 0: it is not told."""

    def gap_ms(self, timing: Raising | Unveiling) -> int:
        """Return the time between two numbers at a table that counts slowly or not."""
        return self.slow_count_gap_ms if timing.slow else self.count_gap_ms


USUAL = Pace()
