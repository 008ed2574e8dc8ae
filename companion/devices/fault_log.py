"""Log a fault once, then count it: a peer that repeats a fault must not fill the log."""

from __future__ import annotations

import logging
import threading
from collections import Counter

MOST = 64
"""Kinds of faults and peers that are told apart; further ones are counted together."""
LONGEST = 200
"""Characters of one line that came from outside."""
OTHERS = "further faults on the bus"
TIMES = 10
"""A fault is logged again each time that its count has grown so many times."""


class FaultLog:
    """Counts faults by kind and peer. Any thread may call it."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._counts: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()

    def note(self, kind: str, peer: str, told: str = "", error: BaseException | None = None) -> None:
        """Log a fault the first time, and then at its 10th, 100th, … time with the count.

        `told` is the detail; of an `error` of our own the traceback is logged, the first time.
        """
        with self._lock:
            key = (kind, peer)
            if key not in self._counts and len(self._counts) >= MOST:
                key = (OTHERS, "")
            self._counts[key] += 1
            count = self._counts[key]
        if not _is_power(count):
            return
        line = ": ".join(shown(part) for part in (kind, peer, told) if part)
        if count == 1:
            level = logging.WARNING if error is None else logging.ERROR
            self._log.log(level, "%s (logged once, then counted)", line, exc_info=error)
        else:
            self._log.warning("%s (%d times by now)", line, count)

    def trace(self, kind: str, error: BaseException) -> None:
        """Log an error that nobody expected, once with its traceback, and count it by its place in the source."""
        at = error.__traceback__
        while at is not None and at.tb_next is not None:
            at = at.tb_next
        place = "" if at is None else f"{at.tb_frame.f_code.co_name}:{at.tb_lineno}"
        self.note(kind, f"{type(error).__name__} in {place}", error=error)


def shown(text: str) -> str:
    """Return a text from outside as one short line of printable characters."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text[:LONGEST])


def _is_power(count: int) -> bool:
    """Whether a count is 1, 10, 100 and so on."""
    while count % TIMES == 0:
        count //= TIMES
    return count == 1
