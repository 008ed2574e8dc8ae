"""Wireless buttons over MQTT: an ESPHome push-button sends ON and OFF."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from companion.devices.bus.mqtt_link import disable_delay
from companion.messages import HOST, MILLISECOND, SECOND, ButtonState, Press
from hardware.radio.settings import RadioSettings
from hardware.radio.transit import RadioButton

PING_EVERY = 2 * SECOND
KEEPALIVE_S = 5
AGAIN_S = (1, 4)
"""The minimum and maximum seconds between attempts to connect."""
BUTTON, PING, PONG, STATUS = "button", "ping", "pong", "status"
"""The last levels of a button's topics."""


class Radio:
    """The wireless buttons of a table. Call `start` and `stop` once; callbacks run in its own threads."""

    def __init__(self, found: RadioSettings, clock: Callable[[], int] = time.monotonic_ns) -> None:
        """Prepare the connection; send nothing before `start`."""
        self._settings, self._clock = found, clock
        self._buttons = {
            topic: RadioButton(seat, found.hold_ms * MILLISECOND, found.stuck_s * SECOND)
            for seat, topic in found.topics
        }
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._said = "The broker of the wireless buttons was not reached yet."
        self._connected = False
        self._name = secrets.token_hex(4)  # on the same topic, buttons also answer pings of other listeners
        self._number = 0
        self._pressed: Callable[[Press], None] = lambda press: None
        self._changed: Callable[[], None] = lambda: None
        self._client = self._create_client()
        self._thread = threading.Thread(target=self._run, name="radio", daemon=True)

    def start(self, pressed: Callable[[Press], None], changed: Callable[[], None]) -> None:
        """Connect once a broker answers; call `changed` after each change of a button's condition."""
        self._pressed, self._changed = pressed, changed
        self._client.connect_async(self._settings.broker, self._settings.port, KEEPALIVE_S)
        self._client.loop_start()
        self._thread.start()

    def stop(self) -> None:
        """Leave the broker."""
        self._stopping.set()
        self._wake.set()
        self._client.disconnect()
        self._client.loop_stop()
        if self._thread.is_alive():
            self._thread.join()

    def buttons(self) -> tuple[ButtonState, ...]:
        """Return every wireless button's state."""
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
        """The broker's problem as a sentence; empty while the broker accepts this connection."""
        return self._said

    @property
    def said(self) -> tuple[str, ...]:
        """Messages about current problems with the broker and the buttons."""
        if self._said:
            return (self._said,)
        missing = [state.seat for state in self.buttons() if state.condition == "missing"]
        names = ("the host's" if seat == HOST else f"seat {seat + 1}'s" for seat in missing)
        return tuple(f"There is no sign of {name} wireless button." for name in names)

    def _create_client(self) -> mqtt.Client:
        # Without a client id and a session, the broker does not deliver missed messages later.
        client = mqtt.Client(CallbackAPIVersion.VERSION2, clean_session=True)
        if self._settings.user:
            client.username_pw_set(self._settings.user, self._settings.password or None)
        client.reconnect_delay_set(*AGAIN_S)
        client.on_socket_open = disable_delay
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        return client

    # --- in the broker's thread

    def _on_connect(self, client: mqtt.Client, data: object, flags: object, reason: ReasonCode, *more: object) -> None:
        if reason.is_failure:
            self._said = f"The broker of the wireless buttons refuses us: {reason}."
            self._changed()
            return
        self._said, self._connected = "", True
        for topic in self._buttons:
            client.subscribe([(f"{topic}/{part}", 0) for part in (BUTTON, PONG, STATUS)])
        self._wake.set()
        self._changed()

    def _on_disconnect(self, *why: object) -> None:
        with self._lock:
            for button in self._buttons.values():
                button.note_offline()
        if self._connected:
            self._said = "The broker of the wireless buttons is gone; it is looked for again and again."
        self._connected = False
        self._changed()

    def _on_message(self, client: mqtt.Client, data: object, message: mqtt.MQTTMessage) -> None:
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
            presses = self._presses_of(button, part, message, arrival)
            changed = button.condition(arrival) != before
        for press in presses:
            self._pressed(press)
        if presses:
            self._wake.set()
        if changed:
            self._changed()

    def _presses_of(self, button: RadioButton, part: str, message: mqtt.MQTTMessage, arrival: int) -> list[Press]:
        if part == BUTTON:
            return button.receive(bytes(message.payload), message.retain or message.dup, arrival)
        if part == PONG and not message.retain:
            button.transit.note_answer(message.payload[:40].decode(errors="replace"), arrival)
            button.online = True
        elif part == STATUS and message.payload == b"offline":
            button.note_offline()
        elif part == STATUS and message.payload == b"online" and not message.retain:
            button.note_online(arrival)
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
            self._wake.wait(max(0, until - self._clock()) / SECOND)
            if self._wake.is_set():
                self._wake.clear()

    def _ping(self) -> None:
        self._number += 1
        for topic, button in self._buttons.items():
            word = f"{self._name}-{self._number}"
            with self._lock:
                button.transit.note_ping(word, self._clock())
            self._client.publish(f"{topic}/{PING}", word)
