"""Connect the table over the bus with the services around it, and track which of them are alive.

Presses come in, cues go out. This runs in the table's process.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Collection

import msgspec
from msgspec.structs import replace

from companion import messages as m
from companion.devices.bus import CHECK_EVERY, LOST, Address, BusPeer, SilenceTimer, serve
from companion.devices.camera_link import CameraLink, CameraSnapshot
from companion.devices.fault_log import LONGEST, LONGEST_SAID, FaultLog
from companion.files.untrusted import printable
from companion.table.scheduler import Clock
from companion.table.table import Table, WorkerClosed
from companion.threads.listeners import Listeners

STARTING = 10 * m.SECOND
"""Nanoseconds that an expected service may take to start: Python is slow on a Raspberry Pi."""
MOST_REQUESTS = 4
"""Maximum number of requests to the table that wait for an answer; each holds a thread."""
BUTTONS = "buttons"
CAMERA = "camera"
TABLE = "table"
LOG = logging.getLogger(__name__)


class ButtonsStatus(msgspec.Struct, frozen=True):
    """The state of the buttons: `expected` ones that are not `alive` are lost."""

    expected: bool = False
    alive: bool = False
    kind: str = ""
    """The way the pins are driven: `lgpio`, `rpigpio`, `simulated`; `closed`: there are pins, but none can be
    opened."""
    stamped: bool = True
    buttons: tuple[m.ButtonState, ...] = ()
    lamps: tuple[m.LampState, ...] = ()
    said: str = ""
    bus: str = ""
    """The bus's problem as a sentence; empty if there is none."""

    @property
    def lost(self) -> bool:
        """Whether the buttons are missing although they should be there."""
        return self.expected and not self.alive

    def out_of_play(self) -> dict[int, m.Condition]:
        """Return the seats without a reliable button, and the reason; either a wired or a wireless one is enough."""
        fine = {each.seat for each in self.buttons if each.condition in ("open", "closed")}
        return {
            each.seat: each.condition
            for each in self.buttons
            if each.condition in ("stuck", "chattering") or (each.condition == "missing" and each.seat not in fine)
        }


