"""The table's end of a bus at an MQTT broker: it tracks the services, their clocks, and any other table."""

from __future__ import annotations

import collections
import itertools
import logging
import secrets
import time
from collections.abc import Callable

from companion.devices.bus.address import BrokerAddress
from companion.devices.bus.clock_sync import ForeignClock, has_moment, read_boot_id, to_our_clock, to_their_clock
from companion.devices.bus.liveness import SilenceTimer
from companion.devices.bus.mqtt_link import TICK_S, MqttLink
from companion.devices.bus.mqtt_topics import ALL, DOWN, HERE, SILENT, UP, publish, read_announcement, read_message
from companion.devices.bus.permissions import ALLOWED, TABLE, why_refused
from companion.devices.bus.protocol import BusPeer, OnPeerMessage, ignore_peer
from companion.devices.fault_log import FaultLog
from companion.messages import ClockAsked, ClockTold, Here, Message, Press, encode

FIRST_EXCHANGES = 4
"""Number of quick exchanges that measure a new clock."""
TWICE = 32
"""Number of presses remembered to detect duplicates."""
LOG = logging.getLogger(__name__)


class MqttPeer:
    """A service as the table sees it. Its clock is None if it shares the table's.

    `before` is the service's previous connection, which has the same clock if the boot is the same.
    """

    def __init__(self, link: MqttLink, here: Here, foreign: bool, before: MqttPeer | None) -> None:
        same = before is not None and before.here.boot == here.boot != ""
        self.here: Here = here
        self.clock: ForeignClock | None = (
            (before.clock if before is not None and same else ForeignClock()) if foreign else None
        )
        self._link = link
        self._topic = link.address.topic(DOWN, here.service)
        # Answers to an earlier connection must not match.
        self._numbers = itertools.count(secrets.randbelow(1 << 32))
        self._presses: collections.deque[bytes] = (
            before._presses if before is not None and same else collections.deque[bytes](maxlen=TWICE)
        )

    def send(self, message: Message) -> bool:
        """Send a message with its moment by the service's clock; return False if the broker did not accept it."""
        if self.clock is not None:
            message = to_their_clock(message, self.clock, time.monotonic_ns())
        return publish(self._link, self._topic, message) is not None

    @property
    def service(self) -> str:
        """The service's name."""
        return self.here.service

    @property
    def process(self) -> int:
        """Always 0: process ids are unknown over a broker."""
        return 0

    @property
    def unheard(self) -> bool:
        """Whether an unhandled message from any service has arrived."""
        return self._link.behind

    def is_repeated(self, press: bytes) -> bool:
        """Return whether this press has arrived before: QoS 1 delivers at least once."""
        if press in self._presses:
            return True
        self._presses.append(press)
        return False

    def ask_clock(self) -> None:
        """Measure the clock of another machine."""
        if self.clock is None:
            return
        asked = ClockAsked(next(self._numbers))
        self.clock.note_question(asked.number, time.monotonic_ns())
        self.send(asked)


