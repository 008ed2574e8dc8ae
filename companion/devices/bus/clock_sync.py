"""Convert moments of another machine's clock, measured by exchanges over the bus.

An exchange is a question and its answer. The service's moment lies between our two, so its clock is ahead of ours by
its moment minus the middle of ours, give or take half the round trip. Of the exchanges of the last minute, the most
accurate one is used; the clocks' possible drift since then is added. Moments are in ns of CLOCK_MONOTONIC.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from companion.messages import MILLISECOND, SECOND, AnyMessage, Cue, Health, Message, PinDriven, Press, Sighted

BOOT = Path("/proc/sys/kernel/random/boot_id")
FRESH = 60 * SECOND
"""An older exchange is used only if there is no other."""
KEPT = 64
LOST = 2 * SECOND
"""An answer that takes longer than this is no measurement."""
UNMEASURED = 500 * MILLISECOND
"""The uncertainty of a moment whose delay was never measured; it is assumed to be that of its arrival."""
DRIFT_PPM = 100
"""Maximum drift between two clocks: two ordinary crystals of ±50 ppm each. Clocks set by the network drift far less."""
REMEMBERED = 128
"""Converted moments that are remembered, as the same moment must always convert to the same value."""

Word = TypeVar("Word", int, str)


def read_boot_id() -> str:
    """Return the id of this machine's boot, or an empty text if unknown."""
    try:
        return BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""


class ClockQuestions(Generic[Word]):
    """Unanswered questions, and when they were asked."""

    def __init__(self) -> None:
        self._asked: dict[Word, int] = {}

    def note_question(self, word: Word, at: int) -> None:
        """Note that a question was sent; drop older ones that nobody answered."""
        self._asked = {old: sent for old, sent in self._asked.items() if at - sent <= LOST}
        self._asked[word] = at

    def take_question(self, word: Word, at: int) -> int | None:
        """Return when an answer's question was sent; None if it was never asked, already answered, or too long ago."""
        sent = self._asked.pop(word, None)
        return sent if sent is not None and 0 <= at - sent <= LOST else None

    def forget(self) -> None:
        """Drop all questions."""
        self._asked.clear()


class ClockExchange(msgspec.Struct, frozen=True):
    """One question and its answer: at `at` by our clock, theirs was ahead by `ahead`, give or take `within`."""

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
        """Note that a question was sent."""
        self._questions.note_question(number, at)

    def note_answer(self, number: int, theirs: int, at: int) -> None:
        """Note an answer. If it contradicts earlier ones, their clock has jumped, and only this one counts."""
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
        """Return the most accurate exchange now, or None. Any thread may call this."""
        known = tuple(self._exchanges)
        fresh = [each for each in known if now - each.at <= FRESH] or list(known[-1:])
        return min(fresh, key=lambda each: each.open_at(now), default=None)

    def to_ours(self, theirs: int, arrival: int) -> tuple[int, int]:
        """Convert their moment to our clock, with its uncertainty; never later than its arrival.

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
        """Convert two of their moments to our clock, keeping the time between them, with the uncertainty."""
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
    """Return what we say to a service of another machine, its moment by their clock; at once where that is unknown."""
    match message:
        case Cue(at=ours) | PinDriven(at=ours) if ours:
            return msgspec.structs.replace(message, at=clock.to_theirs(ours, now) or 0)
        case _:
            return message


def has_moment(message: Message) -> bool:
    """Whether a message says when, so that it reads differently by another clock."""
    return isinstance(message, (Cue, PinDriven)) and message.at != 0