class DeviceRegistry:
    """Opens the bus of one table. Close it before the table.

    `expected` names the services that should be there: `buttons`, `camera`.
    """

    def __init__(
        self,
        table: Table,
        address: Address,
        expected: Collection[str] = (),
        clock: Clock = time.monotonic_ns,
    ) -> None:
        self.table = table
        self.address = address
        self.clock = clock
        self.camera_link = CameraLink(clock, CAMERA in expected)
        self.buttons = ButtonsStatus()
        self._expected = BUTTONS in expected
        self._silence = SilenceTimer(clock, CHECK_EVERY)
        self._peer: BusPeer | None = None
        self._listeners: Listeners[ButtonsStatus, ButtonsStatus] = Listeners(
            "the state of the buttons could not be shown"
        )
        self._press_listeners: Listeners[m.Press] = Listeners("a press could not be used")
        self._lock = threading.RLock()
        """Held whenever `buttons` changes: the next state is derived from the current one."""
        self._announced_trouble = ""
        self._answers: dict[str, Callable[[], dict[str, object]]] = {}
        self._answering = threading.Lock()
        self._free_slots = threading.BoundedSemaphore(MOST_REQUESTS)
        self._faults = FaultLog(LOG)
        self._closing = threading.Event()
        self.bus = serve(address, self._receive, self._on_joined, self._on_left)
        table.cues.listen(self._send_cues)
        self._thread = threading.Thread(target=self._watch, name="registry", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Close the bus."""
        self._closing.set()
        self._thread.join()
        self.bus.close()

    def listen(self, listener: Callable[[ButtonsStatus, ButtonsStatus], None]) -> None:
        """Call a function with the buttons' previous and current state after every change; it must not block."""
        self._listeners.add(listener)

    def hear(self, listener: Callable[[m.Press], None]) -> None:
        """Call a function with every press, in a thread of the bus; it must not block."""
        self._press_listeners.add(listener)

    def drive(self, driven: m.PinDriven) -> bool:
        """Drive a simulated pin, like the pins panel; return False if pins are real or there is no service."""
        peer = self._peer
        return self.buttons.alive and self.buttons.kind == "simulated" and peer is not None and peer.send(driven)

    def ask_buttons(self, what: str, timeout: float) -> m.Answered:
        """Send a request to the buttons service and wait up to `timeout` seconds for the answer."""
        return self.camera_link.asking.ask(self._peer, what, {}, BUTTONS, timeout)

    def answer(self, what: str, answer: Callable[[], dict[str, object]]) -> None:
        """Answer one kind of request to the table with a function, which may block."""
        self._answers[what] = answer

    @property
    def camera(self) -> CameraSnapshot:
        """The state of the camera."""
        return self.camera_link.camera

    # --- the bus's threads ------------------------------------------------------------------------

    def _receive(self, peer: BusPeer, message: m.AnyMessage) -> None:
        match message:
            case m.Press():
                self._press_listeners.tell(message)
                with contextlib.suppress(WorkerClosed):
                    self.table.press(message)
            case m.Health(service=service) if service == BUTTONS:
                self._take_health(peer, message)
            case m.PinDriven():
                with self._lock:
                    was = self.buttons.lamps
                    lamps = [replace(lamp, on=message.high) if lamp.pin == message.pin else lamp for lamp in was]
                    self._set(replace(self.buttons, lamps=tuple(lamps)))
            case m.Asked(service=service) if service == TABLE:
                if self._free_slots.acquire(blocking=False):
                    threading.Thread(target=self._answer, args=(peer, message), name="request", daemon=True).start()
                else:
                    peer.send(m.Answered(message.number, False, "late"))
            case _ if self.camera_link.on_message(peer, message):
                pass
            case _:
                self._faults.note("a service sent what only the table says", peer.service, type(message).__name__)

    def _take_health(self, peer: BusPeer, said: m.Health) -> None:
        """Update the state of the buttons from their service's health message."""
        with self._lock:
            self._peer = peer
            self._silence.restart()
            self._set(
                ButtonsStatus(
                    True, True, printable(said.kind, LONGEST), said.stamped, said.buttons, said.lamps,
                    printable(said.said, LONGEST_SAID), self.buttons.bus,
                )
            )  # fmt: skip

    def _answer(self, peer: BusPeer, asked: m.Asked) -> None:
        """Answer one request from the bus; only one is answered at a time."""
        try:
            self._answer_one(peer, asked)
        finally:
            self._free_slots.release()

    def _answer_one(self, peer: BusPeer, asked: m.Asked) -> None:
        answer = self._answers.get(asked.what)
        if answer is None:
            peer.send(m.Answered(asked.number, False, "unknown"))
            return
        with self._answering:
            try:
                peer.send(m.Answered(asked.number, True, "", answer()))
            except Exception as error:
                self._faults.trace("a question on the bus could not be answered", error)
                peer.send(m.Answered(asked.number, False, "failed"))

    def _on_joined(self, peer: BusPeer) -> None:
        def show(cues: tuple[m.Cue, ...]) -> None:
            for cue in cues:
                peer.send(cue)

        self.table.cues.greet(show)

    def _on_left(self, peer: BusPeer) -> None:
        if self._closing.is_set():
            return  # we are leaving, not the service
        self.camera_link.on_disconnect(peer)
        with self._lock:
            if peer is self._peer:
                self._peer = None
                self._lose()

    # --- state ------------------------------------------------------------------------------------

    def _watch(self) -> None:
        while not self._closing.wait(CHECK_EVERY):
            self.look()

    def look(self) -> None:
        """Detect a service that has been silent for too long or never came."""
        self.camera_link.look()
        with self._lock:
            self._set(replace(self.buttons, bus=self.bus.said))
            if self._silence.look_at(self._peer) > (LOST if self.buttons.expected else STARTING):
                self._lose()

    def _lose(self) -> None:
        if not self._closing.is_set():
            expected = self._expected or self.buttons.expected
            self._set(replace(self.buttons, expected=expected, alive=False, lamps=()))

    def _set(self, now: ButtonsStatus) -> None:
        """Change the state under the lock, so that listeners hear the changes in order."""
        trouble = BUTTONS if now.lost else ""
        was, self.buttons = self.buttons, now
        if trouble != self._announced_trouble:
            self._announced_trouble = trouble
            try:
                self.table.trouble(trouble)
            except WorkerClosed:
                return
        if was != now:
            self._listeners.tell(was, now)

    def _send_cues(self, cues: tuple[m.Cue, ...]) -> None:
        for cue in cues:
            self.bus.send(cue)
