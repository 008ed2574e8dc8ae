"""The camera's service as the table's process knows it: whether it lives, what it saw last, requests to it.

Losing the camera breaks no count and stops no game: only the line that tells of it changes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import msgspec

from companion.devices.bus import BusPeer, SilenceTimer
from companion.devices.camera_requests import A, CameraRequest, read_answer
from companion.devices.requests import Requests
from companion.messages import RENDERED, SECOND, Answered, CameraState, CardLaid, Health, Message, Sighted
from companion.table.scheduler import Clock
from companion.threads.listeners import Listeners

LOST = int(1.5 * SECOND)
"""A service that has been silent for so long is lost; it speaks at least twice a second."""
LOOK = 0.25
"""Seconds between looks whether a service is lost."""
COMING = 20 * SECOND
"""A camera that is expected may take so long to come: OpenCV and libcamera start slowly on a Raspberry Pi."""
CAMERA = "camera"


class CameraSnapshot(msgspec.Struct, frozen=True):
    """How the camera is: an `expected` one that is not `alive` is lost."""

    expected: bool = False
    alive: bool = False
    state: CameraState = CameraState()
    said: str = ""
    """A sentence of the service for the people at the table."""
    kind: str = ""
    """`rendered` where the table is; empty for a real one."""

    @property
    def lost(self) -> bool:
        """Whether it was there, or should be, and is not."""
        return self.expected and not self.alive

    @property
    def rendered(self) -> bool:
        """Whether the table is rendered, and cards can be moved on it over the bus."""
        return self.alive and self.kind == RENDERED

    @property
    def sees(self) -> bool:
        """Whether there is a camera that gives pictures."""
        return self.alive and self.state.looking not in ("none", "starting")

    @property
    def blind(self) -> bool:
        """Whether nothing is seen now, whatever was seen before."""
        return not self.alive or self.state.looking in ("none", "blind")


StateListener = Callable[[CameraSnapshot, CameraSnapshot], None]
"""Called with the camera's state before and after every change; it must not wait."""
SightingListener = Callable[[Sighted | None], None]
"""Called in the bus's thread with every reading of the table; None: the camera is lost or blind."""


class CameraLink:
    """Hears the camera's service. `expected`: one should be there. Its methods may be called from any thread."""

    def __init__(self, clock: Clock, expected: bool = False) -> None:
        self.clock = clock
        self.camera = CameraSnapshot()
        self.sighted: Sighted | None = None
        """What lay on the table when it was read last; None: nothing was read, or the camera is lost."""
        self._expected = expected
        self._silence = SilenceTimer(clock, LOOK)
        self._peer: BusPeer | None = None
        self._told: Listeners[CameraSnapshot, CameraSnapshot] = Listeners("the state of the camera could not be shown")
        self._seen: Listeners[Sighted | None] = Listeners("what the camera saw could not be used")
        self._lock = threading.RLock()
        self.asking = Requests()
        """The pending requests to any service."""

    def listen(self, listener: StateListener) -> None:
        """Call a function with how the camera was and is, after every change."""
        self._told.add(listener)

    def see(self, listener: SightingListener) -> None:
        """Call a function with every reading of the table from now on."""
        self._seen.add(listener)

    def ask(self, request: CameraRequest[A], timeout: float | None = None) -> A:
        """Return the answer of the camera's service; raise `CameraRefusal` where there is none.

        Waits as long as the request allows, or `timeout` seconds.
        """
        seconds = request.timeout if timeout is None else timeout
        fields: dict[str, Any] = msgspec.to_builtins(request)
        return read_answer(request, self.asking.ask(self._peer, request.what, fields, CAMERA, seconds))

    def lay(self, laid: CardLaid) -> bool:
        """Move a card of a rendered table, as a hand would; False where nobody is there. Real tables are not moved."""
        peer = self._peer
        return self.camera.alive and peer is not None and peer.send(laid)

    # --- called by the switchboard --------------------------------------------------------------------

    def heard(self, peer: BusPeer, message: Message) -> bool:
        """Take a message if it is the camera's."""
        match message:
            case Health(service=service, camera=state) if service == CAMERA:
                with self._lock:
                    self._peer = peer
                    self._silence.spoke()
                    self._set(CameraSnapshot(True, True, state or CameraState(), message.said, message.kind))
            case Sighted():
                self._take(message)
            case Answered():
                self.asking.answered(message, peer)
            case _:
                return False
        return True

    def left(self, peer: BusPeer) -> None:
        """Notice that a service has gone; whoever waits for its answer waits no longer."""
        self.asking.left(peer)
        with self._lock:
            if peer is self._peer:
                self._peer = None
                self.lose()

    def look(self) -> None:
        """Notice a camera that has been silent for too long, or that was expected and has never come."""
        with self._lock:
            if silence_of(self._peer, self._silence) > (LOST if self.camera.expected else COMING):
                self.lose()

    def lose(self) -> None:
        """From now on the camera is not there."""
        with self._lock:
            now = self.camera
            self._set(CameraSnapshot(self._expected or now.expected, False, CameraState(deck=now.state.deck)))

    def _take(self, message: Sighted | None) -> None:
        self.sighted = message
        self._seen.tell(message)

    def _set(self, now: CameraSnapshot) -> None:
        """Change how the camera is, under the lock: what is told last is what is true."""
        was, self.camera = self.camera, now
        if was == now:
            return
        if now.blind and not was.blind:
            self._take(None)  # what was seen before may not lie there any more
        self._told.tell(was, now)


def silence_of(peer: BusPeer | None, silence: SilenceTimer) -> int:
    """Return for how long (ns) a service has been silent."""
    return silence.look() if peer is None else silence.look(peer.unheard, peer.process)
