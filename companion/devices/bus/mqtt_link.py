"""A connection to an MQTT broker that is remade after every loss, and the reason in words during an outage.

Each fault is one sentence that names its fix; it is logged once and kept for the pages. Messages to an absent broker
are dropped; each connection starts afresh. Only this module and `hardware.radio.radio` use paho-mqtt.
"""

from __future__ import annotations

import logging
import secrets
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable
from queue import Empty
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.config import BUS, ConfigError, SettingLocation, read_secret
from companion.devices.bus.address import BrokerAddress
from companion.devices.bus.kernel_readings import has_unread_bytes
from companion.devices.bus.protocol import LONGEST_LINE
from companion.devices.fault_log import FaultLog
from companion.threads.inbox import Inbox

KEEPALIVE_S = 3
"""A broker gives us up after one and a half times this span; we give it up after twice the span."""
CONNECT_S = 4.0
"""Seconds within which a broker must answer."""
AGAIN_S = (0.2, 1.0)
"""The shortest and longest seconds between attempts to connect."""
TICK_S = 1.0
IN_FLIGHT, QUEUED = 20, 256
"""Maximum numbers of messages that the broker has not acknowledged (mosquitto allows 20), and of queued ones."""
WAITING = 256
"""Maximum number of unhandled messages per topic, so that a flooding peer loses only its own."""
WAITING_BYTES = 8 * 1024 * 1024
"""Maximum size of all unhandled messages, in bytes."""
LARGEST = LONGEST_LINE + 1024
"""Largest packet that we accept, in bytes, including its topic."""
NOT_ALLOWED = ("Not authorized", "Bad user name or password")
LOG = logging.getLogger(__name__)


