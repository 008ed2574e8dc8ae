"""The table's link to the camera service. Losing the camera changes no count and stops no game."""

from __future__ import annotations

import threading
from collections.abc import Callable

import msgspec

from companion.devices.bus import CHECK_EVERY, LOST, BusPeer, SilenceTimer
from companion.devices.camera_requests.camera_request import A, CameraRequest
from companion.devices.camera_requests.decoding import read_answer
from companion.devices.camera_requests.pending_requests import Requests
from companion.devices.fault_log import LONGEST, LONGEST_SAID
from companion.files.untrusted import printable
from companion.messages import (
    PHONE,
    RENDERED,
    SECOND,
    Answered,
    CameraState,
    CardLaid,
    Health,
    Message,
    Sighted,
    TokensLaid,
)
from companion.table.scheduler import Clock
from companion.threads.listeners import Listeners

STARTING = 20 * SECOND
"""Nanoseconds that a camera may take to start: OpenCV and libcamera are slow on a Raspberry Pi."""
CAMERA = "camera"


class CameraSnapshot(msgspec.Struct, frozen=True):
    """The state of the camera: an `expected` one that is not `alive` is lost."""

    expected: bool = False
    alive: bool = False
    state: CameraState = CameraState()
    said: str = ""
    """A sentence from the service for the people at the table."""
    kind: str = ""
    """`rendered` for a simulated table; empty for a real camera."""

    @property
    def lost(self) -> bool:
        """Whether the camera is missing although it should be there."""
        return self.expected and not self.alive

    @property
    def rendered(self) -> bool:
        """Whether the table is rendered, so that the bus can move its cards."""
        return self.alive and self.kind == RENDERED

    @property
    def by_phone(self) -> bool:
        """Whether people take the pictures with a phone."""
        return self.alive and self.kind == PHONE

    @property
    def sees(self) -> bool:
        """Whether a camera is delivering pictures."""
        return self.alive and self.state.looking not in ("none", "starting")

    @property
    def blind(self) -> bool:
        """Whether the camera sees nothing now."""
        return not self.alive or self.state.looking in ("none", "blind")


OnChange = Callable[[CameraSnapshot, CameraSnapshot], None]
"""Called after every change with the camera's previous and current state; it must not block."""
OnReading = Callable[[Sighted | None], None]
"""Called with every reading of the table, in the bus's thread; None: the camera is lost or blind."""


class CameraLink:
    """Tracks the camera service. `expected`: there should be one. Any thread may call its methods."""

    def __init__(self, clock: Clock, expected: bool = False) -> None:
        self.clock = clock
        self.camera = CameraSnapshot()
        self.sighted: Sighted | None = None
        """The latest reading of the table; None before the first one, or without a camera."""
        self._expected = expected
        self._silence = SilenceTimer(clock, CHECK_EVERY)
        self._peer: BusPeer | None = None
        self._changes: Listeners[CameraSnapshot, CameraSnapshot] = Listeners(
            "the state of the camera could not be shown"
        )
        self._readings: Listeners[Sighted | None] = Listeners("could not use what the camera saw")
        self._lock = threading.RLock()
        self.asking = Requests()
        """Unanswered requests to any service."""

    def listen(self, listener: OnChange) -> None:
        """Call a function with the previous and current state after every change."""
        self._changes.add(listener)

    def listen_to_readings(self, listener: OnReading) -> None:
        """Call a function with every reading of the table."""
        self._readings.add(listener)

    def ask(self, request: CameraRequest[A], timeout: float | None = None) -> A:
        """Return the service's answer within `timeout` seconds (None: the request's own), or raise `CameraRefusal`."""
        seconds = request.timeout if timeout is None else timeout
        fields: dict[str, object] = msgspec.to_builtins(request)
        return read_answer(request, self.asking.ask(self._peer, request.what, fields, CAMERA, seconds))

    def lay(self, laid: CardLaid | TokensLaid) -> bool:
        """Move a card or tokens of a rendered table; return False if the table is real or the service is gone."""
        peer = self._peer
        return self.camera.alive and peer is not None and peer.send(laid)

    # --- called by the registry -----------------------------------------------------------------------

    def on_message(self, peer: BusPeer, message: Message) -> bool:
        """Handle a message from the camera; return False if it is not one."""
        match message:
            case Health(service=service, camera=state) if service == CAMERA:
                with self._lock:
                    self._peer = peer
                    self._silence.restart()
                    said, kind = printable(message.said, LONGEST_SAID), printable(message.kind, LONGEST)
                    self._set(CameraSnapshot(True, True, state or CameraState(), said, kind))
            case Sighted():
                self._set_reading(message)
            case Answered():
                self.asking.on_answer(message, peer)
            case _:
                return False
        return True

    def on_disconnect(self, peer: BusPeer) -> None:
        """Note that a service has gone, and stop waiting for its answers."""
        self.asking.on_disconnect(peer)
        with self._lock:
            if peer is self._peer:
                self._peer = None
                self.lose()

    def look(self) -> None:
        """Detect a camera that has been silent for too long or never came."""
        with self._lock:
            if self._silence.look_at(self._peer) > (LOST if self.camera.expected else STARTING):
                self.lose()

    def lose(self) -> None:
        """Mark the camera as not alive."""
        with self._lock:
            now = self.camera
            self._set(CameraSnapshot(self._expected or now.expected, False, CameraState(deck=now.state.deck)))

    def _set_reading(self, message: Sighted | None) -> None:
        self.sighted = message
        self._readings.tell(message)

    def _set(self, now: CameraSnapshot) -> None:
        """Change the state under the lock, so that listeners hear the changes in order."""
        was, self.camera = self.camera, now
        if was == now:
            return
        if now.blind and not was.blind:
            self._set_reading(None)  # the cards may have moved since the last reading
        self._changes.tell(was, now)
