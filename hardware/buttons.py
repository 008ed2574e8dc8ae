"""Everything that is wired: contacts, lamps, buzzer.

One thread owns a `ButtonBoard` and calls `wait` in a loop; all callbacks run in that thread:

    with ButtonBoard(DEFAULT, open_pins("auto"), on_press=print) as buttons:
        while True:
            buttons.wait(time.monotonic_ns() + 100 * MILLISECOND)
            buttons.show((True, False, False, False, False, False), buzzer=False)
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable
from functools import partial
from queue import Empty
from typing import TypeVar

from gpiozero import LED, Buzzer, CompositeOutputDevice, InputDevice

from companion.messages import HOST, MILLISECOND, SECOND, ButtonState, Condition, LampState, Press
from companion.threads.inbox import Inbox
from hardware.debounce import Debounce
from hardware.pins.factory import CLOSED, Pins
from hardware.wiring.wiring import Wiring

D = TypeVar("D")

REARM = 50 * MILLISECOND
"""Nanoseconds after which the alerts are armed again.

lgpio's thread can miss the wake-up of its first alerts and stay deaf: lgPthAlerts.c waits on a condition without a
predicate (seen with lgpio 0.2.2 on one core in 25 of 100 starts). Arming the alerts again wakes it.
"""
UNSTAMPED = 10 * MILLISECOND
"""The largest error of a time that Python takes instead of the kernel, in nanoseconds."""
OTHER_CLOCK = 60 * SECOND
"""A stamp farther than this from now, in nanoseconds, comes from another clock: before 5.7, kernels used the wall
clock."""
FINAL = 300_000
"""Nanoseconds before a deadline that are spent in short sleeps, because a queue's own timeout may overshoot by this
much."""

WITHOUT_PINS = Wiring(())
"""The shape of a wiring while no pin can be opened."""


def ignore(*heard: object) -> None:
    """Do nothing."""


def name_of(seat: int) -> str:
    """Return the name of a seat's button for use in a sentence."""
    return "The host's button" if seat == HOST else f"The button of seat {seat + 1}"


