"""Log a fault once, then count it, so that a peer repeating a fault cannot fill the log."""

from __future__ import annotations

import logging
import threading
from collections import Counter

MOST_KINDS = 64
"""Combinations of fault and peer that are counted separately; all others are counted together."""
LONGEST = 200
"""Maximum length of a text from outside in one log line."""
OTHERS = "further faults on the bus"
FACTOR = 10
"""A fault is logged again each time its count has grown by this factor."""


class FaultLog:
    """Counts faults by kind and peer. Any thread may call its methods."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._counts: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()

    def note(self, kind: str, peer: str, told: str = "", error: BaseException | None = None) -> None:
        """Log a fault at its first, 10th, 100th, … occurrence, with the count.

        `told` adds detail. For an `error` of our own code, the first occurrence logs its traceback.
        """
        with self._lock:
            key = (kind, peer)
            if key not in self._counts and len(self._counts) >= MOST_KINDS:
                key = (OTHERS, "")
            self._counts[key] += 1
            count = self._counts[key]
        if not _is_power(count):
            return
        line = ": ".join(printable(part) for part in (kind, peer, told) if part)
        if count == 1:
            level = logging.WARNING if error is None else logging.ERROR
            self._log.log(level, "%s (logged once, then counted)", line, exc_info=error)
        else:
            self._log.warning("%s (%d times by now)", line, count)

    def trace(self, kind: str, error: BaseException) -> None:
        """Log an unexpected error once with its traceback; count it by where in the source it was raised."""
        at = error.__traceback__
        while at is not None and at.tb_next is not None:
            at = at.tb_next
        place = "" if at is None else f"{at.tb_frame.f_code.co_name}:{at.tb_lineno}"
        self.note(kind, f"{type(error).__name__} in {place}", error=error)


def printable(text: str) -> str:
    """Return a text from outside as one short line of printable characters."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text[:LONGEST])


def _is_power(count: int) -> bool:
    """Whether a count is 1, 10, 100 and so on."""
    while count % FACTOR == 0:
        count //= FACTOR
    return count == 1
