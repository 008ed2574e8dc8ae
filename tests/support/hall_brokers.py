"""The hall's own broker for tests, and bare clients that publish and receive everything that it permits."""

from __future__ import annotations

import contextlib
import random
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.devices.bus.mosquitto import hash_password
from companion.devices.hall_link.messages import HALL
from companion.hall.broker import HallBroker
from tests.support.brokers import PATIENCE, needs_mosquitto, until

A, B = "aaaaaaaa", "bbbbbbbb"
USERS = {A: hash_password("password of a"), B: hash_password("password of b")}


def port_with_neighbour() -> int:
    """Return an unused port whose successor is also unused.

    It lies below the range from which the system assigns ports, because other tests open many of those before this one
    is used.
    """
    while True:
        port = random.randrange(20000, 32000, 2)
        with contextlib.suppress(OSError), socket.socket() as probe, socket.socket() as beside:
            probe.bind(("127.0.0.1", port))
            beside.bind(("127.0.0.1", port + 1))
            return port


def no_fault(sentence: str) -> None:
    """Raise an error if a fault is reported."""
    raise AssertionError(sentence)


class HallGuest:
    """A bare client that publishes and receives everything that the broker permits, for use as a context manager."""

    def __init__(self, hall: HallBroker, user: str, password: str = "", client: str = "", version: int = 5) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.taken: dict[int, bool] = {}
        self.agreed: set[int] = set()
        self.let_in: bool | None = None
        self.lost = False
        self._news = threading.Condition()
        self._client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client, protocol=MQTTProtocolVersion(version), reconnect_on_failure=False
        )
        if user:
            self._client.username_pw_set(user, password)
        self._client.on_connect = self._connected
        self._client.on_disconnect = self._disconnected
        self._client.on_message = self._message
        self._client.on_publish = lambda c, d, mid, reason, p: self._note(self.taken, mid, not reason.is_failure)
        self._client.on_subscribe = lambda c, d, mid, reasons, p: self._note(self.agreed, mid)
        self._client.connect(hall.address.host, hall.address.port)
        self._client.loop_start()
        self.until(lambda: self.let_in is not None)

    def say(self, topic: str, payload: bytes, retain: bool = False) -> bool:
        """Publish a message; return whether the broker accepted it."""
        mid = self.throw(topic, payload, retain)
        self.until(lambda: mid in self.taken)
        return self.taken[mid]

    def throw(self, topic: str, payload: bytes, retain: bool = False) -> int:
        """Publish without waiting."""
        return self._client.publish(topic, payload, 1, retain).mid

    def listen(self, *topics: str) -> HallGuest:
        """Subscribe, and wait until the broker has confirmed."""
        mid = self._client.subscribe([(topic, 1) for topic in topics])[1]
        self.until(lambda: mid in self.agreed)
        return self

    def until(self, true: Callable[[], object]) -> None:
        """Wait until a condition holds."""
        with self._news:
            assert self._news.wait_for(true, PATIENCE), self.heard

    def __enter__(self) -> HallGuest:
        return self

    def __exit__(self, *error: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        with self._news:
            self.let_in = not reason.is_failure
            self._news.notify_all()

    def _disconnected(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        with self._news:
            self.lost = True
            self._news.notify_all()

    def _message(self, client: Any, data: Any, message: mqtt.MQTTMessage) -> None:
        with self._news:
            self.heard.append((message.topic, bytes(message.payload)))
            self._news.notify_all()

    def _note(self, where: Any, mid: int, value: bool | None = None) -> None:
        with self._news:
            if value is None:
                where.add(mid)
            else:
                where[mid] = value
            self._news.notify_all()


def started(folder: Path, host: str, port: int) -> HallBroker:
    """Return a broker that already listens."""
    needs_mosquitto()
    found = HallBroker(folder, host, port, no_fault)
    found.set_users(USERS)
    found.start()
    until(lambda: listens(found.address.port))
    return found


def listens(port: int) -> bool:
    """Return whether anything listens on a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def hall(broker: HallBroker, **more: Any) -> HallGuest:
    """Return the hall's connection."""
    file = broker.address.password_file
    assert file is not None
    return HallGuest(broker, HALL, file.read_text().strip(), **more)


def table(broker: HallBroker, user: str = A, **more: Any) -> HallGuest:
    """Return a table's connection."""
    return HallGuest(broker, user, f"password of {user[0]}", **more)


def pid_of(broker: HallBroker) -> int:
    """Return the broker's process id once it is known; the broker may already listen shortly before."""
    until(lambda: broker._child is not None and broker._child.process is not None)
    assert broker._child is not None and broker._child.process is not None
    return broker._child.process.pid
