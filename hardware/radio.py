"""Wireless buttons by MQTT: an ESPHome push-button says ON and OFF. paho-mqtt is known only here.

A wireless press has no stamp of its own. It is taken to be as old as half a round trip to its button, which pings
measure; the true moment lies between its arrival and its arrival less the longest round trip.
`Transit` and `RadioButton` are pure: moments (ns) are handed in.
"""

from __future__ import annotations

import secrets
import socket
import statistics
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.config import ConfigError, Table, only, told, whole, words
from companion.messages import HOST, MILLISECOND, SECOND, ButtonState, Condition, Press

TABLE = "[radio]"
KEPT = 16
"""Round trips that are remembered for each button."""
FRESH = 30 * SECOND
"""A round trip older than this says nothing any more."""
LOST = 2 * SECOND
"""An answer that takes longer than this is no measure."""
PING_EVERY = 2 * SECOND
UNMEASURED = 500 * MILLISECOND
"""How uncertain a press is whose way was never measured."""
SETTLING = 300 * MILLISECOND
"""A device that has just come (back) tells how its button is: so early an ON is no press, or one of unknown age."""
KEEPALIVE_S = 5
AGAIN_S = (1, 4)
"""Seconds until the broker is tried again: at first, and at the most."""
BUTTON, PING, PONG, STATUS = "button", "ping", "pong", "status"
"""What is behind a button's own part of a topic."""


class RadioSettings(msgspec.Struct, frozen=True):
    """The broker, and the topics of the wireless buttons by seat (`HOST`: the host's)."""

    topics: tuple[tuple[int, str], ...]
    broker: str = "127.0.0.1"
    port: int = 1883
    user: str = ""
    password: str = ""
    hold_ms: int = 700
    stuck_s: int = 20


def settings(
    table: Table, folder: Path, seats: int, hold_ms: int = 700, stuck_s: int = 20, where: str = TABLE
) -> RadioSettings:
    """Return what the table `[radio]` says; raise `ConfigError` with one sentence for anything wrong in it."""
    only(table, ("broker", "port", "user", "password_file", "buttons"), where)
    named = table.get("buttons")
    if not isinstance(named, dict) or not named:
        raise ConfigError(
            f'{where}: buttons must name a topic for each wireless button, such as 1 = "companion/seat-1".'
        )
    topics = tuple((_seat(key, seats, where), _topic(named, key, where)) for key in named)
    doubled = {topic for _, topic in topics if [other for _, other in topics].count(topic) > 1}
    if doubled:
        raise ConfigError(f"{where}: the topic {told(min(doubled))} is used twice; every button needs its own.")
    return RadioSettings(
        topics,
        words(table, "broker", where, "127.0.0.1"),
        whole(table, "port", where, 1, 65535, 1883),
        words(table, "user", where),
        _password(words(table, "password_file", where), folder, where),
        hold_ms,
        stuck_s,
    )


def _seat(key: str, seats: int, where: str) -> int:
    if key == "host":
        return HOST
    if not key.isascii() or not key.isdigit() or not 1 <= int(key) <= seats:
        raise ConfigError(f"{where}: there is no seat {key!r}; seats are 1 to {seats}, or host.")
    return int(key) - 1


def _topic(table: Table, key: str, where: str) -> str:
    topic = words(table, key, f"{where}, buttons")
    if not topic or topic.startswith("/") or topic.endswith("/") or set(topic) & set("+#\0") or len(topic) > 200:
        raise ConfigError(f"{where}: {told(topic)} is no topic for {key}; write one such as companion/seat-1.")
    return topic


def _password(file: str, folder: Path, where: str) -> str:
    """Return the password that stands in a file, which lies in the data folder or where its path says."""
    if not file:
        return ""
    path = folder / Path(file).expanduser()
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise ConfigError(f"{where}: the password cannot be read from {path}: {why}.") from error


# --- pure -----------------------------------------------------------------------------------------


