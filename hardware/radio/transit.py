"""What a wireless press is worth: how old it is, and when a device's word is a press. Pure: moments (ns) are handed in.

A wireless press has no stamp of its own. It is taken to be as old as half a round trip to its button, which pings
measure; the true moment lies between its arrival and its arrival less the longest round trip.
"""

from __future__ import annotations

import statistics
from collections import deque

from companion.devices.bus.clock_sync import UNMEASURED, ClockQuestions
from companion.messages import MILLISECOND, SECOND, Condition, Press

KEPT = 16
"""Round trips that are remembered for each button."""
FRESH = 30 * SECOND
"""A round trip older than this says nothing any more."""
SETTLING = 300 * MILLISECOND
"""A device that has just come (back) tells how its button is: so early an ON is no press, or one of unknown age."""


class Transit:
    """How long messages take from a button, by the last round trips to it and back."""

    def __init__(self) -> None:
        self._questions: ClockQuestions[str] = ClockQuestions()
        self._trips: deque[tuple[int, int]] = deque(maxlen=KEPT)

    def asked(self, word: str, at: int) -> None:
        """Note that a ping went out; older ones that nobody answered are given up."""
        self._questions.asked(word, at)

    def answered(self, word: str, at: int) -> None:
        """Note an answer; one that nobody asked for, one given twice and one too late measure nothing."""
        sent = self._questions.answered(word, at)
        if sent is not None:
            self._trips.append((at, at - sent))

    def forget(self) -> None:
        """Begin anew: the way has changed."""
        self._questions.forget()
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
