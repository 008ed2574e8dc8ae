"""Derives presses and their times from the messages of a wireless button. Callers pass times in nanoseconds.

A wireless press carries no stamp. Assume that it took half of the button's round trip, which pings measure; the true
time lies between its arrival and its arrival minus the longest round trip.
"""

from __future__ import annotations

import statistics
from collections import deque

from companion.devices.bus.clock_sync import UNMEASURED, ClockQuestions
from companion.messages import MILLISECOND, SECOND, Condition, Press

KEPT = 16
"""The number of round trips remembered for each button."""
FRESH = 30 * SECOND
"""The maximum age of a usable round trip, in nanoseconds."""
SETTLING = 300 * MILLISECOND
"""Nanoseconds after a device has (re)connected within which an ON is no press: it reports the button's state, or its
age is unknown."""


class Transit:
    """The delay of messages from a button, based on the latest round trips."""

    def __init__(self) -> None:
        self._questions: ClockQuestions[str] = ClockQuestions()
        self._trips: deque[tuple[int, int]] = deque(maxlen=KEPT)

    def note_ping(self, word: str, at: int) -> None:
        """Record a ping that was sent; drop older unanswered ones."""
        self._questions.note_question(word, at)

    def note_answer(self, word: str, at: int) -> None:
        """Record an answer; unrequested, repeated and late answers measure nothing."""
        sent = self._questions.take_question(word, at)
        if sent is not None:
            self._trips.append((at, at - sent))

    def forget(self) -> None:
        """Drop all measurements, because the path has changed."""
        self._questions.forget()
        self._trips.clear()

    def trips(self, now: int) -> tuple[int, int, int] | None:
        """Return the shortest, the median and the longest round trip (ns), or None."""
        fresh = sorted(trip for at, trip in self._trips if now - at <= FRESH)
        return (fresh[0], int(statistics.median(fresh)), fresh[-1]) if fresh else None

    def moment(self, arrival: int) -> tuple[int, int]:
        """Return when a message was sent, from its arrival, and the uncertainty (ns to either side)."""
        trips = self.trips(arrival)
        if trips is None:
            return arrival, UNMEASURED
        _, median, longest = trips
        way = median // 2
        return arrival - way, max(way, longest - way)


class RadioButton:
    """One wireless button; turns its messages into presses."""

    def __init__(self, seat: int, hold: int, stuck: int) -> None:
        """Begin with an open, missing button; `hold` and `stuck` are nanoseconds."""
        self.seat = seat
        self.transit = Transit()
        self.online = False
        self._hold, self._stuck = hold, stuck
        self._since: int | None = None
        self._settled = 0
        self._within = 0
        self._held = False

    def receive(self, payload: bytes, old: bool, arrival: int) -> list[Press]:
        """Handle a message of the button; ignore `old` (retained or repeated) ones, and all except ON and OFF."""
        if old or payload not in (b"ON", b"OFF"):
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
        """Return the report of a held button that is due."""
        due = self.due()
        if due is None or now < due or self._since is None:
            return []
        self._held = True
        return [self._press_held(self._since)]

    def due(self) -> int | None:
        """Return when `tick` can report a held button; any earlier OFF must have arrived by then."""
        if self._since is None or self._held:
            return None
        return self._since + self._hold + 2 * self._within

    def note_online(self, at: int) -> None:
        """Record that the device has connected or reconnected."""
        self.note_offline()
        self.online, self._settled = True, at + SETTLING

    def note_offline(self) -> None:
        """Record that the button is out of reach: neither closed nor measured, with no press pending."""
        self.online, self._since = False, None
        self.transit.forget()

    def condition(self, now: int) -> Condition:
        """Return the condition of the button."""
        if not self.online:
            return "missing"
        if self._since is None:
            return "open"
        return "stuck" if now - self._since > self._stuck else "closed"

    def _press_held(self, since: int) -> Press:
        return Press(self.seat, since + self._hold, "held", since, "radio", self._within)
