"""Log a fault once, then count it, so that a peer repeating a fault cannot fill the log."""

from __future__ import annotations

import logging

from companion.files.untrusted import printable
from companion.threads.occurrences import MOST_KINDS, Occurrences, origin

__all__ = ["LONGEST", "LONGEST_SAID", "MOST_KINDS", "FaultLog"]

LONGEST = 200
"""Maximum length of a text from outside in one log line, as it came."""
LONGEST_SAID = 500
"""Maximum length of what a service says to the people at the table: some sentences."""
OTHERS = "further faults on the bus"


class FaultLog:
    """Counts faults by kind and peer. Any thread may call its methods."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._occurrences = Occurrences(OTHERS)

    def note(self, kind: str, peer: str, told: str = "", error: BaseException | None = None) -> None:
        """Log a fault at its first, 10th, 100th, … occurrence, with the count.

        `told` adds detail. For an `error` of our own code, the first occurrence logs its traceback.
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
        """Log an unexpected error once with its traceback; count it by where in the source it was raised."""
        self.note(kind, origin(error), error=error)
