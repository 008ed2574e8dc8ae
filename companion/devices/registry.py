"""The switchboard: connects the table with the services around it by the bus, and knows which of them live.

Presses go in, cues go out. Knows no rules and no pages; it runs beside the table, in the table's process.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.devices.bus import Address, BusPeer, SilenceTimer, serve
from companion.devices.camera_link import LOOK, LOST, CameraLink, CameraSnapshot, silence_of
from companion.devices.fault_log import FaultLog
from companion.messages import (
    SECOND,
    Answered,
    AnyMessage,
    Asked,
    ButtonState,
    Condition,
    Cue,
    Health,
    LampState,
    Message,
    PinDriven,
    Press,
)
from companion.table.scheduler import Clock
from companion.table.service import Table, WorkerClosed
from companion.threads.listeners import Listeners

COMING = 10 * SECOND
"""A service that is expected may take so long to come: Python starts slowly on a Raspberry Pi."""
QUESTIONS = 4
"""Questions to the table that may wait for their answers; each holds a thread."""
BUTTONS = "buttons"
TABLE = "table"
LOG = logging.getLogger(__name__)


class ButtonsStatus(msgspec.Struct, frozen=True):
    """How the buttons are: `expected` ones that are not `alive` are lost."""

    expected: bool = False
    alive: bool = False
    kind: str = ""
    """How the pins are reached: `lgpio`, `rpigpio`, `simulated`."""
    stamped: bool = True
    buttons: tuple[ButtonState, ...] = ()
    lamps: tuple[LampState, ...] = ()
    said: str = ""
    bus: str = ""
    """What is wrong with the bus on which they would come, as a sentence; empty: nothing."""

    @property
    def lost(self) -> bool:
        """Whether they were there, or should be, and are not."""
        return self.expected and not self.alive

    def out_of_play(self) -> dict[int, Condition]:
        """Return the seats with a button that is not to be relied on, and why.

        A seat may have two, a wired and a wireless one: one that is missing matters only where there is no other.
        """
        fine = {each.seat for each in self.buttons if each.condition in ("open", "closed")}
        return {
            each.seat: each.condition
            for each in self.buttons
            if each.condition in ("stuck", "chattering") or (each.condition == "missing" and each.seat not in fine)
        }


class DeviceRegistry:
    """Opens the bus of one table. Close it before the table.

    `expected`: a buttons service should be there; `camera`: a camera's service should. `lookout` is the part for the
    camera.
    """

    def __init__(
        self,
        table: Table,
        address: Address,
        expected: bool = False,
        clock: Clock = time.monotonic_ns,
        camera: bool = False,
    ) -> None:
        self.table = table
        self.address = address
        self.clock = clock
        self.camera_link = CameraLink(clock, camera)
        self.buttons = ButtonsStatus()
        self._expected = expected
        self._silence = SilenceTimer(clock, LOOK)
        self._peer: BusPeer | None = None
        self._listeners: Listeners[ButtonsStatus, ButtonsStatus] = Listeners(
            "the state of the buttons could not be shown"
        )
        self._hear: Listeners[Press] = Listeners("a press could not be used")
        self._lock = threading.RLock()
        """Held whenever `buttons` changes: the next state follows from the present one."""
        self._trouble = ""
        self._answers: dict[str, Callable[[], dict[str, Any]]] = {}
        self._answering = threading.Lock()
        self._room = threading.BoundedSemaphore(QUESTIONS)
        self._faults = FaultLog(LOG)
        self._closing = threading.Event()
        self.bus = serve(address, self._heard, self._joined, self._left)
        table.cues.listen(self._show)
        self._thread = threading.Thread(target=self._watch, name="switchboard", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Close the bus."""
        self._closing.set()
        self._thread.join()
        self.bus.close()

    def listen(self, listener: Callable[[ButtonsStatus, ButtonsStatus], None]) -> None:
        """Call a function with how the buttons were and are, after every change; it must not wait."""
        self._listeners.add(listener)

    def hear(self, listener: Callable[[Press], None]) -> None:
        """Call a function with every press from now on, in a thread of the bus; it must not wait."""
        self._hear.add(listener)

    def drive(self, driven: PinDriven) -> bool:
        """Drive a simulated pin, as the bench panel does; False where pins are real or nobody is there."""
        peer = self._peer
        return self.buttons.alive and self.buttons.kind == "simulated" and peer is not None and peer.send(driven)

    def ask_buttons(self, what: str, timeout: float) -> Answered:
        """Ask the buttons' service, and wait for its answer, for so many seconds at most."""
        return self.camera_link.asking.ask(self._peer, what, {}, BUTTONS, timeout)

    def answer(self, what: str, answer: Callable[[], dict[str, Any]]) -> None:
        """Have a question to the table answered by a function from now on; it may take its time."""
        self._answers[what] = answer

    @property
    def camera(self) -> CameraSnapshot:
        """How the camera is."""
        return self.camera_link.camera

    # --- the bus's threads ------------------------------------------------------------------------

    def _heard(self, peer: BusPeer, message: AnyMessage) -> None:
        match message:
            case Press():
                self._hear.tell(message)
                with contextlib.suppress(WorkerClosed):
                    self.table.press(message)
            case Health(service=service) if service == BUTTONS:
                self._live(peer, message)
            case PinDriven():
                self._driven(message)
            case Asked(service=service) if service == TABLE:
                if self._room.acquire(blocking=False):
                    threading.Thread(target=self._answer, args=(peer, message), name="asked", daemon=True).start()
                else:
                    peer.send(Answered(message.number, False, "late"))
            case _ if self.camera_link.heard(peer, message):
                pass
            case _:
                self._faults.note("a service sent what only the table says", peer.service, type(message).__name__)

    def _live(self, peer: BusPeer, said: Health) -> None:
        """Take in how the buttons' service says that it is."""
        with self._lock:
            self._peer = peer
            self._silence.spoke()
            self._set(
                ButtonsStatus(
                    True, True, said.kind, said.stamped, said.buttons, said.lamps, said.said, self.buttons.bus
                )
            )  # fmt: skip

    def _driven(self, driven: PinDriven) -> None:
        """Take in that the service has switched a lamp."""
        with self._lock:
            lamps = [replace(lamp, on=driven.high) if lamp.pin == driven.pin else lamp for lamp in self.buttons.lamps]
            self._set(replace(self.buttons, lamps=tuple(lamps)))

    def _answer(self, peer: BusPeer, asked: Asked) -> None:
        """Answer what somebody on the bus asks of the table, one question after the other."""
        try:
            self._answer_one(peer, asked)
        finally:
            self._room.release()

    def _answer_one(self, peer: BusPeer, asked: Asked) -> None:
        answer = self._answers.get(asked.what)
        if answer is None:
            peer.send(Answered(asked.number, False, "unknown"))
            return
        with self._answering:
            try:
                peer.send(Answered(asked.number, True, "", answer()))
            except Exception as error:
                self._faults.trace("a question on the bus could not be answered", error)
                peer.send(Answered(asked.number, False, "failed"))

    def _joined(self, peer: BusPeer) -> None:
        def show(cues: tuple[Cue, ...]) -> None:
            for cue in cues:
                peer.send(cue)

        self.table.cues.greet(show)

    def _left(self, peer: BusPeer) -> None:
        if self._closing.is_set():
            return  # it is we who leave
        self.camera_link.left(peer)
        with self._lock:
            if peer is self._peer:
                self._peer = None
                self._lose()

    # --- how they are -----------------------------------------------------------------------------

    def _watch(self) -> None:
        while not self._closing.wait(LOOK):
            self.look()

    def look(self) -> None:
        """Notice a service that has been silent for too long, or that was expected and has never come."""
        self.camera_link.look()
        with self._lock:
            self._set(replace(self.buttons, bus=self.bus.said))
            if silence_of(self._peer, self._silence) > (LOST if self.buttons.expected else COMING):
                self._lose()

    def _lose(self) -> None:
        if not self._closing.is_set():
            expected = self._expected or self.buttons.expected
            self._set(replace(self.buttons, expected=expected, alive=False, lamps=()))

    def _set(self, now: ButtonsStatus) -> None:
        """Change how the buttons are, under the lock: what is told last is what is true."""
        trouble = BUTTONS if now.lost else ""
        was, self.buttons = self.buttons, now
        if trouble != self._trouble:
            self._trouble = trouble
            try:
                self.table.trouble(trouble)
            except WorkerClosed:
                return
        if was != now:
            self._listeners.tell(was, now)

    def _show(self, cues: tuple[Cue, ...]) -> None:
        for cue in cues:
            self._send(cue)

    def _send(self, message: Message) -> None:
        self.bus.send(message)
