"""Count repeated events by kind, to report them a few times instead of each time."""

from __future__ import annotations

import threading
from collections import Counter

MOST_KINDS = 64
"""Number of kinds counted separately; all others are counted together."""
FACTOR = 10
"""A kind is reported again each time its count has grown by this factor."""


class Occurrences:
    """Counts by kind; all kinds beyond `most` share the name `others`. Any thread may call its methods."""

    def __init__(self, others: str, most: int = MOST_KINDS) -> None:
        self._others, self._most = others, most
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def add(self, kind: str) -> tuple[str, int]:
        """Count a kind; return the kind as counted, and its count at the 1st, 10th, 100th, … time, else 0."""
        with self._lock:
            if kind not in self._counts and len(self._counts) >= self._most:
                kind = self._others
            self._counts[kind] += 1
            count = self._counts[kind]
        return kind, count if _is_power(count) else 0


def origin(error: BaseException) -> str:
    """Return an error's type and the place in the source that raised it."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    place = "" if at is None else f"{at.tb_frame.f_code.co_name}:{at.tb_lineno}"
    return f"{type(error).__name__} in {place}"


def _is_power(count: int) -> bool:
    while count % FACTOR == 0:
        count //= FACTOR
    return count == 1
