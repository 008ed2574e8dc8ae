"""What several threads hand to the one that waits for it. Knows neither what that is nor what is done with it.

`queue.SimpleQueue` would be it, but its `get` may wait for ever where its `timeout` passes before it has begun to wait,
as short ones do on a busy machine (seen with Python 3.11 and 3.12, not with 3.13). And whatever is handed over in a
signal's handler must not need a lock that the interrupted thread may hold, as `queue.Queue` does.
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
    """First in, first out. Anybody may put something in, at any time; one thread alone may take it out."""

    def __init__(self) -> None:
        self._items: deque[T] = deque()
        self._bell = threading.Lock()
        """Held as long as nothing has come since the last look."""
        self._bell.acquire()

    def put(self, item: T) -> None:
        """Hand something over; never waits."""
        self._items.append(item)
        with contextlib.suppress(RuntimeError):  # it rings already
            self._bell.release()

    def get(self, timeout: float = 0.0) -> T:
        """Return what came first, waiting for it for so many seconds; raise `queue.Empty` where nothing comes."""
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
        """Return how much waits to be taken out."""
        return len(self._items)
