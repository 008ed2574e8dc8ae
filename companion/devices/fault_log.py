"""Log a fault once, then count it: a peer that repeats it cannot fill the log."""

from __future__ import annotations

import logging

from companion.files.untrusted import printable
from companion.threads.occurrences import MOST_KINDS, Occurrences, origin

__all__ = ["LONGEST", "LONGEST_SAID", "MOST_KINDS", "FaultLog"]

LONGEST = 200
"""Longest text from outside in one log line, before escaping."""
LONGEST_SAID = 500
"""Longest message of a service to the people at the table: some sentences."""
OTHERS = "further faults on the bus"


class FaultLog:
    """Counts faults by kind and peer. Any thread may call its methods."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._occurrences = Occurrences(OTHERS)

    def note(self, kind: str, peer: str, told: str = "", error: BaseException | None = None) -> None:
        """Log the first, 10th, 100th, … occurrence of a fault, with the count.

        `told` adds detail. The first occurrence of an `error` in our own code logs its traceback.
        """
        kind, count = self._occurrences.add(": ".join(printable(part, LONGEST) for part in (kind, peer) if part))
        if not count:
            return
        line = ": ".join(part for part in (kind, printable(told, LONGEST)) if part)
        if count == 1:
            level = logging.WARNING if error is None else logging.ERROR
            self._log.log(level, "%s (logged once, then counted)", line, exc_info=error)
        else:
            self._log.warning("%s (%d times by now)", line, count)

    def trace(self, kind: str, error: BaseException) -> None:
        """Log an unexpected error once with its traceback; count it by the place in the source that raised it."""
        self.note(kind, origin(error), error=error)