class Contact:
    """One button's pin. It reports each edge with its time, in gpiozero's thread."""

    def __init__(
        self,
        seat: int,
        pin: int,
        pins: Pins,
        heard: Callable[[int, int, bool], None],
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Open the pin; raise the factory's own error if it is in use or missing."""
        self.seat = seat
        self._on_edge, self._clock = heard, clock
        self._stamped = pins.stamped
        self._device = InputDevice(pin, pull_up=True, pin_factory=pins.factory)

    def arm(self) -> None:
        """Start listening, or start again."""
        # gpiozero's Button and its bounce_time do not help: `when_pressed` gives no time, and lgpio's debounce drops
        # edges and delays the stamps of the others by its own duration. The calls below are the public interface
        # beneath them.
        pin = self._device.pin
        pin.bounce = None
        pin.edges = "both"
        # gpiozero keeps only a weak reference, so this object must stay alive.
        pin.when_changed = self._on_change

    @property
    def closed(self) -> bool:
        """Whether the contact is closed now; buttons close to ground."""
        return not self._device.pin.state

    def close(self) -> None:
        """Release the pin."""
        if not self._device.closed:
            # lgpio's callbacks outlive their pins and would break the next user.
            self._device.pin.when_changed = None
        self._device.close()

    def _on_change(self, ticks: float, state: int) -> None:
        now = self._clock()
        at = round(ticks * SECOND) if self._stamped else now
        if abs(now - at) > OTHER_CLOCK:
            at = now
        self._on_edge(self.seat, at, not state)


class ButtonBoard:
    """All buttons, lamps and the buzzer of a wiring. A pin in use makes its button `missing`; the others still work."""

    def __init__(
        self,
        wiring: Wiring,
        pins: Pins,
        *,
        on_edge: Callable[[int, int, bool], None] = ignore,
        on_press: Callable[[Press], None] = ignore,
        on_condition: Callable[[int, Condition], None] = ignore,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Open all pins of a wiring.

        `on_edge(seat, at, closed)`: every raw edge, before debouncing. `on_press(press)`: every debounced press.
        `on_condition(seat, condition)`: a button's condition changed. Seats count from 0; `HOST` is the host's button.
        `clock` returns nanoseconds.
        """
        self.wiring, self.pins = wiring, pins
        self._on_edge, self._on_press, self._on_condition = on_edge, on_press, on_condition
        self._clock = clock
        self._inbox: Inbox[Callable[[], None]] = Inbox()
        self._complaints: list[str] = [pins.said] if pins.said else []
        self._wired = wiring if pins.kind != CLOSED else WITHOUT_PINS
        self._pin_of = dict(enumerate(wired.button for wired in self._wired.seats))
        if self._wired.host is not None:
            self._pin_of[HOST] = self._wired.host
        self._contacts: dict[int, Contact] = {}
        self._debounces: dict[int, Debounce] = {}
        self._conditions: dict[int, Condition] = {}
        self._closed = False
        self._open_contacts()
        self._open_lamps()
        self._rearm: int | None = clock() + REARM

    @property
    def said(self) -> tuple[str, ...]:
        """Messages about everything that is currently wrong with pins, buttons and lamps."""
        stuck = (
            f"{name_of(seat)} {FAULT_TEXTS[condition].format(seconds=self.wiring.stuck_s)}"
            for seat, condition in self._conditions.items()
            if condition in FAULT_TEXTS
        )
        return (*self._complaints, *stuck)

    def wait(self, until: int) -> None:
        """Wait until a time (ns) for edges, `later` calls and due work; return after the first of these."""
        due = self.due()
        self._take(until if due is None else min(until, due))
        self._tick(self._clock())

    def later(self, call: Callable[[], None]) -> None:
        """Have `wait` make a call. Safe in any thread and in a signal handler."""
        self._inbox.put(call)

    def due(self) -> int | None:
        """Return the next time (ns) at which `wait` must be awake, or None."""
        moments = [due for debounce in self._debounces.values() if (due := debounce.due()) is not None]
        if self._rearm is not None:
            moments.append(self._rearm)
        return min(moments, default=None)

    def check(self) -> None:
        """Compare all levels with the edges received, to detect a lost edge."""
        self._tick(self._clock(), everything=True)

    def show(self, lamps: tuple[bool, ...], buzzer: bool = False) -> None:
        """Set all lamps (by seat; missing ones are skipped) and the buzzer at once."""
        if self._lamps is not None:
            self._lamps.value = tuple(int(seat < len(lamps) and lamps[seat]) for seat in self._lamp_seats)
        if self._buzzer is not None:
            self._buzzer.value = int(buzzer)

    def buttons(self) -> tuple[ButtonState, ...]:
        """Return every button's state: the seats in order, then the host's."""
        return tuple(ButtonState(seat, pin, self._conditions[seat]) for seat, pin in self._pin_of.items())

    def lamps(self) -> tuple[LampState, ...]:
        """Return the state of every lamp, by seat, then of the buzzer (`HOST`)."""
        values = () if self._lamps is None else self._lamps.value
        found = [
            LampState(seat, self.wiring.seats[seat].lamp or 0, bool(value))
            for seat, value in zip(self._lamp_seats, values, strict=True)
        ]
        if self._buzzer is not None:
            found.append(LampState(HOST, self.wiring.buzzer or 0, bool(self._buzzer.value)))
        return tuple(found)

    def noise(self, seat: int) -> int:
        """Return the number of closings of a seat's button that were too short for a press."""
        found = self._debounces.get(seat)
        return 0 if found is None else found.noise

    def close(self) -> None:
        """Switch off all lamps and the buzzer, and release all pins; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        with contextlib.ExitStack() as closing:  # an output that fails must not leave the others on
            closing.callback(self.pins.factory.close)
            for device in (*self._contacts.values(), self._lamps, self._buzzer):
                if device is not None:
                    closing.callback(device.close)
            closing.callback(self.show, ())

    def __enter__(self) -> ButtonBoard:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- pins -------------------------------------------------------------------------------------

    def _open_contacts(self) -> None:
        within = 0 if self.pins.stamped else UNSTAMPED
        for seat, pin in self._pin_of.items():
            contact = self._try_open(
                name_of(seat), pin, partial(Contact, seat, pin, self.pins, self._queue_edge, self._clock)
            )
            self._conditions[seat] = "missing" if contact is None else "open"
            if contact is not None:
                debounce = Debounce(seat, self.wiring, self._clock(), contact.closed, within)
                self._contacts[seat], self._debounces[seat] = contact, debounce
                self._conditions[seat] = debounce.condition
                contact.arm()

    def _open_lamps(self) -> None:
        lamps: dict[int, LED] = {}
        for seat, wired in enumerate(self._wired.seats):
            if wired.lamp is not None:
                lamp = self._try_open(
                    f"The lamp of seat {seat + 1}", wired.lamp, partial(self._output, LED, wired.lamp)
                )
                if lamp is not None:
                    lamps[seat] = lamp
        self._lamp_seats = tuple(lamps)
        # Not an LEDBoard, which opens all lamps or none: one pin in use must not disable the others.
        self._lamps = CompositeOutputDevice(*lamps.values(), pin_factory=self.pins.factory) if lamps else None
        self._buzzer: Buzzer | None = None
        if self._wired.buzzer is not None:
            self._buzzer = self._try_open(
                "The buzzer", self._wired.buzzer, partial(self._output, Buzzer, self._wired.buzzer)
            )

    def _output(self, device: Callable[..., D], pin: int) -> D:
        return device(pin, pin_factory=self.pins.factory)

    def _try_open(self, name: str, pin: int, opened: Callable[[], D]) -> D | None:
        try:
            return opened()
        except Exception as error:  # lgpio's errors are bare Exceptions
            self._complaints.append(f"{name} cannot be reached at GPIO {pin}: {error}.")
            return None

    # --- edges and times --------------------------------------------------------------------------

    def _queue_edge(self, seat: int, at: int, closed: bool) -> None:
        """Queue an edge, in gpiozero's thread."""
        self._inbox.put(partial(self._edge, seat, at, closed))

    def _edge(self, seat: int, at: int, closed: bool) -> None:
        self._on_edge(seat, at, closed)
        self._tell(seat, self._debounces[seat].edge(at, closed))

    def _take(self, until: int) -> None:
        """Make all waiting calls; if there is none, wait for one until a time (ns)."""
        call = self._next(until)
        while call is not None:
            call()
            call = self._next(0)

    def _next(self, until: int) -> Callable[[], None] | None:
        while True:
            left = until - self._clock()
            try:
                if left <= 0:
                    return self._inbox.get()
                if left > FINAL:
                    return self._inbox.get(timeout=(left - FINAL) / SECOND)
                return self._inbox.get(timeout=left / 4 / SECOND)
            except Empty:
                if left <= 0:
                    return None

    def _tick(self, now: int, everything: bool = False) -> None:
        if self._rearm is not None and now >= self._rearm:
            self._rearm = None
            for contact in self._contacts.values():
                contact.arm()
            everything = True  # an edge may have been missed before
        for seat, debounce in self._debounces.items():
            due = debounce.due()
            if everything or (due is not None and due <= now):
                self._tell(seat, debounce.tick(now, self._contacts[seat].closed))

    def _tell(self, seat: int, presses: Iterable[Press]) -> None:
        for press in presses:
            self._on_press(press)
        condition = self._debounces[seat].condition
        if condition != self._conditions[seat]:
            self._conditions[seat] = condition
            self._on_condition(seat, condition)


FAULT_TEXTS: dict[Condition, str] = {
    "stuck": "has been closed for more than {seconds} seconds and is out of play until it has been open for a second.",
    "chattering": "chatters and is out of play until it has been quiet for a second: is a wire loose?",
}
