"""What the two kinds of bus share: the protocols of their ends, their limits and their error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.messages import AnyMessage, Message

LONGEST_LINE = 64 * 1024
"""Maximum size of one message in bytes; a peer that sends more is disconnected."""
SLOW = 2.0
"""Seconds after which a peer that accepts nothing is disconnected, so that it cannot hold up the table."""


class BusError(ValueError):
    """The bus cannot be opened; the message gives the reason and the fix."""


class BusPeer(Protocol):
    """A service as seen by the table's end of the bus."""

    @property
    def service(self) -> str:
        """Its name: `buttons`, `camera`; empty until it has said so."""
        ...

    @property
    def process(self) -> int:
        """Its process id on this machine; 0 if unknown."""
        ...

    @property
    def unheard(self) -> bool:
        """Whether something from it has arrived that is not handled yet."""
        ...

    def send(self, message: Message) -> bool:
        """Send a message; False if the other end is gone or does not accept it."""
        ...


class BusServer(Protocol):
    """The table's end. `said` is what is wrong with the bus, as a sentence; empty if nothing is."""

    @property
    def said(self) -> str:
        """What is wrong with the bus."""
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
        """What is wrong with the bus, as a sentence; empty if nothing is."""
        ...

    def send(self, message: Message) -> bool:
        """Send a message to the table; False if the table is not there."""
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
