"""The bus between the table and the services around it: messages over a Unix socket or an MQTT broker.

May import config, messages, findings and below. Enter at `connect.serve` and `connect.join`.
"""

from companion.devices.bus.address import Address, BrokerAddress, SocketAddress, find_address, parse_address
from companion.devices.bus.connect import join, reachable, serve
from companion.devices.bus.protocol import LONGEST_LINE, BusClient, BusError, BusPeer, BusServer
from companion.devices.bus.silence import CHECK_EVERY, LOST, SilenceTimer

__all__ = [
    "CHECK_EVERY",
    "LONGEST_LINE",
    "LOST",
    "Address",
    "BrokerAddress",
    "BusClient",
    "BusError",
    "BusPeer",
    "BusServer",
    "SilenceTimer",
    "SocketAddress",
    "find_address",
    "join",
    "parse_address",
    "reachable",
    "serve",
]
