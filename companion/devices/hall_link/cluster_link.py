"""A connection to a hall's broker that moves on to the cluster's next node and reports missing confirmations."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from itertools import cycle

from msgspec.structs import replace

from companion.devices.bus.address import BrokerAddress
from companion.devices.bus.mqtt_link import MqttLink

CONFIRM_S = 5.0
"""Seconds within which a broker confirms a message; a cluster that has lost most of its nodes confirms none."""

AGAIN_S = (1.0, 60.0)
"""The first and the longest delay in seconds before a client greets a cluster again."""


class ClusterLink(MqttLink):
    """A connection to one of several nodes, tried in turn. Any confirmed message clears the reported problem."""

    def __init__(self, address: BrokerAddress, service: str, will: str) -> None:
        super().__init__(address, service, will, mqtt_5=False)
        self._first = address.host, address.port
        self._nodes = cycle([self._first, *address.others])
        self._unconfirmed: dict[int, float] = {}
        self._counting_unconfirmed = threading.Lock()
        self._greet_at, self._wait = 0.0, 0.0
        self.on_acknowledged, self.on_tick = self._confirm, self._look
        self.on_tock: Callable[[], None] = lambda: None
        """Called once a second while connected."""

    def publish(self, topic: str, payload: bytes, qos: int = 1, retain: bool = False) -> int | None:
        """Publish a message; return its number, or None if the broker is missing or does not accept it."""
        with self._counting_unconfirmed:  # the confirmation may arrive before we know the number
            number = super().publish(topic, payload, qos, retain)
            if number is not None and qos:
                self._unconfirmed[number] = time.monotonic()
        return number

    def subscribe(self, *topics: str) -> int | None:
        """Subscribe to topics without confirming each message: every important one is answered or repeated.

        With confirmations, a cluster would have to agree on a queue per topic, which fails for ten seconds after losing
        a node.
        """
        client = self._client
        return None if client is None else client.subscribe([(topic, 0) for topic in topics])[1]

    def ask(self, topic: str) -> None:
        """Have the broker confirm a message that nobody reads, unless a confirmation is already due."""
        if not self._unconfirmed:
            self.publish(topic, b"")

    def say(self, sentence: str) -> None:
        """Keep the current problem. While we try one node after another, keep the first one's."""
        if not sentence or self.connected or (self.address.host, self.address.port) == self._first:
            super().say(sentence)

    def _connect(self) -> bool:
        host, port = next(self._nodes)
        self.address = replace(self.address, host=host, port=port)
        with self._counting_unconfirmed:
            self._unconfirmed.clear()
        return super()._connect()

    def _admit(self) -> None:
        super()._admit()
        self._wait = AGAIN_S[0]
        self._greet_at = time.monotonic() + self._wait

    def _confirm(self, number: int) -> None:
        with self._counting_unconfirmed:
            self._unconfirmed.pop(number, None)
        if not self._waits_too_long():
            self.say("")

    def _look(self) -> None:
        if self._waits_too_long():
            self.say(
                f"The broker at {self.address.host}:{self.address.port} does not confirm any message: do most of its "
                "nodes run?"
            )
        if self.address.others and time.monotonic() > self._greet_at:
            # A node learns with a delay about subscribers and retained messages at other nodes: without a second
            # greeting, a message and a subscription in that gap would miss each other for good.
            self.on_connected()
            self._wait = min(2 * self._wait, AGAIN_S[1])
            self._greet_at = time.monotonic() + self._wait
        self.on_tock()

    def _waits_too_long(self) -> bool:
        with self._counting_unconfirmed:
            return bool(self._unconfirmed) and time.monotonic() - min(self._unconfirmed.values()) > CONFIRM_S
