"""The clock of another machine, by exchanges over the bus. Pure: moments (ns of CLOCK_MONOTONIC) are handed in.

An exchange is a question and its answer. The service's moment lies between our two, so its clock is ahead of ours by
what the middle of them says, give or take half the round trip. The exchange of the last minute that leaves the least
open is used; what the clocks may have drifted apart since is added.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from companion.messages import MILLISECOND, SECOND, AnyMessage, Cue, Health, Message, PinDriven, Press, Sighted

BOOT = Path("/proc/sys/kernel/random/boot_id")
FRESH = 60 * SECOND
"""An exchange older than this is used only where there is no other."""
KEPT = 64
LOST = 2 * SECOND
"""An answer that takes longer than this is no measure."""
UNMEASURED = 500 * MILLISECOND
"""How uncertain a moment is whose way was never measured; it is taken to be that of its arrival."""
DRIFT_PPM = 100
"""How fast two clocks part at most: two crystals of ±50 ppm each, as ordinary ones are specified. Where both machines
set their clocks by the network their rates agree far better."""
REMEMBERED = 128
"""Moments whose conversion is remembered: what is said again of one moment must be the same one again."""

Word = TypeVar("Word", int, str)


def boot() -> str:
    """Return the mark of this machine's boot; empty where there is none."""
    try:
        return BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return ""


class ClockQuestions(Generic[Word]):
    """What was asked and not yet answered, and when."""

    def __init__(self) -> None:
        self._asked: dict[Word, int] = {}

    def asked(self, word: Word, at: int) -> None:
        """Note that a question went out; older ones that nobody answered are given up."""
        self._asked = {old: sent for old, sent in self._asked.items() if at - sent <= LOST}
        self._asked[word] = at

    def answered(self, word: Word, at: int) -> int | None:
        """Return when an answer's question went out; None where nobody asked, asked twice, or too long ago."""
        sent = self._asked.pop(word, None)
        return sent if sent is not None and 0 <= at - sent <= LOST else None

    def forget(self) -> None:
        """Begin anew."""
        self._asked.clear()


class ClockExchange(msgspec.Struct, frozen=True):
    """One question and its answer: at `at`, by our clock, theirs was ahead by `ahead`, give or take `within`."""

    at: int
    ahead: int
    within: int

    def open_at(self, moment: int) -> int:
        """Return how uncertain it is at another moment."""
        return self.within + abs(moment - self.at) * DRIFT_PPM // 1_000_000 + 1


class ForeignClock:
    """The clock of a service on another machine."""

    def __init__(self) -> None:
        self._questions: ClockQuestions[int] = ClockQuestions()
        self._exchanges: deque[ClockExchange] = deque(maxlen=KEPT)
        self._remembered: dict[int, tuple[int, int]] = {}

    @property
    def measured(self) -> int:
        """How many exchanges are known."""
        return len(self._exchanges)

    def asked(self, number: int, at: int) -> None:
        """Note that a question went out."""
        self._questions.asked(number, at)

    def told(self, number: int, theirs: int, at: int) -> None:
        """Note an answer. Where it contradicts what was known, their clock has jumped (asleep), and only it counts."""
        sent = self._questions.answered(number, at)
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
        """Return the exchange that leaves the least open now, None where there is none. May be called by any thread."""
        known = tuple(self._exchanges)
        fresh = [each for each in known if now - each.at <= FRESH] or list(known[-1:])
        return min(fresh, key=lambda each: each.open_at(now), default=None)

    def ours(self, theirs: int, arrival: int) -> tuple[int, int]:
        """Return a moment of theirs by our clock, and how uncertain it is; never later than its arrival.

        The same moment is the same again, whatever was measured meanwhile: a hold belongs to its contact by it.
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

    def after(self, since: int, theirs: int, arrival: int) -> tuple[int, int, int]:
        """Return two moments of theirs by our clock, the later one as much later as it was, and the uncertainty."""
        began, doubt = self.ours(since, arrival - (theirs - since))
        return began, min(began + theirs - since, arrival), doubt

    def theirs(self, ours: int, now: int) -> int | None:
        """Return a moment of ours by their clock, None where nothing is known of it."""
        best = self.best(now)
        return None if best is None else ours + best.ahead


def arrived(message: AnyMessage, clock: ForeignClock, arrival: int) -> AnyMessage:
    """Return what a service of another machine said, its moments by our clock."""
    match message:
        case Press(at=theirs, since=0, within=within):
            at, doubt = clock.ours(theirs, arrival)
            return msgspec.structs.replace(message, at=at, within=within + doubt)
        case Press(at=theirs, since=since, within=within):
            began, at, doubt = clock.after(since, theirs, arrival)
            return msgspec.structs.replace(message, at=at, since=began, within=within + doubt)
        case Sighted(at=theirs) | Health(at=theirs) | PinDriven(at=theirs):
            return msgspec.structs.replace(message, at=clock.ours(theirs, arrival)[0])
        case _:
            return message


def leaving(message: Message, clock: ForeignClock, now: int) -> Message:
    """Return what we say to a service of another machine, its moment by their clock; at once where that is unknown."""
    match message:
        case Cue(at=ours) | PinDriven(at=ours) if ours:
            return msgspec.structs.replace(message, at=clock.theirs(ours, now) or 0)
        case _:
            return message


def has_moment(message: Message) -> bool:
    """Whether a message says when, so that it reads differently by another clock."""
    return isinstance(message, (Cue, PinDriven)) and message.at != 0
