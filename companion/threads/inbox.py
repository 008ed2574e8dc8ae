"""A queue from several threads to one.

`queue.SimpleQueue` would be enough, but on a busy machine its `get` may wait for ever if a short `timeout` ends before
the wait begins (seen with Python 3.11 and 3.12, not with 3.13). `queue.Queue` is unsafe in signal handlers: the
interrupted thread may hold its lock.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from queue import Empty
from typing import Generic, TypeVar

T = TypeVar("T")


class Inbox(Generic[T]):
    """First in, first out. Any thread may put items in, at any time; only one thread may take them out."""

    def __init__(self) -> None:
        self._items: deque[T] = deque()
        self._bell = threading.Lock()
        """Held until the next item arrives."""
        self._bell.acquire()

    def put(self, item: T) -> None:
        """Add an item; never blocks."""
        self._items.append(item)
        with contextlib.suppress(RuntimeError):  # the lock is released already
            self._bell.release()

    def get(self, timeout: float = 0.0) -> T:
        """Return the oldest item, waiting up to `timeout` seconds; raise `queue.Empty` if there is none."""
        until = time.monotonic() + timeout
        while True:
            with contextlib.suppress(IndexError):
                return self._items.popleft()
            left = until - time.monotonic()
            if left <= 0 or not self._bell.acquire(timeout=min(left, threading.TIMEOUT_MAX)):
                break
        with contextlib.suppress(IndexError):
            return self._items.popleft()
        raise Empty

    def __len__(self) -> int:
        """Return the number of waiting items."""
        return len(self._items)
