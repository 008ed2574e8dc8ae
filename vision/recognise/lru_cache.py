"""A cache of computed values, bounded by their size in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Values by their keys; what was not asked for longest is forgotten first. For several threads."""

    def __init__(self, most: int, size: Callable[[V], int]) -> None:
        """Keep at most so many bytes; size: how many a value takes."""
        self._most, self._size = most, size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()
        self.taken = 0
        """Bytes that are taken now."""

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return the value of a key, made where there is none; two threads may both make it, and one is kept."""
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
