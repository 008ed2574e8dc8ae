"""In the guest: a chip of gpio-sim with its lines, and fingers that close and open them."""

from __future__ import annotations

import json
import os
import time
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

MILLISECOND = 1_000_000
CONFIG = Path("/sys/kernel/config/gpio-sim")
BOUNCE_GAP = 1_200_000
"""Nanoseconds between the edges of a bounce: gpio-sim passes edges on once a millisecond."""
LONGEST_PAUSE = 8 * MILLISECOND
LINES = 54
"""Number of lines of a Raspberry Pi 4."""


def report(**found: Any) -> None:
    """Print a result for the host."""
    print("guest> " + json.dumps(found), flush=True)


class Pressed(NamedTuple):
    """A press with its times in nanoseconds of the guest's clock."""

    line: int
    begun: int
    """Time just before the first contact."""
    ended: int
    """Time after the last edge."""
    longest: int
    """The longest pause within its bounce."""

    @property
    def fair(self) -> bool:
        """Return whether this was one press: a busy machine may pause for so long that the button was released."""
        return self.longest < LONGEST_PAUSE


class Chip:
    """The lines of a simulated chip, by default those of a Raspberry Pi 4's header.

    Buttons are pulled up or down, lamps are read. The kernel numbers chips in the order of their creation.
    """

    def __init__(self, label: str = "pinctrl-bcm2711", lines: int = LINES) -> None:
        self._place = CONFIG / label
        self._place.mkdir()
        bank = self._place / "bank0"
        bank.mkdir()
        (bank / "num_lines").write_text(str(lines))
        (bank / "label").write_text(label)
        (self._place / "live").write_text("1")
        device, self.name = (self._place / "dev_name").read_text().strip(), (bank / "chip_name").read_text().strip()
        self._lines = Path("/sys/devices/platform") / device / self.name
        self._pulls: dict[int, int] = {}

    def remove(self) -> None:
        """Remove the chip; its number stays unused."""
        (self._place / "live").write_text("0")

    def pull(self, line: int, up: bool) -> int:
        """Open (up) or close a button; return the time just before."""
        file = self._pulls.get(line)
        if file is None:
            file = self._pulls[line] = os.open(self._lines / f"sim_gpio{line}/pull", os.O_WRONLY)
        before = time.monotonic_ns()
        os.pwrite(file, b"pull-up" if up else b"pull-down", 0)
        return before

    def value(self, line: int) -> bool:
        """Return whether a line is high."""
        return (self._lines / f"sim_gpio{line}/value").read_text().strip() == "1"

    def chatter(self, line: int, times: int, closed: bool) -> list[int]:
        """Close or open a button with bounce; return the time before each edge."""
        moments = [self.pull(line, not closed)]
        for n in range(2 * times):
            end = time.monotonic_ns() + BOUNCE_GAP
            while time.monotonic_ns() < end:  # A sleep would often last several times as long
                pass
            moments.append(self.pull(line, closed == (n % 2 == 0)))
        return moments

    def press(self, line: int, seconds: float, bounces: int = 0) -> Pressed:
        """Press and release a button; return the press as it happened."""
        closing = self.chatter(line, bounces, True)
        time.sleep(seconds)
        opening = self.chatter(line, bounces, False)
        gaps = [b - a for edges in (closing, opening) for a, b in pairwise(edges)]
        return Pressed(line, closing[0], time.monotonic_ns(), max(gaps, default=0))
