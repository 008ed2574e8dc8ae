"""Places for streams: how many may be open at once, which are reserved, and which give way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from web.serving.slow_clients.pushed_streams import PushedStream

OF_TOKEN = 8
"""Streams per page address on one channel: a phone, its reloads and a few tabs."""
RESERVED = {"players": 128, "table": 32, "watch": 64}
"""Concurrent streams of seats and the host, of shared tablets, and of spectators. None uses another's places."""
KNOWN = 4096
"""Tokens whose order of arrival is remembered."""


class StreamsFull(Exception):
    """No more streams for this viewer."""


P = TypeVar("P", bound=PushedStream)


class StreamPlaces:
    """Assigns places to streams. Used by the hub only, under its lock."""

    def __init__(self) -> None:
        self._order: dict[str, int] = {}
        self._next = 0

    def admit(self, new: P, there: Iterable[P], own: Iterable[P]) -> list[P]:
        """Return the open streams that must end for a new one; raise `StreamsFull` if it gets no place.

        `own` are the streams of the same channel. A seat, a host and a shared tablet always get a place beside their
        own older streams. If all places of a kind are taken, or one address has half of them, the token that came first
        keeps its place. Addresses do not matter for seats and hosts.
        """
        age = self._age(new.token)
        mine = [each for each in own if each.token == new.token and not each.ended]
        if len(mine) >= OF_TOKEN:
            if new.role == "watch":
                raise StreamsFull
            return [mine[0]]
        pool = [each for each in there if kind(each.role) == kind(new.role) and not each.ended]
        most = RESERVED[kind(new.role)]
        if len(pool) >= most:
            return [self._younger(pool, age)]
        if kind(new.role) != "players" and new.address:
            near = [each for each in pool if each.address == new.address]
            if len(near) >= max(1, most // 2):
                return [self._younger(near, age)]
        return []

    def forget(self) -> None:
        """Forget all tokens: another match is on the table."""
        self._order.clear()

    def _younger(self, taken: list[P], age: int) -> P:
        """Return the stream of the newest token, if it is newer than this one; raise `StreamsFull`."""
        youngest = max(taken, key=lambda each: self._order.get(each.token, self._next))
        if self._order.get(youngest.token, self._next) <= age:
            raise StreamsFull
        return youngest

    def _age(self, token: str) -> int:
        """Return a token's position in the order of arrival."""
        if token in self._order:
            return self._order[token]
        self._next += 1
        if len(self._order) < KNOWN:
            self._order[token] = self._next
        return self._next


def kind(role: str) -> str:
    """Return a role's kind of places."""
    return role if role in ("table", "watch") else "players"
