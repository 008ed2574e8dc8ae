"""Clocks: how far a page's word about a moment is believed. The server measures each page's way itself.

A page measures how its own clock stands to ours and says of a press when it was, in our time. It may be mistaken, or
lie: so no press counts as earlier than its arrival less the longest way that we have measured for that page lately.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence

from companion.messages import MILLISECOND, SECOND, Contact, Press

FARTHEST = 400 * MILLISECOND
"""No press counts as earlier than so long before it arrived."""
TRIPS = 8
"""Round trips of a page that are remembered: the last ones."""
PAGES = 256
"""Pages that are remembered: those that asked last."""
STALE = 2 * SECOND
"""A page that comes back so much later has measured nothing: it slept, or began anew."""
NONCE = 8
"""Bytes of what a page must send back; who does not know it has not had our answer."""


def judged(stamp: int | None, arrival: int, trips: Sequence[int]) -> tuple[int, int]:
    """Return when a press was and how uncertain that is to either side, all in nanoseconds of our clock.

    `stamp` is when the page says (None: it does not know), `trips` are its round trips as we measured them.
    """
    if stamp is None or not trips:
        return arrival, FARTHEST
    bound = min(max(trips), FARTHEST)
    return min(arrival, max(stamp, arrival - bound)), min(min(trips), FARTHEST) // 2


class Way:
    """What is known of one page: its round trips, what it must send back, and its last press."""

    def __init__(self) -> None:
        self.trips: deque[int] = deque(maxlen=TRIPS)
        self.nonce = ""
        self.sent = 0
        self.stamp = ""
        self.closed = 0


class Clocks:
    """The ways of all pages. Any thread may ask; `clock` gives nanoseconds of CLOCK_MONOTONIC."""

    def __init__(self, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self.clock = clock
        self._ways: OrderedDict[str, Way] = OrderedDict()
        self._lock = threading.Lock()

    def _way(self, page: str) -> Way:
        """Return what is known of a page, making room for it where it is new."""
        way = self._ways.get(page)
        if way is None:
            way = self._ways[page] = Way()
            while len(self._ways) > PAGES:
                self._ways.popitem(last=False)
        self._ways.move_to_end(page)
        return way

    def answer(self, page: str, nonce: str) -> tuple[int, str]:
        """Return what time it is, and what the page must send back at once for its way to be measured."""
        now, fresh = self.clock(), secrets.token_hex(NONCE)
        with self._lock:
            way = self._way(page)
            if nonce and nonce == way.nonce and now - way.sent < STALE:
                way.trips.append(now - way.sent)
            way.nonce = fresh
            way.sent = now = self.clock()
        return now, fresh

    def trips(self, page: str) -> tuple[int, ...]:
        """Return a page's round trips, in nanoseconds."""
        with self._lock:
            way = self._ways.get(page)
            return () if way is None else tuple(way.trips)

    def press(self, page: str, seat: int, contact: Contact, stamp: str, since: str, arrival: int) -> Press | None:
        """Return a press from a page; None for a hold whose closing we have not heard of.

        `stamp` is when it was by the page, in our nanoseconds as text, empty where it does not know; for a hold `since`
        is the stamp of the closing.
        """
        at, within = judged(int(stamp) if stamp else None, arrival, self.trips(page))
        with self._lock:
            way = self._way(page)
            if contact == "closed":
                way.stamp, way.closed = stamp, at
                return Press(seat, at, source="screen", within=within)
            if not way.closed or way.stamp != since:
                return None
            return Press(seat, max(at, way.closed), contact, way.closed, "screen", within)
