"""What one sender may use up, so that nobody else goes short: messages in a time, places, turns at a long sum."""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

KNOWN = 1024
"""Senders to remember: those that sent last."""
T = TypeVar("T")


class Rate(NamedTuple):
    """So many at once, and so many per second in the long run."""

    burst: float
    second: float


class QuotaExceeded(Exception):
    """A sender has used up what it has, or all places are taken by others who have no more than their share."""


class Quotas:
    """A quota for each sender, which fills again. Any thread may ask; `clock` gives seconds."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, sender: str, count: float = 1) -> bool:
        """Whether a sender may do something now; counts it if so. A `count` of -1 gives one back."""
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
    """Return which place is given up for a newcomer: the first one of the sender who holds most. None: there is room.

    `held` are places and who holds them. Raises `QuotaExceeded` unless that sender holds at least `margin` more than
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
    """Lets one thread at a time work on a long sum, so that pages go on; few may wait for it, of each sender fewer."""

    def __init__(self, most: int, each: int, kept: int = 0) -> None:
        """Return turns for which `most` may wait, `each` of one sender; `kept` further places are for the trusted."""
        self._most, self._each, self._kept = most, each, kept
        self._waiting: Counter[str] = Counter()
        self._lock, self._turn = threading.Lock(), threading.Lock()

    @contextmanager
    def turn(self, sender: str, trusted: bool = False) -> Iterator[None]:
        """Wait for a turn and hold it; raise `QuotaExceeded` at once where no place is left to wait."""
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
                self._waiting += Counter()  # forgets who waits no more
