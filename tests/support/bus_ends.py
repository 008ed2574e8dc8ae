"""Ends of a bus for tests, each with a recorder (an ear) that waits for messages."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.devices.bus import Address, BusClient, BusPeer, BusServer, join, serve
from companion.messages import AnyMessage

PATIENCE = 20.0


class Ear:
    """Records all messages that one end receives, and can wait for one."""

    def __init__(self) -> None:
        self.messages: list[AnyMessage] = []
        self.joined = self.left = 0
        self.peers: list[BusPeer] = []
        self._news = threading.Condition()

    def hear(self, message: AnyMessage) -> None:
        """Record a message."""
        with self._news:
            self.messages.append(message)
            self._news.notify_all()

    def join(self, peer: BusPeer | None = None) -> None:
        """Record an arrival."""
        with self._news:
            self.joined += 1
            self.peers += [peer] if peer is not None else []
            self._news.notify_all()

    def leave(self, peer: BusPeer | None = None) -> None:
        """Record a departure."""
        with self._news:
            self.left += 1
            self._news.notify_all()

    def until(self, wanted: Callable[[], bool]) -> None:
        """Wait until a condition holds; fail after `PATIENCE`."""
        with self._news:
            assert self._news.wait_for(wanted, PATIENCE), (self.messages, self.joined, self.left)


def served(where: Address) -> tuple[BusServer, Ear]:
    """Return a table's end of the bus and its ear."""
    ear = Ear()
    return serve(where, lambda peer, message: ear.hear(message), ear.join, ear.leave), ear


def joining(where: Address, service: str = "buttons") -> tuple[BusClient, Ear]:
    """Return a service's end of the bus and its ear."""
    ear = Ear()
    return join(where, service, ear.hear, ear.join, ear.leave), ear
