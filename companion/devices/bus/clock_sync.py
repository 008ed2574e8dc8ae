"""Convert moments of another machine's clock, measured by exchanges over the bus.

An exchange is a question and its answer. The service's moment lies between our two, so its clock is ahead of ours by
its moment minus the middle of ours, give or take half the round trip. The most accurate exchange of the last minute
counts, plus the clocks' possible drift since then. Moments are in ns of CLOCK_MONOTONIC.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from companion.messages import MILLISECOND, SECOND, AnyMessage, Cue, Health, Message, PinDriven, Press, Sighted

BOOT = Path("/proc/sys/kernel/random/boot_id")
FRESH = 60 * SECOND
"""The age in nanoseconds from which an exchange counts only if there is no newer one."""
KEPT = 64
LOST = 2 * SECOND
"""The round trip in nanoseconds from which an answer measures nothing."""
UNMEASURED = 500 * MILLISECOND
"""The uncertainty, in nanoseconds, of a moment whose delay was never measured; its arrival stands in for it."""
DRIFT_PPM = 100
"""Maximum drift between two clocks: two ordinary crystals of ±50 ppm each. Network time drifts far less."""
REMEMBERED = 128
"""The number of remembered conversions: the same moment must always convert to the same value."""

Word = TypeVar("Word", int, str)


def read_boot_id() -> str:
    """Return the id of this machine's boot, or an empty text if unknown."""
    try:
        return BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""


class ClockQuestions(Generic[Word]):
    """Unanswered questions with the moments at which they were asked."""

    def __init__(self) -> None:
        self._asked: dict[Word, int] = {}

    def note_question(self, word: Word, at: int) -> None:
        """Note a question that was sent; drop older unanswered ones."""
        self._asked = {old: sent for old, sent in self._asked.items() if at - sent <= LOST}
        self._asked[word] = at

    def take_question(self, word: Word, at: int) -> int | None:
        """Return when an answer's question was sent; None if it is unknown, already answered, or too old."""
        sent = self._asked.pop(word, None)
        return sent if sent is not None and 0 <= at - sent <= LOST else None

    def forget(self) -> None:
        """Drop all questions."""
        self._asked.clear()


class ClockExchange(msgspec.Struct, frozen=True):
    """A question and its answer: at our moment `at`, their clock was ahead by `ahead`, give or take `within`."""

    at: int
    ahead: int
    within: int

    def open_at(self, moment: int) -> int:
        """Return the uncertainty (ns) at another moment."""
        return self.within + abs(moment - self.at) * DRIFT_PPM // 1_000_000 + 1


class ForeignClock:
    """The clock of a service on another machine."""

    def __init__(self) -> None:
        self._questions: ClockQuestions[int] = ClockQuestions()
        self._exchanges: deque[ClockExchange] = deque(maxlen=KEPT)
        self._remembered: dict[int, tuple[int, int]] = {}

    @property
    def measured(self) -> int:
        """The number of exchanges so far."""
        return len(self._exchanges)

    def note_question(self, number: int, at: int) -> None:
        """Note a question that was sent."""
        self._questions.note_question(number, at)

    def note_answer(self, number: int, theirs: int, at: int) -> None:
        """Note an answer. If it contradicts earlier ones, their clock has jumped: drop those."""
        sent = self._questions.take_question(number, at)
        if sent is None:
            return
        middle = (sent + at) // 2
        found = ClockExchange(middle, theirs - middle, (at - sent + 1) // 2)
        best = self.best(at)
        if best is not None and abs(found.ahead - best.ahead) > found.open_at(at) + best.open_at(at):
            self._exchanges.clear()
            self._remembered.clear()
        self._exchanges.append(found)

    def best(self, now: int) -> ClockExchange | None:
        """Return the most accurate exchange at present, or None. Any thread may call this."""
        known = tuple(self._exchanges)
        fresh = [each for each in known if now - each.at <= FRESH] or list(known[-1:])
        return min(fresh, key=lambda each: each.open_at(now), default=None)

    def to_ours(self, theirs: int, arrival: int) -> tuple[int, int]:
        """Convert their moment to our clock, never later than its arrival; return it with its uncertainty.

        The same moment always converts to the same value, even after new measurements: it links a hold to its contact.
        """
        known = self._remembered.get(theirs)
        if known is not None:
            return known
        best = self.best(arrival)
        found = (arrival, UNMEASURED) if best is None else (min(theirs - best.ahead, arrival), best.open_at(arrival))
        if len(self._remembered) >= REMEMBERED:
            del self._remembered[next(iter(self._remembered))]
        self._remembered[theirs] = found
        return found

    def span_to_ours(self, since: int, theirs: int, arrival: int) -> tuple[int, int, int]:
        """Convert two of their moments to our clock, keeping the time between them; return the uncertainty too."""
        began, doubt = self.to_ours(since, arrival - (theirs - since))
        return began, min(began + theirs - since, arrival), doubt

    def to_theirs(self, ours: int, now: int) -> int | None:
        """Convert our moment to their clock; None before the first exchange."""
        best = self.best(now)
        return None if best is None else ours + best.ahead


def to_our_clock(message: AnyMessage, clock: ForeignClock, arrival: int) -> AnyMessage:
    """Convert the moments of a message from another machine to our clock."""
    match message:
        case Press(at=theirs, since=0, within=within):
            at, doubt = clock.to_ours(theirs, arrival)
            return msgspec.structs.replace(message, at=at, within=within + doubt)
        case Press(at=theirs, since=since, within=within):
            began, at, doubt = clock.span_to_ours(since, theirs, arrival)
            return msgspec.structs.replace(message, at=at, since=began, within=within + doubt)
        case Sighted(at=theirs) | Health(at=theirs) | PinDriven(at=theirs):
            return msgspec.structs.replace(message, at=clock.to_ours(theirs, arrival)[0])
        case _:
            return message


def to_their_clock(message: Message, clock: ForeignClock, now: int) -> Message:
    """Return our message with its moment by another machine's clock, or "at once" if that is unknown."""
    match message:
        case Cue(at=ours) | PinDriven(at=ours) if ours:
            return msgspec.structs.replace(message, at=clock.to_theirs(ours, now) or 0)
        case _:
            return message


def has_moment(message: Message) -> bool:
    """Return whether a message contains a moment, and so depends on the clock."""
    return isinstance(message, (Cue, PinDriven)) and message.at != 0
