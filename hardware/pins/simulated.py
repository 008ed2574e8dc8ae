"""Simulated pins: gpiozero's mock pins, pressed by simulated fingers with realistic faults.

A `Motion` is one contact that closes or opens at a certain time; its edge is delivered then or later, with a stamp.
`ContactSimulator` schedules motions and performs each when it is due, optionally in its own thread. As with real pins,
the service receives edges in another thread and reads levels.
"""

from __future__ import annotations

import heapq
import itertools
import random
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import msgspec
from gpiozero.pins.mock import MockFactory, MockPin

from companion.messages import MILLISECOND, SECOND

REVISION = "c03111"
"""The simulated machine is a Raspberry Pi 4B."""
LONGEST_SPIKE = 900_000
"""The longest noise spike in nanoseconds, shorter than any press."""


class Faults(msgspec.Struct, frozen=True):
    """The faults of simulated buttons; none by default."""

    bounce: int = 0
    """The number of times that a contact reopens at every closing, and recloses at every opening."""
    bounce_ms: float = 4.0
    """The longest bounce of a contact."""
    jitter_ms: float = 0.0
    """The largest delay of stamps."""
    late_ms: float = 0.0
    """The largest delay of edges whose stamps are right."""
    disorder: bool = False
    """Whether late edges of one button may overtake one another."""
    noise_per_s: float = 0.0
    """The number of spikes per second on every button, each shorter than a millisecond."""
    stuck: tuple[int, ...] = ()
    """The BCM numbers of buttons that stay closed once they are pressed."""
    seed: int = 1


class SimulatedPin(MockPin):  # type: ignore[misc]
    """A mock pin whose level and edges are set separately: an edge may have any time and come late."""

    _pressed = False

    def level(self, high: bool) -> None:
        """Set the level from outside without delivering an edge; this does not affect outputs."""
        if self.function == "input":
            self._pressed = not high
            self._change_state(high)

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self._pressed:  # a finger overrides the pull-up
            self._change_state(False)

    def tell(self, high: bool, at: int) -> None:
        """Deliver an edge with its stamp in nanoseconds."""
        with self._when_changed_lock:
            if self._when_changed is not None:
                # MockPin's own method takes no timestamp; its parent's does
                super(MockPin, self)._call_when_changed(at / SECOND, high)


def simulated_factory() -> MockFactory:
    """Return gpiozero's mock factory with simulated pins."""
    return MockFactory(revision=REVISION, pin_class=SimulatedPin)


class Motion(NamedTuple):
    """A contact changes at `at`; its edge is stamped `stamp` and delivered at `delivered`."""

    at: int
    closed: bool
    stamp: int
    delivered: int


class Finger:
    """Turns “pressed” and “released” into edges. A finger with the same seed always presses in the same way."""

    def __init__(self, faults: Faults, pin: int) -> None:
        self._faults = faults
        self._stuck = pin in faults.stuck
        self._luck = random.Random(f"{faults.seed}/{pin}")
        self._last = 0

    def motions(self, closed: bool, at: int) -> list[Motion]:
        """Return the motions of a contact that is pressed or released; bounces lie between the first and the last."""
        if self._stuck and not closed:
            return []
        more = 2 * self._faults.bounce
        longest = int(self._faults.bounce_ms * MILLISECOND)
        moments = [at, *sorted(at + 1 + int(self._luck.random() * longest) for _ in range(more))]
        return [self._motion(moment, closed == (n % 2 == 0)) for n, moment in enumerate(moments)]

    def spike(self, at: int) -> list[Motion]:
        """Return a closing too short for a press."""
        end = at + 1 + int(self._luck.random() * LONGEST_SPIKE)
        return [self._motion(at, True), self._motion(end, False)]

    def next_spike(self, now: int) -> int:
        """Return the time of the next spike."""
        return now + int(self._luck.expovariate(self._faults.noise_per_s) * SECOND)

    def _motion(self, at: int, closed: bool) -> Motion:
        stamp = at + int(self._luck.random() * self._faults.jitter_ms * MILLISECOND)
        delivered = stamp + int(self._luck.random() * self._faults.late_ms * MILLISECOND)
        if not self._faults.disorder:  # the kernel keeps the edges of one line in order
            delivered = self._last = max(self._last, delivered)
        return Motion(at, closed, stamp, delivered)


class ContactSimulator:
    """All simulated buttons of a factory and their motions. `play` performs due motions; any thread may press."""

    def __init__(
        self,
        factory: MockFactory,
        faults: Faults | None = None,
        noisy: tuple[int, ...] = (),
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Start a simulation; only the buttons with the BCM numbers `noisy` get `Faults.noise_per_s`."""
        self._factory = factory
        self._faults = faults or Faults()
        self._clock = clock
        self._fingers: dict[int, Finger] = {}
        self._order = itertools.count()
        self._todo: list[tuple[int, int, Callable[[], None]]] = []
        self._news = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None
        if self._faults.noise_per_s > 0:
            for pin in noisy:
                self._make_noise(pin, clock())

    def drive(self, pin: int, high: bool, at: int = 0) -> None:
        """Press a button (low: buttons close to ground) or release it, at a time or (0) now."""
        self._schedule(pin, self._finger(pin).motions(not high, at or self._clock()))

    def due(self) -> int | None:
        """Return when the next motion is due (ns), or None."""
        with self._news:
            return self._todo[0][0] if self._todo else None

    def play(self, now: int) -> None:
        """Perform all motions due by a time."""
        while True:
            with self._news:
                if not self._todo or self._todo[0][0] > now:
                    return
                _, _, act = heapq.heappop(self._todo)
            act()

    def start(self) -> None:
        """Play in a separate thread, in real time, until `close`."""
        self._thread = threading.Thread(target=self._run, name="contact simulator", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread; the buttons no longer move."""
        with self._news:
            self._closed = True
            self._todo.clear()
            self._news.notify_all()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while True:
            with self._news:
                if self._closed:
                    return
                wait = (self._todo[0][0] - self._clock()) / SECOND if self._todo else None
                if wait is None or wait > 0:
                    self._news.wait(wait)
            self.play(self._clock())

    def _finger(self, pin: int) -> Finger:
        return self._fingers.setdefault(pin, Finger(self._faults, pin))

    def _schedule(self, pin: int, motions: list[Motion]) -> None:
        found: SimulatedPin = self._factory.pin(pin)
        for motion in motions:
            self._later(motion.at, partial(found.level, not motion.closed))
            self._later(motion.delivered, partial(found.tell, not motion.closed, motion.stamp))

    def _later(self, at: int, act: Callable[[], None]) -> None:
        with self._news:
            if not self._closed:
                heapq.heappush(self._todo, (at, next(self._order), act))
                self._news.notify_all()

    def _make_noise(self, pin: int, now: int) -> None:
        finger = self._finger(pin)
        at = finger.next_spike(now)

        def spike() -> None:
            if self._factory.pin(pin).state:  # a spike is visible only while nobody presses
                self._schedule(pin, finger.spike(at))
            self._make_noise(pin, at)

        self._later(at, spike)
