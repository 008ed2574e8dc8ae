"""Clocks of pages: how far to trust a page's time of a press.

A page measures the offset between its clock and ours, and sends the time of a press in our time. That time may be wrong
or forged, so no press counts as earlier than its arrival minus the page's longest recent round trip, as measured here.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from companion.messages import MILLISECOND, SECOND, Contact, Press

FARTHEST = 400 * MILLISECOND
"""The longest time before its arrival at which a press may count."""
TRIPS = 8
"""The number of latest round trips to keep for each page."""
PAGES = 16
"""The number of pages to keep for each seat: those that asked last. A seat's pages never displace another seat's."""
SEATS = 64
"""The number of seats to keep: those of this match and of earlier ones."""
STALE = 2 * SECOND
"""Seconds after which an answer comes too late to count: the page slept, or was reloaded."""
NONCE = 8
"""Bytes that a page must echo to prove that it received our answer."""


def press_time(stamp: int | None, arrival: int, trips: Sequence[int]) -> tuple[int, int]:
    """Return the time of a press and its uncertainty either way, all in nanoseconds of our clock.

    `stamp` is the page's time (None: unknown), `trips` are its round trips as we measured them.
    """
    if stamp is None or not trips:
        return arrival, FARTHEST
    bound = min(max(trips), FARTHEST)
    return min(arrival, max(stamp, arrival - bound)), min(min(trips), FARTHEST) // 2


class ScreenPress(NamedTuple):
    """A press as a page sends it.

    `stamp` is the page's time in our nanoseconds as text, empty if unknown; for a hold, `since` is the stamp of the
    closing. `arrival` is when it came, in nanoseconds.
    """

    contact: Contact
    stamp: str
    since: str
    arrival: int


class PageDelay:
    """One page's round trips, the nonce that it must echo, and its last press."""

    def __init__(self) -> None:
        self.trips: deque[int] = deque(maxlen=TRIPS)
        self.nonce = ""
        self.sent = 0
        self.stamp = ""
        self.closed = 0


class PageClocks:
    """The delays of all pages. Any thread may ask; `clock` gives nanoseconds of CLOCK_MONOTONIC."""

    def __init__(self, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self.clock = clock
        self._seats: OrderedDict[str, OrderedDict[str, PageDelay]] = OrderedDict()
        self._lock = threading.Lock()

    def _delay(self, seat: str, page: str) -> PageDelay:
        """Return the record of a seat's page, evicting an old one if needed."""
        return recently_used(recently_used(self._seats, seat, OrderedDict, SEATS), page, PageDelay, PAGES)

    def fresh(self) -> tuple[int, str]:
        """Return the time, and a nonce that measures nothing: for pages that never press."""
        return self.clock(), secrets.token_hex(NONCE)

    def answer(self, seat: str, page: str, nonce: str) -> tuple[int, str]:
        """Return the time, and a nonce that the page must echo at once to measure its round trip.

        `seat` is a `seat_key`, `page` names one page of it.

        """
        now, fresh = self.fresh()
        with self._lock:
            delay = self._delay(seat, page)
            if nonce and nonce == delay.nonce and now - delay.sent < STALE:
                delay.trips.append(now - delay.sent)
            delay.nonce = fresh
            delay.sent = now = self.clock()
        return now, fresh

    def trips(self, seat: str, page: str) -> tuple[int, ...]:
        """Return a page's round trips, in nanoseconds."""
        with self._lock:
            delay = self._seats[seat].get(page) if seat in self._seats else None
            return () if delay is None else tuple(delay.trips)

    def press(self, match: str, seat: int, page: str, press: ScreenPress) -> Press | None:
        """Return a page's press for the referee; None for a hold whose closing never arrived."""
        key = seat_key(match, seat)
        stamp = int(press.stamp) if press.stamp else None
        at, within = press_time(stamp, press.arrival, self.trips(key, page))
        with self._lock:
            delay = self._delay(key, page)
            if press.contact == "closed":
                delay.stamp, delay.closed = press.stamp, at
                return Press(seat, at, source="screen", within=within)
            if not delay.closed or delay.stamp != press.since:
                return None
            return Press(seat, max(at, delay.closed), press.contact, delay.closed, "screen", within)


def seat_key(match: str, seat: int) -> str:
    """Return the name that groups a seat's pages."""
    return f"{match}/{seat}"


V = TypeVar("V")


def recently_used(cache: OrderedDict[str, V], key: str, make: Callable[[], V], most: int) -> V:
    """Return the value of a key, made if new; the least recently used one is then evicted."""
    value = cache.get(key)
    if value is None:
        value = cache[key] = make()
        while len(cache) > most:
            cache.popitem(last=False)
    cache.move_to_end(key)
    return value
