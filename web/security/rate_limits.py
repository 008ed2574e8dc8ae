"""Limits on how often one may post: a quota for each player's token, and for each address."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from companion.threads.quotas import Quotas, Rate
from web.security.client_network import client_network

PLAYER = Rate(200, 50)
"""The quota of posts from the page of one seat, host or shared tablet. A fast finger presses ten times a second,
with two posts for each press; a demonstration's programs send some 30 a second.
"""
ADDRESS = Rate(120, 4)
"""The quota of posts from one address without such a page. Six people behind one address who join, choose a language
and mistype their PINs send some 50 within minutes.
"""
UNBOUNDED = Rate(math.inf, 0)


class Rates:
    """Counts posts. Any thread may call it; `clock` gives seconds."""

    def __init__(
        self, player: Rate = PLAYER, address: Rate = ADDRESS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.player = Quotas(player, clock).take
        """Whether a player's page may post now, by its token; counts the post if so."""
        self._addresses = Quotas(address, clock)

    def address(self, address: str, count: float = 1) -> bool:
        """Whether an address without a player's page may post now; counts the post if so. A count of -1 gives one
        back.
        """
        return self._addresses.take(client_network(address), count)