class Transit:
    """How long messages take from a button, by the last round trips to it and back."""

    def __init__(self) -> None:
        self._asked: dict[str, int] = {}
        self._trips: deque[tuple[int, int]] = deque(maxlen=KEPT)

    def asked(self, word: str, at: int) -> None:
        """Note that a ping went out; older ones that nobody answered are given up."""
        self._asked = {old: sent for old, sent in self._asked.items() if at - sent <= LOST}
        self._asked[word] = at

    def answered(self, word: str, at: int) -> None:
        """Note an answer; one that nobody asked for, one given twice and one too late measure nothing."""
        sent = self._asked.pop(word, None)
        if sent is not None and 0 <= at - sent <= LOST:
            self._trips.append((at, at - sent))

    def forget(self) -> None:
        """Begin anew: the way has changed."""
        self._asked.clear()
        self._trips.clear()

    def trips(self, now: int) -> tuple[int, int, int] | None:
        """Return the shortest, the median and the longest round trip (ns), None where none is known."""
        fresh = sorted(trip for at, trip in self._trips if now - at <= FRESH)
        return (fresh[0], int(statistics.median(fresh)), fresh[-1]) if fresh else None

    def moment(self, arrival: int) -> tuple[int, int]:
        """Return when a message that arrived was sent, and how uncertain that is (ns to either side)."""
        trips = self.trips(arrival)
        if trips is None:
            return arrival, UNMEASURED
        _, median, longest = trips
        way = median // 2
        return arrival - way, max(way, longest - way)


class RadioButton:
    """One wireless button: its messages become presses. Whatever is no news is passed over."""

    def __init__(self, seat: int, hold: int, stuck: int) -> None:
        """Begin open and missing; `hold` and `stuck` are nanoseconds."""
        self.seat = seat
        self.transit = Transit()
        self.online = False
        self._hold, self._stuck = hold, stuck
        self._since: int | None = None
        self._settled = 0
        self._within = 0
        self._held = False

    def said(self, payload: bytes, retained: bool, repeated: bool, arrival: int) -> list[Press]:
        """Take what the button said. Retained and repeated messages are old news, all but ON and OFF is none."""
        if retained or repeated or payload not in (b"ON", b"OFF"):
            return []
        self.online = True
        at, within = self.transit.moment(arrival)
        if payload == b"ON" and self._since is None and arrival >= self._settled:
            self._since, self._within, self._held = at, within, False
            return [Press(self.seat, at, source="radio", within=within)]
        if payload == b"OFF" and self._since is not None:
            since, self._since = self._since, None
            at = max(at, since)
            held = [] if self._held or at - since < self._hold else [self._press_held(since)]
            return [*held, Press(self.seat, at, "opened", since, "radio", within)]
        return []

    def tick(self, now: int) -> list[Press]:
        """Return the holding that has come about by a moment."""
        due = self.due()
        if due is None or now < due or self._since is None:
            return []
        self._held = True
        return [self._press_held(self._since)]

    def due(self) -> int | None:
        """Return when `tick` has something to tell: when an earlier OFF could not be on its way any more."""
        if self._since is None or self._held:
            return None
        return self._since + self._hold + 2 * self._within

    def came(self, at: int) -> None:
        """The device has come, or come back."""
        self.lost()
        self.online, self._settled = True, at + SETTLING

    def lost(self) -> None:
        """The button is out of reach: it is neither closed nor measured any more, and nothing was pressed."""
        self.online, self._since = False, None
        self.transit.forget()

    def condition(self, now: int) -> Condition:
        """Return how the button is."""
        if not self.online:
            return "missing"
        if self._since is None:
            return "open"
        return "stuck" if now - self._since > self._stuck else "closed"

    def _press_held(self, since: int) -> Press:
        return Press(self.seat, since + self._hold, "held", since, "radio", self._within)


# --- the broker -----------------------------------------------------------------------------------


