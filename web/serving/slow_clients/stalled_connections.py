"""Detects stalled connections, and decides which give way to newer ones."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable

from web.serving.connection import HttpConnection

HEADER, BODY = 10.0, 30.0
"""Seconds within which a request's header and a small body must be complete."""
STALLED = 10.0
"""Seconds without a byte after which a request body or a response is abandoned."""
IDLE = 30.0
"""Seconds after which an unused connection is closed."""
SLOW = 1.0
"""Seconds after which an incomplete request counts as stalled when connections run short."""
FEW = 16
"""The number of stalled connections to close together, so that a crowd of newcomers costs little."""
BROWSER = 16
"""The most connections that one person's browsers open."""
SMALL = 64 * 1024
"""Bytes of a body that must arrive within `BODY` seconds."""


def is_stalled(connection: HttpConnection, now: float) -> bool:
    """Whether a connection has stalled; `now` is in seconds of the monotonic clock."""
    quiet = now - connection.last_activity
    if connection.unsent:
        return quiet > STALLED
    if not connection.idle:
        return False
    if connection.begun is None:
        return quiet > IDLE
    if connection.length is None:
        return now - connection.begun > HEADER
    return quiet > STALLED or (connection.length <= SMALL and now - connection.begun > BODY)


def victims(connections: Iterable[HttpConnection], now: float) -> list[HttpConnection]:
    """Return the connections that give way to newer ones; none if all are working or streaming.

    Requests incomplete for a while go first, then unused connections, then answers that clients do not receive, then
    requests just begun. Among these, the longest idle goes (of stalled ones a few at once); if an address has more of
    them than a browser opens, one of the address with the most.
    """
    kinds: tuple[list[HttpConnection], ...] = ([], [], [], [])
    for each in connections:
        if each.idle:
            kinds[1 if each.begun is None else 0 if now - each.begun > SLOW else 3].append(each)
        elif not each.busy:
            kinds[2].append(each)
    found = next((kind for kind in kinds if kind), None)
    if found is None:
        return []
    address, most = Counter(each.address for each in found).most_common(1)[0]
    greedy = [each for each in found if each.address == address] if most > BROWSER else found
    return heapq.nsmallest(FEW if found is kinds[0] else 1, greedy, key=lambda each: each.last_activity)
