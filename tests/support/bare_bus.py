"""A bare MQTT client for tests. It connects as one of the users, and publishes and receives everything that the
broker permits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from tests.support.brokers import Mosquitto
from tests.support.bus_ends import PATIENCE


class Bare:
    """One connection as `companion-SERVICE`, for use as a context manager."""

    def __init__(self, broker: Mosquitto, service: str, password: str | None = None) -> None:
        file: Path = broker.folder / f"{service}.password"
        self.heard: list[tuple[str, bytes]] = []
        self.taken: dict[int, bool] = {}
        self.agreed: set[int] = set()
        self.let_in: bool | None = None
        self.on_message: Callable[[str, bytes], None] = lambda topic, payload: None
        self._news = threading.Condition()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        if password != "":
            self._client.username_pw_set(f"companion-{service}", password or file.read_text().strip())
        self._client.on_connect = self._connected
        self._client.on_message = self._message
        self._client.on_publish = lambda c, d, mid, reason, p: self._note(self.taken, mid, not reason.is_failure)
        self._client.on_subscribe = lambda c, d, mid, reasons, p: self._note(self.agreed, mid)
        self._client.connect("127.0.0.1", broker.port)
        self._client.loop_start()
        self.until(lambda: self.let_in is not None)

    def say(self, topic: str, payload: bytes, retain: bool = False) -> bool:
        """Publish a message; return whether the broker accepted it."""
        mid = self._client.publish(topic, payload, 1, retain).mid
        self.until(lambda: mid in self.taken)
        return self.taken[mid]

    def throw(self, topic: str, payload: bytes) -> None:
        """Publish without waiting."""
        self._client.publish(topic, payload, 0)

    def listen(self, *topics: str) -> None:
        """Subscribe, and wait until the broker has confirmed."""
        mid = self._client.subscribe([(topic, 1) for topic in topics])[1]
        self.until(lambda: mid in self.agreed)

    def until(self, true: Callable[[], object]) -> None:
        """Wait until a condition holds."""
        with self._news:
            assert self._news.wait_for(true, PATIENCE), self.heard

    def close(self) -> None:
        """Disconnect."""
        self._client.disconnect()
        self._client.loop_stop()

    def __enter__(self) -> Bare:
        """Connect."""
        return self

    def __exit__(self, *error: object) -> None:
        """Disconnect."""
        self.close()

    def _connected(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        with self._news:
            self.let_in = not reason.is_failure
            self._news.notify_all()

    def _message(self, client: Any, data: Any, message: mqtt.MQTTMessage) -> None:
        self.on_message(message.topic, message.payload)
        with self._news:
            self.heard.append((message.topic, message.payload))
            self._news.notify_all()

    def _note(self, where: Any, mid: int, value: bool | None = None) -> None:
        with self._news:
            if value is None:
                where.add(mid)
            else:
                where[mid] = value
            self._news.notify_all()
