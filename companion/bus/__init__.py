"""The bus between the table and the services around it. Knows no meaning."""

from companion.bus.address import Address, Broker, Local, address, parsed
from companion.bus.ends import join, reachable, serve
from companion.bus.peers import LONGEST_LINE, BusError, Client, Peer, Server
from companion.bus.silence import Silence

__all__ = [
    "LONGEST_LINE",
    "Address",
    "Broker",
    "BusError",
    "Client",
    "Local",
    "Peer",
    "Server",
    "Silence",
    "address",
    "join",
    "parsed",
    "reachable",
    "serve",
]
