"""The buttons service: one loop between pins and bus.

Enter at `serve`. The service and the trial share `ButtonBoard` (in `hardware.buttons`). A press that no table receives
is dropped, not delivered later.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from companion import messages as m
from companion.config import ConfigError
from companion.devices.bus import Address, join
from companion.devices.fault_log import FaultLog
from companion.findings import Finding, answer_of
from companion.ops.systemd import SystemdNotifier
from hardware.buttons import ButtonBoard
from hardware.doctor.diagnosis import judge_running
from hardware.lamps.renderer import LampRenderer
from hardware.pins.factory import Pins, PinsError, closed_pins, open_pins
from hardware.pins.simulated import ContactSimulator, Faults
from hardware.wiring.wiring import Wiring

if TYPE_CHECKING:
    from hardware.radio.radio import Radio

__all__ = ["ButtonBoard", "ButtonsService", "ButtonsSetup", "serve"]

HEALTH_EVERY = 400 * m.MILLISECOND
ALONE = 2 * m.SECOND
"""Nanoseconds without a bus after which the lamps signal trouble."""
PRIORITY = 10
"""The real-time priority that the service asks the system for."""
NICE = -10
LOG = logging.getLogger(__name__)


class ButtonsSetup(NamedTuple):
    """What the buttons service needs to serve."""

    wiring: Wiring
    radio: Radio | None = None
    """The wireless buttons, if there are any."""
    left_out: tuple[Finding, ...] = ()
    """The settings that the service ignores, with the reason."""
    faults: Faults | None = None
    """The faults of simulated pins."""


def serve(setup: ButtonsSetup, kind: str, bus: Address) -> None:
    """Run the buttons until SIGTERM or SIGINT; raise `PinsError` if the requested pins cannot be opened.

    `kind` is `auto`, `lgpio`, `rpigpio` or `simulated`.
    """
    notify = SystemdNotifier.from_environment()
    with hurrying():  # before any thread starts: gpiozero's and lgpio's threads inherit the priority
        service = ButtonsService(setup, pins_to_serve(kind), bus, notify=notify)
        with _stop_on_signals(service.stop):
            service.run()


def pins_to_serve(kind: str) -> Pins:
    """Return the pins. With `auto`, if no pin can be opened, the service runs without pins, and pages say why.

    Raise `PinsError` if a requested kind cannot be opened.
    """
    try:
        return open_pins(kind)
    except PinsError as error:
        if kind != "auto":
            raise
        LOG.error("%s", error)
        return closed_pins(str(error))


@contextlib.contextmanager
def hurrying() -> Iterator[None]:
    """Raise the priority of this thread and its children if the system allows it; restore it afterwards."""
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    try:
        policy, parameters = os.sched_getscheduler(0), os.sched_getparam(0)
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except (OSError, AttributeError):
        policy = None
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, 0, NICE)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if policy is None:
                os.setpriority(os.PRIO_PROCESS, 0, nice)
            else:
                os.sched_setscheduler(0, policy, parameters)


@contextlib.contextmanager
def _stop_on_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Let SIGTERM and SIGINT stop the service; do nothing outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, lambda *_: stop()) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class ButtonsService:
    """Buttons, lamps and bus in one loop. Any thread may call `stop`; only the loop's own thread may call anything
    else."""

    def __init__(
        self,
        setup: ButtonsSetup,
        pins: Pins,
        bus: Address,
        clock: Callable[[], int] = time.monotonic_ns,
        notify: SystemdNotifier | None = None,
    ) -> None:
        """Open all pins and join the bus; `clock` returns nanoseconds, `notify` reports to systemd."""
        self._clock = clock
        self._notify = notify or SystemdNotifier()
        self._faults = FaultLog(LOG)
        self._left_out = setup.left_out
        self._said = tuple([str(ConfigError(each)) for each in setup.left_out])
        for sentence in self._said:
            LOG.error("%s", sentence)
        seats = len(setup.wiring.seats)
        self._lamps = LampRenderer(seats)
        self._shown: tuple[tuple[bool, ...], bool] = ((False,) * seats, False)
        self._ending = False
        self._connected_since: int | None = None
        self._lonely_at: int | None = clock() + ALONE
        self._health_at = clock()
        self.buttons = ButtonBoard(
            setup.wiring, pins, on_press=self._on_press, on_condition=self._on_condition, clock=clock
        )
        self._simulator: ContactSimulator | None = None
        if pins.kind == "simulated":
            noisy = tuple(state.pin for state in self.buttons.buttons() if state.condition != "missing")
            self._simulator = ContactSimulator(pins.factory, setup.faults, noisy, clock)
            self._simulator.start()
        later = self.buttons.later
        self._bus = join(
            bus,
            "buttons",
            on_message=lambda message: later(partial(self._on_message, message)),
            on_joined=lambda: later(partial(self._on_joined, clock())),
            on_left=lambda: later(self._on_left),
        )
        self._radio = radio = setup.radio
        if radio is not None:
            radio.start(lambda press: later(partial(self._on_press, press)), lambda: later(self._send_health_soon))

    def stop(self) -> None:
        """End the loop soon. Safe in any thread and in a signal handler."""
        self.buttons.later(self._end)

    def run(self) -> None:
        """Serve until `stop`; then switch off the lamps and release the pins."""
        self._notify.ready(f"{len(self.buttons.buttons())} buttons, {self.buttons.pins.kind}")
        try:
            while not self._ending:
                self._step()
                self._notify.alive()
        finally:
            self._notify.stopping()
            self.close()

    def close(self) -> None:
        """Leave the bus, switch off the lamps and release the pins."""
        if self._radio is not None:
            self._radio.stop()
        self._bus.close()
        if self._simulator is not None:
            self._simulator.close()
        self.buttons.close()

    # --- the loop ---------------------------------------------------------------------------------

    def _step(self) -> None:
        now = self._clock()
        moments = (self._health_at, self._lonely_at, self._lamps.due(now))
        self.buttons.wait(min(moment for moment in moments if moment is not None))
        now = self._clock()
        if self._lonely_at is not None and now >= self._lonely_at:
            self._lonely_at = None
            self._lamps.show(m.Trouble(what="buttons"), now)
        self._light(now)
        if now >= self._health_at:
            self.buttons.check()
            self._tell_health()

    def _light(self, now: int) -> None:
        """Update lamps and buzzer at once."""
        lamps, buzzer = self._lamps.lamps(now), self._lamps.buzzer(now)
        if (lamps, buzzer) == self._shown:
            return
        self._shown = lamps, buzzer
        before = self.buttons.lamps()
        self.buttons.show(lamps, buzzer)
        if self._simulator is not None:
            for old, new in zip(before, self.buttons.lamps(), strict=True):
                if old != new:
                    self._bus.send(m.PinDriven(new.pin, new.on, self._clock()))

    def _tell_health(self) -> None:
        now = self._clock()
        self._health_at = now + HEALTH_EVERY
        self._bus.send(self._health(now))

    def _health(self, now: int) -> m.Health:
        buttons, pins = self.buttons, self.buttons.pins
        found = buttons.buttons() + (self._radio.buttons() if self._radio is not None else ())
        said = " ".join(self._said + self._complaints())
        return m.Health("buttons", now, pins.kind, pins.stamped, found, buttons.lamps(), said)

    def _complaints(self) -> tuple[str, ...]:
        """Return the problems of pins, buttons and lamps, wired or wireless."""
        return self.buttons.said + (self._radio.said if self._radio is not None else ())

    def _answer(self, asked: m.Asked) -> None:
        """Answer an examination from the service's knowledge, without lighting a lamp or opening a pin."""
        if asked.what != "examine":
            self._bus.send(m.Answered(asked.number, False, "unknown"))
            return
        why = self.buttons.pins.said
        health = self._health(self._clock())
        health = msgspec.structs.replace(health, said=" ".join([each for each in self._complaints() if each != why]))
        findings = [*self._left_out, *judge_running(self.buttons.wiring, health, why)]
        self._bus.send(m.Answered(asked.number, True, "", answer_of(findings)))

    # --- received events --------------------------------------------------------------------------

    def _on_press(self, press: m.Press) -> None:
        since = self._connected_since
        if since is not None and (press.since or press.at) >= since:
            self._bus.send(press)
        if press.contact == "closed":
            now = self._clock()
            self._lamps.echo_press(press.seat, now)
            self._light(now)

    def _on_condition(self, seat: int, condition: m.Condition) -> None:
        if condition not in ("open", "closed"):
            self._faults.note(f"the button of seat {seat} is {condition}", "")
        self._send_health_soon()

    def _send_health_soon(self) -> None:
        self._health_at = self._clock()

    def _on_message(self, message: m.AnyMessage) -> None:
        match message:
            case m.Cue():
                self._lamps.show(message, self._clock())
            case m.PinDriven() if self._simulator is not None:
                self._drive(message)
            case m.Asked(service="buttons"):
                self._answer(message)
            case m.PinDriven():
                self._faults.note(f"pin {message.pin} is real and cannot be driven over the bus", "")
            case _:
                pass  # presses and health concern only the table

    def _drive(self, driven: m.PinDriven) -> None:
        if any(driven.pin == state.pin and state.condition != "missing" for state in self.buttons.buttons()):
            assert self._simulator is not None
            self._simulator.drive(driven.pin, driven.high, driven.at)
        else:
            self._faults.note(f"there is no button at pin {driven.pin}", "")

    def _on_joined(self, since: int) -> None:
        self._connected_since, self._lonely_at = since, None
        self._lamps.show(m.Trouble(), self._clock())
        self._health_at = self._clock()

    def _on_left(self) -> None:
        now = self._clock()
        self._connected_since, self._lonely_at = None, now + ALONE
        # Without the bus, nobody could stop a countdown.
        self._lamps.show(m.Stopped(), now)

    def _end(self) -> None:
        self._ending = True
