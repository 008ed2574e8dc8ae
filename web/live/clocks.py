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
from typing import TypeVar

from companion.messages import MILLISECOND, SECOND, Contact, Press

FARTHEST = 400 * MILLISECOND
"""No press counts as earlier than so long before it arrived."""
TRIPS = 8
"""Round trips of a page that are remembered: the last ones."""
PAGES = 16
"""Pages of one seat that are remembered: those that asked last. A seat's pages never push another seat's out."""
SEATS = 64
"""Seats that are remembered: those of this match and of matches before it."""
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


class PageDelay:
    """What is known of one page: its round trips, what it must send back, and its last press."""

    def __init__(self) -> None:
        self.trips: deque[int] = deque(maxlen=TRIPS)
        self.nonce = ""
        self.sent = 0
        self.stamp = ""
        self.closed = 0


class PageClocks:
    """The ways of all pages. Any thread may ask; `clock` gives nanoseconds of CLOCK_MONOTONIC."""

    def __init__(self, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self.clock = clock
        self._seats: OrderedDict[str, OrderedDict[str, PageDelay]] = OrderedDict()
        self._lock = threading.Lock()

    def _way(self, seat: str, page: str) -> PageDelay:
        """Return what is known of a seat's page, making room for it where it is new."""
        ways = kept(self._seats, seat, OrderedDict, SEATS)
        return kept(ways, page, PageDelay, PAGES)

    def fresh(self) -> tuple[int, str]:
        """Return what time it is, and a nonce that measures nothing: for pages that never press."""
        return self.clock(), secrets.token_hex(NONCE)

    def answer(self, seat: str, page: str, nonce: str) -> tuple[int, str]:
        """Return what time it is, and what the page must send back at once for its way to be measured.

        `seat` names the match and its seat, `page` one page of it.
        """
        now, fresh = self.fresh()
        with self._lock:
            way = self._way(seat, page)
            if nonce and nonce == way.nonce and now - way.sent < STALE:
                way.trips.append(now - way.sent)
            way.nonce = fresh
            way.sent = now = self.clock()
        return now, fresh

    def trips(self, seat: str, page: str) -> tuple[int, ...]:
        """Return a page's round trips, in nanoseconds."""
        with self._lock:
            way = self._seats[seat].get(page) if seat in self._seats else None
            return () if way is None else tuple(way.trips)

    def press(
        self, match: str, page: str, seat: int, contact: Contact, stamp: str, since: str, arrival: int
    ) -> Press | None:
        """Return a press from a page; None for a hold whose closing we have not heard of.

        `stamp` is when it was by the page, in our nanoseconds as text, empty where it does not know; for a hold `since`
        is the stamp of the closing.
        """
        whose = seat_in(match, seat)
        at, within = judged(int(stamp) if stamp else None, arrival, self.trips(whose, page))
        with self._lock:
            way = self._way(whose, page)
            if contact == "closed":
                way.stamp, way.closed = stamp, at
                return Press(seat, at, source="screen", within=within)
            if not way.closed or way.stamp != since:
                return None
            return Press(seat, max(at, way.closed), contact, way.closed, "screen", within)


def seat_in(match: str, seat: int) -> str:
    """Return the name under which a seat's pages are remembered."""
    return f"{match}/{seat}"


V = TypeVar("V")


def kept(found: OrderedDict[str, V], key: str, make: Callable[[], V], most: int) -> V:
    """Return what lies under a key, made where it is new; the one that was used least lately gives way to it."""
    value = found.get(key)
    if value is None:
        value = found[key] = make()
        while len(found) > most:
            found.popitem(last=False)
    found.move_to_end(key)
    return value
