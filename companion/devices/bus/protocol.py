"""What the two kinds of bus have in common: the shapes of their ends, their limits and their error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.messages import AnyMessage, Message

LONGEST_LINE = 64 * 1024
"""Bytes of one message at most; who sends more is cut off."""
SLOW = 2.0
"""Seconds after which a service that takes nothing is cut off: it must not hold up the table."""


class BusError(ValueError):
    """The bus cannot be opened; the message says why and what to do."""


class BusPeer(Protocol):
    """A service, as the table's end of the bus knows it."""

    @property
    def service(self) -> str:
        """Who it is: `buttons`, `camera`; empty as long as it has not said so."""
        ...

    @property
    def process(self) -> int:
        """The id of its process on this machine; 0 where it is unknown."""
        ...

    @property
    def unheard(self) -> bool:
        """Whether something of it has arrived that is not dealt with yet."""
        ...

    def send(self, message: Message) -> bool:
        """Send a message; False where the other end is gone or takes nothing."""
        ...


class BusServer(Protocol):
    """The table's end. `said` is what is wrong with the bus, as a sentence; empty while all is well."""

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
    """A service's end. It looks for the table again and again."""

    @property
    def said(self) -> str:
        """What is wrong with the bus, as a sentence; empty while all is well."""
        ...

    def send(self, message: Message) -> bool:
        """Send a message to the table; False where it is not there."""
        ...

    def close(self) -> None:
        """Leave the bus."""
        ...


Heard = Callable[[AnyMessage], None]
"""Called with every message of the table, in a thread of the bus."""
HeardFrom = Callable[[BusPeer, AnyMessage], None]
"""Called with every message of a service, in a thread of the bus."""


def nobody(peer: BusPeer) -> None:
    """Care about nobody who comes or goes."""


def nothing() -> None:
    """Care about nothing."""