def disable_delay(client: mqtt.Client, data: object, opened: Any) -> None:
    """Send every packet at once: paho leaves Nagle's algorithm on, which delays small packets by up to 40 ms."""
    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class MqttLink:
    """A connection as `service`. All callbacks run in one thread of ours; set them before `start`."""

    def __init__(self, address: BrokerAddress, service: str, will: str, mqtt_5: bool = True) -> None:
        """Prepare the connection; `will` is the topic that the broker clears after we are gone.

        Without MQTT 5 it uses MQTT 3.1.1: the broker then neither reports a missing right nor learns our limits.
        """
        self.address, self.service, self.will, self._mqtt_5 = address, service, will, mqtt_5
        self.user = address.user_of(service)
        self.connected = self.tried = False
        self.said = f"The broker at {address.host}:{address.port} was not reached yet."
        self.on_connected: Callable[[], None] = lambda: None
        self.on_lost: Callable[[], None] = lambda: None
        self.on_message: Callable[[str, bytes, bool, int], None] = lambda topic, payload, retained, at: None
        self.on_subscribed: Callable[[int], None] = lambda number: None
        self.on_acknowledged: Callable[[int], None] = lambda number: None
        self.on_tick: Callable[[], None] = lambda: None
        self._mark = secrets.token_hex(4)
        self._client: mqtt.Client | None = None
        self._refused = self._handling = False
        self._faults = FaultLog(LOG)
        self._waiting: Counter[str] = Counter()
        self._waiting_bytes = 0
        self._counting = threading.Lock()
        self._events: Inbox[Callable[[], None] | None] = Inbox()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="bus", daemon=True)

    def start(self) -> None:
        """Start connecting to the broker."""
        self._thread.start()

    def close(self, last: str = "") -> None:
        """Leave the broker, after clearing the retained message of the topic `last`."""
        self._closing.set()
        client = self._client
        if client is not None and self.connected:
            if last:
                client.publish(last, b"", 0, True)
            client.disconnect()
        self._events.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join(CONNECT_S + 1)

    def publish(self, topic: str, payload: bytes, qos: int = 1, retain: bool = False) -> int | None:
        """Publish a message; return its number, or None if the broker is missing or does not accept it."""
        client = self._client
        if client is None or not self.connected:
            return None
        info = client.publish(topic, payload, qos, retain)
        return info.mid if info.rc == MQTTErrorCode.MQTT_ERR_SUCCESS else None

    @property
    def behind(self) -> bool:
        """Whether an unhandled message has arrived."""
        client = self._client
        end: Any = None if client is None else client.socket()
        return self._handling or len(self._events) > 0 or has_unread_bytes(end)

    def subscribe(self, *topics: str) -> int | None:
        """Subscribe to topics; return the number that `subscribed` gets once the broker agrees."""
        client = self._client
        if client is None:
            return None
        _, number = client.subscribe([(topic, 1) for topic in topics])
        return number

    def say(self, sentence: str) -> None:
        """Keep the current problem, and log it if it is new; an empty sentence means that there is none."""
        if sentence == self.said:
            return
        self.said = sentence
        if sentence:
            self._faults.note(sentence, "")
        else:
            LOG.info("the broker at %s:%s has us as %s", self.address.host, self.address.port, self.user)

    # --- our own thread

    def _run(self) -> None:
        wait = AGAIN_S[0]
        while not self._closing.is_set():
            well = self._connect() and self._handle_events()
            self.tried = True
            wait = AGAIN_S[0] if well else min(wait * 2, AGAIN_S[1])
            self._closing.wait(wait)

    def _connect(self) -> bool:
        """Connect; if that fails, report why and return False."""
        try:
            client = self._create_client()
            if self._mqtt_5:
                client.connect(
                    self.address.host, self.address.port, KEEPALIVE_S, clean_start=True, properties=_limits()
                )
            else:
                client.connect(self.address.host, self.address.port, KEEPALIVE_S)
        except ConfigError as error:
            self.say(str(error))
        except (OSError, ValueError) as error:
            self.say(explain_failure(self.address, error))
        else:
            self._client = client
            client.loop_start()
            return True
        return False

    def _handle_events(self) -> bool:
        """Handle the connection's events until it is lost, then release it; return whether the broker admitted us."""
        client, began = self._client, time.monotonic()
        assert client is not None
        self._refused, tick_at = False, began + TICK_S
        while not self._closing.is_set():
            now = time.monotonic()
            if now >= tick_at:
                tick_at = now + TICK_S
                if self.connected:
                    self._call(self.on_tick)
                elif now - began > CONNECT_S and not self.behind:
                    self.say(f"The broker at {self.address.host}:{self.address.port} does not answer: is it of MQTT?")
                    break
            try:
                event = self._events.get(timeout=tick_at - now)
            except Empty:
                continue
            if event is None:
                break
            self._handling = True
            self._call(event)
            self._handling = False
        client.disconnect()
        client.loop_stop()
        self._client = None
        while self._events:
            self._events.get()
        with self._counting:
            self._waiting.clear()
            self._waiting_bytes = 0
        if self.connected:
            self.connected = False
            self._call(self.on_lost)
        return not self._refused

    def _call(self, what: Callable[[], None]) -> None:
        """Call a function; log its errors, which must not end the thread."""
        try:
            what()
        except Exception as error:
            self._faults.trace("something on the bus could not be dealt with", error)

    def _admit(self) -> None:
        self.connected = True
        self.on_connected()

    def refuse(self, sentence: str) -> None:
        """Leave a broker that does not let us work; we will try it again."""
        self._refused = True
        self.say(sentence)
        self._events.put(None)

    def _lose(self) -> None:
        """Handle the loss of the connection."""
        host, port = self.address.host, self.address.port
        if self.connected and not self._refused:
            self.say(f"The broker at {host}:{port} is gone; it is looked for again and again.")
        elif not self._refused:
            self.say(f"The broker at {host}:{port} breaks off: is it one of MQTT 5 (mosquitto 1.6 or newer), and "
                     f"{'does it speak TLS' if self.address.tls else 'must it be mqtts://'}?")  # fmt: skip
            self._refused = True
        self._events.put(None)

    def _create_client(self) -> mqtt.Client:
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id=f"{self.user}-{self._mark}",
            clean_session=None if self._mqtt_5 else True,
            protocol=MQTTProtocolVersion.MQTTv5 if self._mqtt_5 else MQTTProtocolVersion.MQTTv311,
            reconnect_on_failure=False,
        )
        client.connect_timeout = CONNECT_S
        client.max_inflight_messages_set(IN_FLIGHT)
        client.max_queued_messages_set(QUEUED)
        file = self.address.password_file_of(self.service)
        client.username_pw_set(self.user, read_secret(file, SettingLocation(BUS)) if file is not None else None)
        if self.address.ca_file is not None and not self.address.ca_file.is_file():
            raise FileNotFoundError(self.address.ca_file)  # reading a pipe would never end
        if self.address.tls:
            client.tls_set(ca_certs=str(self.address.ca_file) if self.address.ca_file else None)
            if self.address.pinned and self.address.ca_file:
                # The certificate is still verified, and is its own authority: only the owner of its key can present it.
                # A name would prove no more, and tables reach the broker at changing addresses.
                client.tls_insecure_set(True)
        client.will_set(self.will, b"", 1, True)
        client.on_socket_open = disable_delay
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        client.on_subscribe = self._on_subscribe
        client.on_publish = self._on_publish
        return client

    # --- paho's thread: everything is passed to our own thread, which alone holds the state

    def _on_connect(self, client: mqtt.Client, data: object, flags: object, reason: ReasonCode, *more: object) -> None:
        if reason.is_failure:
            self._events.put(lambda: self.refuse(explain_refusal(self.address, self.service, str(reason))))
        else:
            self._events.put(self._admit)

    def _on_disconnect(self, *why: object) -> None:
        self._events.put(self._lose)

    def _on_message(self, client: mqtt.Client, data: object, message: mqtt.MQTTMessage) -> None:
        try:
            topic, payload, retained, at = message.topic, bytes(message.payload), message.retain, time.monotonic_ns()
        except UnicodeDecodeError:
            return
        self.enqueue(topic, payload, retained, at)

    def enqueue(self, topic: str, payload: bytes, retained: bool, at: int) -> None:
        """Queue a message, unless too many messages of its topic or too many bytes are waiting."""
        with self._counting:
            full = self._waiting[topic] >= WAITING or self._waiting_bytes + len(payload) > WAITING_BYTES
            if not full:
                self._waiting[topic] += 1
                self._waiting_bytes += len(payload)
        if full:
            self._faults.note("messages are passed over: there are more than can be dealt with", topic)
            return
        self._events.put(lambda: self._deliver(topic, payload, retained, at))

    def _deliver(self, topic: str, payload: bytes, retained: bool, at: int) -> None:
        """Pass on a queued message."""
        with self._counting:
            self._waiting_bytes -= len(payload)
            self._waiting[topic] -= 1
            if not self._waiting[topic]:
                del self._waiting[topic]
        self.on_message(topic, payload, retained, at)

    def _on_subscribe(
        self, client: mqtt.Client, data: object, number: int, reasons: list[ReasonCode], *more: object
    ) -> None:
        if any(reason.is_failure for reason in reasons):
            self._events.put(lambda: self.refuse(explain_missing_right(self.address, self.user, "listen")))
        else:
            self._events.put(lambda: self.on_subscribed(number))

    def _on_publish(self, client: mqtt.Client, data: object, number: int, reason: ReasonCode, *more: object) -> None:
        if reason.is_failure:
            self._events.put(lambda: self.refuse(explain_missing_right(self.address, self.user, "speak")))
        else:
            self._events.put(lambda: self.on_acknowledged(number))