class Radio:
    """The wireless buttons of a table. `start` and `stop` once; the callbacks come in threads of its own."""

    def __init__(self, found: RadioSettings, clock: Callable[[], int] = time.monotonic_ns) -> None:
        """Prepare everything; nothing is sent before `start`."""
        self._settings, self._clock = found, clock
        self._buttons = {
            topic: RadioButton(seat, found.hold_ms * MILLISECOND, found.stuck_s * SECOND)
            for seat, topic in found.topics
        }
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._news = threading.Event()
        self._said = "The broker of the wireless buttons was not reached yet."
        self._connected = False
        self._name = secrets.token_hex(4)  # another listener's pings are answered on the same topic
        self._number = 0
        self._pressed: Callable[[Press], None] = lambda press: None
        self._changed: Callable[[], None] = lambda: None
        self._client = self._made()
        self._thread = threading.Thread(target=self._run, name="radio", daemon=True)

    def start(self, pressed: Callable[[Press], None], changed: Callable[[], None]) -> None:
        """Connect, now or as soon as there is a broker; `changed` is called when a button's condition changed."""
        self._pressed, self._changed = pressed, changed
        self._client.connect_async(self._settings.broker, self._settings.port, KEEPALIVE_S)
        self._client.loop_start()
        self._thread.start()

    def stop(self) -> None:
        """Leave the broker."""
        self._stopping.set()
        self._news.set()
        self._client.disconnect()
        self._client.loop_stop()
        if self._thread.is_alive():
            self._thread.join()

    def buttons(self) -> tuple[ButtonState, ...]:
        """Return every wireless button as it is now."""
        now = self._clock()
        with self._lock:
            return tuple(ButtonState(button.seat, -1, button.condition(now)) for button in self._buttons.values())

    def trips(self) -> Mapping[int, tuple[int, int, int] | None]:
        """Return the shortest, median and longest round trip (ns) of every button, by seat."""
        now = self._clock()
        with self._lock:
            return {button.seat: button.transit.trips(now) for button in self._buttons.values()}

    @property
    def trouble(self) -> str:
        """What is wrong with the broker, as a sentence; empty while it has us."""
        return self._said

    @property
    def said(self) -> tuple[str, ...]:
        """Sentences about what is wrong with broker and buttons now."""
        if self._said:
            return (self._said,)
        missing = [state.seat for state in self.buttons() if state.condition == "missing"]
        names = ("the host's" if seat == HOST else f"seat {seat + 1}'s" for seat in missing)
        return tuple(f"There is no sign of {name} wireless button." for name in names)

    def _made(self) -> mqtt.Client:
        # A client without a name of its own and without a session: nothing that was missed is delivered later.
        client = mqtt.Client(CallbackAPIVersion.VERSION2, clean_session=True)
        if self._settings.user:
            client.username_pw_set(self._settings.user, self._settings.password or None)
        client.reconnect_delay_set(*AGAIN_S)
        client.on_socket_open = _at_once
        client.on_connect = self._joined
        client.on_disconnect = self._left
        client.on_message = self._heard
        return client

    # --- in the broker's thread

    def _joined(self, client: mqtt.Client, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            self._said = f"The broker of the wireless buttons refuses us: {reason}."
            self._changed()
            return
        self._said, self._connected = "", True
        for topic in self._buttons:
            client.subscribe([(f"{topic}/{part}", 0) for part in (BUTTON, PONG, STATUS)])
        self._news.set()
        self._changed()

    def _left(self, client: mqtt.Client, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        with self._lock:
            for button in self._buttons.values():
                button.lost()
        if self._connected:
            self._said = "The broker of the wireless buttons is gone; it is looked for again and again."
        self._connected = False
        self._changed()

    def _heard(self, client: mqtt.Client, data: Any, message: mqtt.MQTTMessage) -> None:
        arrival = self._clock()
        try:
            topic, _, part = message.topic.rpartition("/")
        except UnicodeDecodeError:
            return
        button = self._buttons.get(topic)
        if button is None:
            return
        with self._lock:
            before = button.condition(arrival)
            presses = self._taken(button, part, message, arrival)
            changed = button.condition(arrival) != before
        for press in presses:
            self._pressed(press)
        if presses:
            self._news.set()
        if changed:
            self._changed()

    def _taken(self, button: RadioButton, part: str, message: mqtt.MQTTMessage, arrival: int) -> list[Press]:
        if part == BUTTON:
            return button.said(bytes(message.payload), message.retain, message.dup, arrival)
        if part == PONG and not message.retain:
            button.transit.answered(message.payload[:40].decode(errors="replace"), arrival)
            button.online = True
        elif part == STATUS and message.payload == b"offline":
            button.lost()
        elif part == STATUS and message.payload == b"online" and not message.retain:
            button.came(arrival)
        elif part == STATUS and message.payload == b"online":
            button.online = True
        return []

    # --- in our own thread

    def _run(self) -> None:
        ping_at = self._clock()
        while not self._stopping.is_set():
            now = self._clock()
            if now >= ping_at and self._connected:
                ping_at = now + PING_EVERY
                self._ping()
            with self._lock:
                presses = [press for button in self._buttons.values() for press in button.tick(now)]
                dues = [due for button in self._buttons.values() if (due := button.due()) is not None]
            for press in presses:
                self._pressed(press)
            until = min([*dues, ping_at if self._connected else now + PING_EVERY])
            self._news.wait(max(0, until - self._clock()) / SECOND)
            if self._news.is_set():
                self._news.clear()

    def _ping(self) -> None:
        self._number += 1
        for topic, button in self._buttons.items():
            word = f"{self._name}-{self._number}"
            with self._lock:
                button.transit.asked(word, self._clock())
            self._client.publish(f"{topic}/{PING}", word)


def _at_once(client: mqtt.Client, data: Any, opened: Any) -> None:
    """Have every packet sent at once: paho leaves Nagle's algorithm on, which holds small ones back by up to 40 ms."""
    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
