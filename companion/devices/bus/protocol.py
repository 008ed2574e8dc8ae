"""The common parts of both kinds of bus: the protocols of their ends, their limits and their error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.messages import AnyMessage, Message

LONGEST_LINE = 64 * 1024
"""Largest message in bytes; a peer that sends more is disconnected."""
SLOW = 2.0
"""Seconds after which a peer that accepts nothing is disconnected, so that it cannot delay the table."""


class BusError(ValueError):
    """The bus cannot be opened; the message gives the reason and the fix."""


class BusPeer(Protocol):
    """A service as the table's end of the bus sees it."""

    @property
    def service(self) -> str:
        """Its name: `buttons`, `camera`; empty until its first message."""
        ...

    @property
    def process(self) -> int:
        """Its process id on this machine; 0 if unknown."""
        ...

    @property
    def unheard(self) -> bool:
        """Whether an unhandled message from it has arrived."""
        ...

    def send(self, message: Message) -> bool:
        """Send a message; return False if the other end is gone or does not accept it."""
        ...


class BusServer(Protocol):
    """The table's end."""

    @property
    def said(self) -> str:
        """The bus's problem as a sentence; empty if there is none."""
        ...

    def send(self, message: Message) -> None:
        """Send a message to every service."""
        ...

    def close(self) -> None:
        """Leave the bus."""
        ...


class BusClient(Protocol):
    """A service's end. It reconnects to the table after every loss."""

    @property
    def said(self) -> str:
        """The bus's problem as a sentence; empty if there is none."""
        ...

    def send(self, message: Message) -> bool:
        """Send a message to the table; return False if there is no table."""
        ...

    def close(self) -> None:
        """Leave the bus."""
        ...


OnMessage = Callable[[AnyMessage], None]
"""Called with every message of the table, in a thread of the bus."""
OnPeerMessage = Callable[[BusPeer, AnyMessage], None]
"""Called with every message of a service, in a thread of the bus."""


def ignore_peer(peer: BusPeer) -> None:
    """Ignore services that come or go."""


def ignore() -> None:
    """Do nothing."""