def _limits() -> Properties:
    """Return the limits that we announce to the broker."""
    found = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    found.MaximumPacketSize = LARGEST
    return found


def explain_refusal(address: BrokerAddress, service: str, reason: str) -> str:
    """Return a sentence that says why a broker rejects a service."""
    host, user = f"{address.host}:{address.port}", address.user_of(service)
    if reason not in NOT_ALLOWED:
        return f"The broker at {host} refuses {user}: {reason}."
    file = address.password_file_of(service)
    if file is None:
        return f"The broker at {host} wants a password of {user}: name its file as password_file below [bus]."
    return f"The broker at {host} does not let {user} in: the password in {file} is not the one that it knows."


def explain_missing_right(address: BrokerAddress, user: str, what: str) -> str:
    """Return a sentence that says that a broker admits a user but denies it a right that it needs."""
    return (
        f"The broker at {address.host} does not let {user} {what} below {address.prefix}: give it the rights that "
        "`companion broker` writes."
    )


def explain_failure(address: BrokerAddress, error: Exception) -> str:
    """Return a sentence that says why a broker cannot be reached."""
    host, where = address.host, f"{address.host}:{address.port}"
    if isinstance(error, socket.gaierror):
        return f"There is no host called {host}: check the bus's address, and whether this machine is in the network."
    if isinstance(error, ssl.SSLCertVerificationError):
        if address.pinned:
            return f"The broker at {where} is not the one that was joined: its certificate is another."
        why = getattr(error, "verify_message", str(error))
        return f"The broker at {where} cannot prove who it is ({why}): name its authority as ca_file."
    if isinstance(error, ssl.SSLError):
        return f"The broker at {where} does not speak TLS: check the port, or write mqtt:// instead of mqtts://."
    if isinstance(error, FileNotFoundError) and address.ca_file is not None:
        return f"The file {address.ca_file}, named as ca_file, is not there."
    if isinstance(error, ConnectionRefusedError):
        return f"No broker answers at {where}: is it running there, and may other machines reach it?"
    if isinstance(error, TimeoutError):
        return f"The broker at {where} does not answer: check the network, and its firewall."
    why = isinstance(error, OSError) and error.strerror
    return f"The broker at {where} cannot be reached: {why or error}."