class MqttServer:
    """The table's end. It calls `on_message`, `on_joined` and `on_left` in a thread of the bus."""

    def __init__(
        self,
        address: BrokerAddress,
        on_message: OnPeerMessage,
        on_joined: Callable[[BusPeer], None] = ignore_peer,
        on_left: Callable[[BusPeer], None] = ignore_peer,
    ) -> None:
        self.address = address
        self._deliver, self._joined, self._left = on_message, on_joined, on_left
        self._faults = FaultLog(LOG)
        self._id, self._boot = secrets.token_hex(8), read_boot_id()
        self._numbers = itertools.count(1)
        self._here = Here(TABLE)
        self._table_since: int | None = None  # since when we have been the table
        self._other_there = False
        self._other_silence = SilenceTimer(time.monotonic_ns, TICK_S)
        self._first_subscription: int | None = None
        self._second_subscription: int | None = None
        self._claimed: int | None = None
        self._peers: dict[str, MqttPeer] = {}
        self._before: dict[str, MqttPeer] = {}
        # Services that announce themselves before we are the table.
        self._waiting: dict[str, Here] = {}
        self._patience = SILENT
        self._link = link = MqttLink(address, TABLE, address.topic(HERE, TABLE))
        link.on_connected, link.on_lost = self._on_connected, self._on_lost
        link.on_message, link.on_subscribed = self._on_message, self._on_subscribed
        link.on_acknowledged, link.on_tick = self._on_acknowledged, self._on_tick
        link.start()

    @property
    def said(self) -> str:
        """The bus's problem as a sentence; empty while all is well."""
        return self._link.said

    def send(self, message: Message) -> None:
        """Send a message to every service, with its moment by that service's clock."""
        peers = tuple(self._peers.values())
        if has_moment(message) and any(peer.clock is not None for peer in peers):
            for peer in peers:
                peer.send(message)
        elif self._table_since is not None:
            publish(self._link, self.address.topic(DOWN, ALL), message)

    def close(self) -> None:
        """Leave the bus."""
        ours = self._table_since is not None
        self._table_since = None
        self._link.close(self.address.topic(HERE, TABLE) if ours else "")

    # --- other tables

    def _on_connected(self) -> None:
        """Look for another table before announcing anything."""
        self._table_since, self._other_there = None, False
        self._here = Here(TABLE, f"{self._id}-{next(self._numbers)}", self._boot)
        self._first_subscription = self._link.subscribe(self.address.topic(HERE, TABLE))

    def _on_subscribed(self, number: int) -> None:
        if number == self._first_subscription:
            self._first_subscription = None
            # By the time the broker agrees to this too, it has delivered another table's retained messages.
            topic = self.address.topic
            self._second_subscription = self._link.subscribe(topic(HERE, "+"), topic(UP, "+"))
        elif number == self._second_subscription:
            self._second_subscription = None
            if not self._other_there:
                self._claim()

    def _claim(self) -> None:
        """Become the table. We already hear the services, which speak as soon as they know of us."""
        self._table_since, self._other_there = time.monotonic_ns(), False
        self._claimed = self._say_here(1)
        waiting, self._waiting = self._waiting, {}
        for service, here in waiting.items():
            self._meet(service, here)

    def _on_acknowledged(self, number: int) -> None:
        if number == self._claimed:
            self._link.say("")

    def _say_here(self, qos: int = 0) -> int | None:
        return self._link.publish(self.address.topic(HERE, TABLE), encode(self._here), qos, True)

    def _meet_other(self, here: Here, retained: bool) -> None:
        """Handle another table: the first one stays. A retained message alone may come from a table that is gone."""
        now = time.monotonic_ns()
        if here.session.startswith(self._id) or (retained and self._table_since is not None):
            return
        if self._table_since is not None and now - self._table_since > SILENT:
            self._say_here()
            return
        if self._table_since is not None:
            self._table_since = None
            self._waiting = {service: peer.here for service, peer in self._peers.items()}
            self._forget()
            # Two tables that started together must not collide again.
            self._patience = SILENT + secrets.randbelow(SILENT)
        self._other_there = True
        self._other_silence.restart()
        if not retained:
            self._link.say(
                f"Another table uses {self.address.prefix} at {self.address.host}: stop it, or choose "
                "another prefix in the bus address."
            )

    def _on_tick(self) -> None:
        """Once a second: announce ourselves and measure the clocks, or check whether the other table is gone."""
        if self._table_since is not None:
            self._say_here()
            for peer in tuple(self._peers.values()):
                peer.ask_clock()
        elif self._other_there and self._other_silence.look(self._link.behind) > self._patience:
            self._claim()

    def _on_lost(self) -> None:
        self._table_since = None
        self._waiting.clear()
        self._forget()

    def _forget(self) -> None:
        for service in tuple(self._peers):
            self._lose(service)

    # --- received messages

    def _on_message(self, topic: str, payload: bytes, retained: bool, arrival: int) -> None:
        way, _, service = topic.removeprefix(f"{self.address.prefix}/").partition("/")
        if way == HERE and service in (TABLE, *ALLOWED):
            here = read_announcement(payload, service)
            if service == TABLE:
                if here is not None:
                    self._meet_other(here, retained)
                elif self._other_there:  # the other table has left
                    self._claim()
            elif self._table_since is not None:
                self._meet(service, here)
            elif here is not None:
                self._waiting[service] = here
            else:
                self._waiting.pop(service, None)
        elif way == UP and service in ALLOWED and not retained:
            self._receive(service, payload, arrival)

    def _meet(self, service: str, here: Here | None) -> None:
        """Note that a service has come, or has gone (`here` is None)."""
        known = self._peers.get(service)
        if known is not None and (here is None or here.session != known.here.session):
            self._lose(service)
        if here is None or (known is not None and here.session == known.here.session):
            return
        foreign = not here.boot or here.boot != self._boot
        peer = self._peers[service] = MqttPeer(self._link, here, foreign, self._before.get(service))
        peer.ask_clock()
        self._joined(peer)

    def _lose(self, service: str) -> None:
        peer = self._peers.pop(service, None)
        if peer is not None:
            self._before[service] = peer
            self._left(peer)

    def _receive(self, service: str, payload: bytes, arrival: int) -> None:
        peer, message = self._peers.get(service), read_message(payload, service)
        if message is None:
            return
        if peer is None:
            self._faults.note("a service sent a message before it announced itself", service)
            return
        why = why_refused(service, message)
        if why:
            self._faults.note(f"refused on the bus: {why}", service)
            return
        if isinstance(message, ClockTold):
            self._take_clock(peer, message, arrival)
            return
        if isinstance(message, Press) and peer.is_repeated(payload):
            return
        self._deliver(peer, message if peer.clock is None else to_our_clock(message, peer.clock, arrival))

    def _take_clock(self, peer: MqttPeer, told: ClockTold, arrival: int) -> None:
        if peer.clock is not None:
            peer.clock.note_answer(told.number, told.at, arrival)
            if peer.clock.measured < FIRST_EXCHANGES:
                peer.ask_clock()
