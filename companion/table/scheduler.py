"""A thread that triggers the table's due rulings."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from companion.messages import SECOND

Clock = Callable[[], int]
"""Nanoseconds of CLOCK_MONOTONIC."""
LOG = logging.getLogger(__name__)


class Scheduler:
    """Calls `work` whenever `clock` reaches the moment set by `wake_at`.

    Without `start` there is no thread: the owner of the clock calls `Table.tick`.
    """

    def __init__(self, clock: Clock, work: Callable[[], None]) -> None:
        self.clock = clock
        self._work = work
        self._changed = threading.Condition()
        self._due: int | None = None
        self._closed = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread."""
        self._thread = threading.Thread(target=self._run, name="scheduler", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()

    def wake_at(self, due: int | None) -> None:
        """Set the moment at which work is due; None means no work."""
        with self._changed:
            if due != self._due:
                self._due = due
                self._changed.notify_all()

    def _run(self) -> None:
        """Repeatedly wait for the due moment and do the work."""
        while True:
            with self._changed:
                if self._closed:
                    return
                left = None if self._due is None else (self._due - self.clock()) / SECOND
                if left is None or left > 0:
                    self._changed.wait(left)
                    continue
                self._due = None
            try:
                self._work()
            except Exception:
                LOG.exception("a ruling could not be made")
