"""Limits on how often one may post: a bucket for each player's token, and for each address."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from web.security.client_address import client_network

KNOWN = 1024
"""Senders of each kind to remember: those that sent last."""


class Rate(NamedTuple):
    """So many at once, and so many per second in the long run."""

    burst: float
    second: float


PLAYER = Rate(200, 50)
"""Posts of one seat's, host's or shared tablet's page. A fast finger presses ten times a second, which is two posts
each; programs at a demonstration send some 30 a second."""
ADDRESS = Rate(120, 4)
"""Posts from one address without such a page. Six people behind one address who join, choose a language and mistype
their PINs send some 50 within minutes."""
UNBOUNDED = Rate(math.inf, 0)


class Rates:
    """Counts posts. Any thread may ask; `clock` gives seconds."""

    def __init__(
        self, player: Rate = PLAYER, address: Rate = ADDRESS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.clock = clock
        self._rates = {"player": player, "address": address}
        self._left: dict[str, OrderedDict[str, tuple[float, float]]] = {kind: OrderedDict() for kind in self._rates}
        self._lock = threading.Lock()

    def player(self, token: str) -> bool:
        """Whether a player's page may send something now; counts it if so."""
        return self._take("player", token)

    def address(self, address: str) -> bool:
        """Whether an address without a player's page may send something now; counts it if so."""
        return self._take("address", client_network(address))

    def _take(self, kind: str, who: str) -> bool:
        rate, left, now = self._rates[kind], self._left[kind], self.clock()
        with self._lock:
            count, last = left.get(who, (rate.burst, now))
            count = min(rate.burst, count + (now - last) * rate.second)
            allowed = count >= 1
            left[who] = (count - 1 if allowed else count, now)
            left.move_to_end(who)
            if len(left) > KNOWN:
                left.popitem(last=False)
            return allowed
