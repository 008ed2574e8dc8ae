"""The bus between the table and the services around it. Knows no meaning."""

from companion.devices.bus.address import Address, Broker, Local, address, parsed
from companion.devices.bus.connect import join, reachable, serve
from companion.devices.bus.protocol import LONGEST_LINE, BusError, Client, Peer, Server
from companion.devices.bus.silence import Silence

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
