"""The two ends of a bus, whichever kind it is."""

from __future__ import annotations

from collections.abc import Callable

from companion.bus.address import Address
from companion.bus.local import LocalClient, LocalServer, unreachable
from companion.bus.peers import Client, Heard, HeardFrom, Peer, Server, nobody, nothing


def serve(
    address: Address, heard: HeardFrom, joined: Callable[[Peer], None] = nobody, left: Callable[[Peer], None] = nobody
) -> Server:
    """Open the table's end of a bus; raise `BusError` where that cannot be.

    `heard(peer, message)`, `joined(peer)` and `left(peer)` are called in threads of the bus.
    """
    return LocalServer(address.path, heard, joined, left)


def join(
    address: Address,
    service: str,
    heard: Heard,
    joined: Callable[[], None] = nothing,
    left: Callable[[], None] = nothing,
) -> Client:
    """Open a service's end of a bus; it looks for the table until it is there, and again whenever it was gone.

    `service` is who we are: `buttons` or `camera`. The functions are called in a thread of the bus.
    """
    return LocalClient(address.path, service, heard, joined, left)


def reachable(address: Address) -> str:
    """Return why no table can be reached on a bus, as a sentence for a doctor; nothing where one can."""
    return unreachable(address.path)
