"""A service's end of a bus at an MQTT broker; it tracks the table and resends unacknowledged presses."""

from __future__ import annotations

import itertools
import secrets
import threading
import time
from collections.abc import Callable

from companion.devices.bus.address import BrokerAddress
from companion.devices.bus.clock_sync import read_boot_id
from companion.devices.bus.liveness import SilenceTimer
from companion.devices.bus.mqtt_link import CONNECT_S, TICK_S, MqttLink
from companion.devices.bus.mqtt_topics import ALL, DOWN, HERE, SILENT, UP, publish, read_announcement, read_message
from companion.devices.bus.permissions import TABLE
from companion.devices.bus.protocol import OnMessage, ignore
from companion.messages import SECOND, ClockAsked, ClockTold, Here, Message, Press, encode

LATE = 5 * SECOND
"""Nanoseconds for which to resend a press that the lost broker did not acknowledge; drop it afterwards."""
EARLY = 32
"""Number of remembered acknowledgements that arrived before we knew their message."""


class MqttClient:
    """A service's end: connects, and reconnects once broker or table return. Callbacks run in one bus thread."""

    def __init__(
        self,
        address: BrokerAddress,
        service: str,
        on_message: OnMessage,
        on_joined: Callable[[], None] = ignore,
        on_left: Callable[[], None] = ignore,
    ) -> None:
        self.address, self.service = address, service
        self._deliver, self._joined, self._left = on_message, on_joined, on_left
        self._id, self._boot = secrets.token_hex(8), read_boot_id()
        self._numbers = itertools.count(1)
        self._table = ""  # the session of the present table
        self._silence = SilenceTimer(time.monotonic_ns, TICK_S)
        self._alone_at = 0
        self._subscribed: int | None = None
        self._announced: int | None = None
        self._admitted = False
        # The session of a table heard before the broker accepted our announcement.
        self._waiting_session = ""
        self._pending: dict[int, tuple[int, Press]] = {}
        self._early: set[int] = set()
        self._up = address.topic(UP, service)
        self._link = link = MqttLink(address, service, address.topic(HERE, service))
        link.on_connected, link.on_lost = self._on_connected, self._on_lost
        link.on_message, link.on_subscribed = self._on_message, self._on_subscribed
        link.on_acknowledged, link.on_tick = self._on_acknowledged, self._on_tick
        link.start()

    @property
    def said(self) -> str:
        """The bus's problem as a sentence; empty while all is well."""
        return self._link.said

    def send(self, message: Message) -> bool:
        """Send a message to the table; return False if table or broker are missing or do not accept it."""
        if not self._table:
            return False
        number = publish(self._link, self._up, message)
        if number is not None and isinstance(message, Press):
            self._pending[number] = (time.monotonic_ns(), message)
            if number in self._early:
                self._early.discard(number)
                self._pending.pop(number, None)
        return number is not None

    def close(self) -> None:
        """Leave the bus."""
        self._table = ""
        self._link.close(self.address.topic(HERE, self.service))

    # --- the broker

    def _on_connected(self) -> None:
        self._alone_at = time.monotonic_ns()
        topic = self.address.topic
        self._subscribed = self._link.subscribe(topic(DOWN, self.service), topic(DOWN, ALL), topic(HERE, TABLE))

    def _on_subscribed(self, number: int) -> None:
        # We must be able to hear before anybody learns of us.
        if number == self._subscribed:
            here = Here(self.service, f"{self._id}-{next(self._numbers)}", self._boot)
            self._announced = self._link.publish(self.address.topic(HERE, self.service), encode(here), 1, True)

    def _on_lost(self) -> None:
        self._admitted, self._waiting_session = False, ""
        self._set_table("")

    def _on_acknowledged(self, number: int) -> None:
        if number == self._announced:
            self._admitted, self._announced = True, None
            self._link.say("")
            self._set_table(self._waiting_session)
        elif self._pending.pop(number, None) is None:
            self._early = {number, *itertools.islice(self._early, EARLY)}

    def _on_tick(self) -> None:
        """Once a second: detect a table that has fallen silent."""
        now = time.monotonic_ns()
        if self._table and self._silence.look(self._link.behind) > SILENT:
            self._set_table("")
        elif self._admitted and not self._table and now - self._alone_at > SILENT and not self._link.said:
            self._link.say(
                f"The broker at {self.address.host} shows no table: is `companion table` running with the prefix "
                f"{self.address.prefix}, and may {self._link.user} read {self.address.topic(HERE, TABLE)}?"
            )

    # --- received messages

    def _on_message(self, topic: str, payload: bytes, retained: bool, now: int) -> None:
        if topic == self.address.topic(HERE, TABLE):
            here = read_announcement(payload, TABLE)
            self._silence.restart()
            self._waiting_session = here.session if here is not None else ""
            if self._admitted:
                self._set_table(self._waiting_session)
            return
        message = None if retained else read_message(payload, TABLE)
        if message is None:
            return
        if isinstance(message, ClockAsked):
            publish(self._link, self._up, ClockTold(message.number, now))
        else:
            self._deliver(message)

    def _set_table(self, session: str) -> None:
        """Note the present table; a new session is a new table."""
        if session == self._table:
            return
        was, self._table = self._table, ""
        self._alone_at = time.monotonic_ns()
        if was:
            self._left()
        if not session:
            return
        self._link.say("")
        self._table = session
        self._joined()
        self._resend()

    def _resend(self) -> None:
        """Resend presses that the broker never acknowledged; the table judges each by its moment."""
        pending, self._pending = self._pending, {}
        self._early.clear()
        now = time.monotonic_ns()
        for at, press in pending.values():
            if now - at < LATE:
                self.send(press)


def why_broker_unreachable(address: BrokerAddress, service: str) -> str:
    """Return why no table can be reached through a broker; empty if one can. Takes some seconds."""
    link = MqttLink(address, service, address.topic(HERE, f"{service}-probe"))
    found, table = threading.Event(), threading.Event()

    def came() -> None:
        link.say("")
        found.set()
        link.subscribe(address.topic(HERE, TABLE))

    link.on_connected = came
    link.on_message = lambda topic, payload, retained, at: table.set() if payload and not retained else None
    link.start()
    try:
        until = time.monotonic() + CONNECT_S
        while time.monotonic() < until and not found.wait(0.05) and not link.tried:
            pass
        if not found.is_set():
            return link.said
        if table.wait(TICK_S + SILENT / SECOND):
            return ""
        return link.said or f"The broker at {address.host} shows no table below {address.prefix}: is one running?"
    finally:
        link.close()
