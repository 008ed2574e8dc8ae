"""Limit what one sender may use, so that enough is left for others: messages per time, places, long calculations."""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

KNOWN = 1024
"""Number of senders to remember: the most recent ones."""
T = TypeVar("T")


class Rate(NamedTuple):
    """The number allowed at once, and the number per second in the long run."""

    burst: float
    second: float


class QuotaExceeded(Exception):
    """A sender has used up its quota, or others hold all places without exceeding their share."""


class Quotas:
    """A quota for each sender that refills with time. Any thread may ask; `clock` returns seconds."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, sender: str, count: float = 1) -> bool:
        """Return whether a sender may act now, and count it if so. A `count` of -1 gives one back."""
        with self._lock:
            now = self._clock()
            left, last = self._left.get(sender, (self._rate.burst, now))
            left = min(self._rate.burst, left + (now - last) * self._rate.second)
            allowed = left >= count
            self._left[sender] = (min(self._rate.burst, left - count) if allowed else left, now)
            self._left.move_to_end(sender)
            if len(self._left) > KNOWN:
                self._left.popitem(last=False)
            return allowed


def who_gives_way(held: Sequence[tuple[T, str]], sender: str, most: int, margin: int = 1) -> T | None:
    """Return the place that a newcomer takes over: the first one of the sender with the most. None: there is room.

    `held` are places with their holders. Raises `QuotaExceeded` unless that sender holds at least `margin` more than
    the newcomer.
    """
    if len(held) < most:
        return None
    counts = Counter([who for _, who in held])
    greediest = max(counts, key=counts.__getitem__, default=sender)
    if counts[greediest] < counts[sender] + margin:
        raise QuotaExceeded
    return next(place for place, who in held if who == greediest)


class Turns:
    """Lets one thread at a time do a long calculation, to keep pages responsive, and limits waiting threads."""

    def __init__(self, most: int, each: int, kept: int = 0) -> None:
        """Allow `most` threads to wait, `each` of one sender; `kept` further places are for trusted senders."""
        self._most, self._each, self._kept = most, each, kept
        self._waiting: Counter[str] = Counter()
        self._lock, self._turn = threading.Lock(), threading.Lock()

    @contextmanager
    def turn(self, sender: str, trusted: bool = False) -> Iterator[None]:
        """Wait for a turn and hold it; raise `QuotaExceeded` at once if no waiting place is left."""
        with self._lock:
            full = self._waiting.total() >= self._most + self._kept * trusted
            if full or self._waiting[sender] >= self._each:
                raise QuotaExceeded
            self._waiting[sender] += 1
        try:
            with self._turn:
                yield
        finally:
            with self._lock:
                self._waiting[sender] -= 1
                self._waiting += Counter()  # drops senders that no longer wait
