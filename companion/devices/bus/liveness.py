"""Measure how long a service has been silent, except while it could not run or we could not listen."""

from __future__ import annotations

import os
from collections.abc import Callable

from companion.devices.bus.kernel_readings import Threads, read_threads
from companion.devices.bus.protocol import BusPeer
from companion.messages import SECOND

LOST = int(1.5 * SECOND)
"""A service silent for this long is lost; it sends a message at least twice a second."""
CHECK_EVERY = 0.25
"""Seconds between checks for a lost service."""
FORGIVEN = 8 * SECOND
"""Waiting for the processor excuses silence for at most this long; a slower service is useless."""
SUSPECT = 750_000_000
"""Nanoseconds of silence after which a process is examined; a service sends a message at least twice a second."""


class SilenceTimer:
    """Measures the silence of one service. Callers must hold their own lock.

    `every`: seconds between two calls of `look`. A late call means that we could not run and so could not listen: at
    most twice this time then counts.
    """

    def __init__(self, clock: Callable[[], int], every: float) -> None:
        self._clock = clock
        self._most = round(2 * every * SECOND)
        self._looked = clock()
        self._silent = self._waited = 0
        self._threads: Threads = {}

    def restart(self) -> None:
        """Restart the measurement after a message from the service."""
        self._looked = self._clock()
        self._silent = self._waited = 0
        self._threads = {}

    def look_at(self, peer: BusPeer | None) -> int:
        """Return the nanoseconds of silence of a service, even one that the bus does not know."""
        return self.look() if peer is None else self.look(peer.unheard, peer.process)

    def look(self, unheard: bool = False, process: int = 0) -> int:
        """Return the nanoseconds of silence so far.

        `unheard`: an unhandled message from the service has arrived. `process`: its id on this machine, or 0 if
        unknown; time in which it waited for a processor does not count. Our own process is running, so it is not
        examined.
        """
        if unheard:
            self.restart()
            return 0
        now = self._clock()
        passed = min(now - self._looked, self._most)
        self._looked = now
        self._silent += passed
        if process not in (0, os.getpid()) and self._silent >= SUSPECT:
            threads = read_threads(process)
            if self._threads:
                # The longest wait of any thread ready to run: the others may depend on that one.
                ran = {thread: ran - self._threads.get(thread, (False, 0))[1] for thread, (_, ran) in threads.items()}
                self._waited += max([0, *[passed - ran[thread] for thread, (ready, _) in threads.items() if ready]])
            self._threads = threads
        return self._silent - min(self._waited, FORGIVEN)
