"""A cache of computed values, bounded by their size in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Values by key that drop the least recently used first. Thread-safe."""

    def __init__(self, most: int, size: Callable[[V], int]) -> None:
        """Create an empty cache.

        most: its capacity in bytes. size: a function that returns a value's size in bytes.
        """
        self._most, self._size = most, size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()
        self.taken = 0
        """The bytes in use."""

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return a key's value, and make it if it is missing. Two threads may both make it, but only one result is
        kept."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = make()
        with self._lock:
            if key not in self._values:
                self._values[key] = value
                self.taken += self._size(value)
            while self.taken > self._most and len(self._values) > 1:
                self.taken -= self._size(self._values.popitem(last=False)[1])
        return value
