"""Open either end of either kind of bus. Only a broker makes this import the modules for MQTT."""

from __future__ import annotations

from collections.abc import Callable

from companion.devices.bus.address import Address, SocketAddress
from companion.devices.bus.protocol import BusClient, BusPeer, BusServer, OnMessage, OnPeerMessage, ignore, ignore_peer
from companion.devices.bus.socket_path import why_unreachable
from companion.devices.bus.unix_socket import UnixClient, UnixServer


def serve(
    address: Address,
    on_message: OnPeerMessage,
    on_joined: Callable[[BusPeer], None] = ignore_peer,
    on_left: Callable[[BusPeer], None] = ignore_peer,
) -> BusServer:
    """Open the table's end of a bus; raise `BusError` if a socket cannot be opened.

    This retries a missing broker for ever; `BusServer.said` names the problem. Threads of the bus call
    `on_message(peer, message)`, `on_joined(peer)` and `on_left(peer)`.
    """
    if isinstance(address, SocketAddress):
        return UnixServer(address.path, on_message, on_joined, on_left)
    from companion.devices.bus.mqtt_server import MqttServer

    return MqttServer(address, on_message, on_joined, on_left)


def join(
    address: Address,
    service: str,
    on_message: OnMessage,
    on_joined: Callable[[], None] = ignore,
    on_left: Callable[[], None] = ignore,
) -> BusClient:
    """Open a service's end of a bus, which tries to reach the table for ever and reconnects after every loss.

    `service` is our own name: `buttons`, `camera` or `doctor`. A thread of the bus calls the functions.
    """
    if isinstance(address, SocketAddress):
        return UnixClient(address.path, service, on_message, on_joined, on_left)
    from companion.devices.bus.mqtt_client import MqttClient

    return MqttClient(address, service, on_message, on_joined, on_left)


def reachable(address: Address, service: str = "doctor") -> str:
    """Return why no table can be reached on a bus, as a sentence for the doctor; empty if one can.

    This waits at most a few seconds for a broker, which sees us as `service`.
    """
    if isinstance(address, SocketAddress):
        return why_unreachable(address.path)
    from companion.devices.bus.mqtt_client import why_broker_unreachable

    return why_broker_unreachable(address, service)
