"""The referee turns presses and their moments into events and verdicts.

Callers pass the time, as nanoseconds of CLOCK_MONOTONIC; the game's current step gives a press its meaning (`Timing`).
A press counts from its contact. During an auction, each press waits for the grace period; presses are then judged in
the order of contacts, so that none is judged while an earlier one may still arrive.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping

import msgspec

from companion.engine import Confirming, Deciding, Raising, Refusal, Seat, Timing, Unveiling
from companion.messages import MILLISECOND, SECOND, Cue, Stopped
from companion.referee import refusals
from companion.referee.confirmations import GUARD, Confirmations
from companion.referee.open_auction import OpenAuction
from companion.referee.pace import USUAL, Pace
from companion.referee.press_rulings import (
    OWN,
    PressEvidence,
    Rule,
    Ruling,
    accept,
    is_duplicate,
    mark_press,
    miss,
    refuse,
)
from companion.referee.reveal import SimultaneousReveal
from companion.referee.verdict import Outcome

AFTERWARDS = 3 * SECOND
"""Nanoseconds after the third count within which a press still learns how late it was."""
FINISHED = 64
"""The number of presses to remember, so that one delivered twice counts once."""


class ClosedLot(msgspec.Struct, frozen=True):
    """A lot closed by the count of three: when, and by which leader."""

    lot: str
    at: int
    seat: Seat


class Referee:
    """Judges the presses at one table. Call `next` until it returns None; `confirm` each executed ruling."""

    def __init__(self, pace: Pace = USUAL) -> None:
        self.pace = pace
        self.timing: Timing | None = None
        self.since = 0
        """The time at which the current question was first asked."""
        self._current: OpenAuction | SimultaneousReveal | Confirmations | None = None
        self._pending: list[PressEvidence] = []
        self._finished: deque[PressEvidence] = deque(maxlen=FINISHED)
        self._closed: ClosedLot | None = None
        self._withheld: Mapping[Seat, Refusal] = {}
        self._unsettled: Collection[Seat] = ()

    def ready(self) -> tuple[Seat, ...]:
        """Return the seats that are ready for their fists to open."""
        reveal = self._current
        return tuple(sorted(reveal.ready)) if isinstance(reveal, SimultaneousReveal) else ()

    def holds_seals(self) -> bool:
        """Return whether a ready seat's phone holds all seals; no closed fist may change until the seat takes that
        back."""
        reveal = self._current
        return isinstance(reveal, SimultaneousReveal) and any(press.held for press in reveal.ready.values())

    # --- input ------------------------------------------------------------------------------------

    def watch(self, timing: Timing | None, now: int) -> tuple[Cue, ...]:
        """Follow the new meaning of a press; return cues."""
        if _question(self.timing) != _question(timing):
            return self._begin(timing, now)
        self.timing = timing
        match timing, self._current:
            case Raising(), OpenAuction() as auction:
                cues = auction.follow(timing)
                if cues:
                    self._schedule([])
                return cues
            case Confirming(), Confirmations() as asked:
                self._schedule(asked.follow(timing, now))
            case Unveiling(), SimultaneousReveal() as reveal if reveal.opened:
                # The last fists have opened; the next ones start.
                return self._begin(timing, now)
            case Unveiling(), SimultaneousReveal() as reveal:
                reveal.timing = timing
        return ()

    def hear(self, evidence: PressEvidence) -> tuple[Cue, ...]:
        """Accept a press, to be judged when its time comes; return cues to show at once."""
        if evidence.contact == "opened" or any(
            is_duplicate(evidence, old) for old in (*self._pending, *self._finished)
        ):
            return ()
        waiting = [each for each in self._pending if each.seat != OWN]
        self._pending.append(evidence)
        return self._current.announce(evidence, waiting) if isinstance(self._current, OpenAuction) else ()

    def clear(self, timing: Timing | None, now: int) -> tuple[tuple[Ruling, ...], tuple[Cue, ...]]:
        """Drop all waiting presses (after a pause, an undo or lost buttons); return the rulings that say so, and
        cues.
        """
        waiting = [each for each in self._pending if each.seat != OWN and each.contact == "closed"]
        recalled = tuple([Ruling(each, refusal=refusals.RECALLED()) for each in waiting])
        cues = self._begin(timing, now)
        self._pending = []
        return recalled, cues

    def withhold(self, seats: Mapping[Seat, Refusal], now: int) -> tuple[Cue, ...]:
        """Keep these seats from being ready to open their fists, and tell them why; return cues. A countdown stops."""
        self._withheld = seats
        if not isinstance(self._current, SimultaneousReveal):
            return ()
        cues, ticks = self._current.withhold(seats, now)
        self._schedule(ticks)
        return cues

    def ignore_silence(self, seats: Collection[Seat]) -> None:
        """Keep these seats from accepting a count by silence, because their tokens have changed."""
        self._unsettled = seats
        if isinstance(self._current, Confirmations):
            self._current.unsettled = seats

    # --- rulings ----------------------------------------------------------------------------------

    def due(self) -> int | None:
        """Return when the next press can be judged, or None if no press is waiting."""
        grace = self._grace()
        return min((each.at + grace for each in self._pending), default=None)

    def next(self, now: int, rule: Rule) -> Ruling | None:
        """Return the ruling on the earliest press that is due, or None.

        Before the next call, `confirm` the executed ruling, or `watch` the table's new state.
        """
        pending = self._pending
        if not pending:
            return None
        first = min(pending, key=self._order)
        if now < first.at + self._grace():
            return None
        pending.remove(first)
        self._finished.append(first)
        if isinstance(self.timing, Deciding):
            return self._decide(self.timing, first, rule)
        if isinstance(self._current, Confirmations):
            return self._current.judge(first, self._afterwards(first), rule)
        if self._current is None or first.at < self.since:
            return self._afterwards(first)
        if isinstance(self._current, OpenAuction):
            waiting = pending[:]
            ruling = self._current.judge(first, pending, rule)
            self._finished += [each for each in waiting if each not in pending]
            return ruling
        ruling, ticks = self._current.judge(first, now)
        self._schedule(ticks)
        return ruling

    def confirm(self, ruling: Ruling) -> tuple[Cue, ...]:
        """Record that a ruling was carried out; return cues. Then `watch` the table's new state."""
        if not isinstance(self._current, OpenAuction) or ruling.judged is None:
            return ()
        auction = self._current
        cues, ticks = auction.confirm(ruling)
        self._schedule(ticks)
        if ruling.judged.kind == "sold":
            self._closed = ClosedLot(auction.lot, auction.horizon, auction.timing.leader)
        return cues

    # --- judging ----------------------------------------------------------------------------------

    def _decide(self, timing: Deciding, evidence: PressEvidence, rule: Rule) -> Ruling:
        """Judge a press in the seat's own turn; a press meant for the moment before has no effect."""
        if evidence.contact != "closed" or evidence.seat != timing.seat:
            return self._afterwards(evidence)
        if evidence.at < self.since + GUARD:
            before = self._afterwards(evidence)
            refusal = refusals.NOT_OPEN()
            mark = mark_press(evidence, self.since, "not_open")
            return before if before.judged else miss(evidence, mark, "", refusal)
        forbidden = rule(timing.event)
        if forbidden is not None:
            return refuse(evidence, "", forbidden)
        return accept(evidence, mark_press(evidence, evidence.at, timing.outcome), ("pass", ""), timing.event)

    def _afterwards(self, evidence: PressEvidence) -> Ruling:
        """Judge a press that means nothing now: it may have been meant for the lot just closed."""
        closed = self._closed
        nothing = Ruling(evidence, refusal=refusals.LOT_CLOSED() if evidence.ticket else None)
        if closed is None or evidence.seat in (closed.seat, OWN) or evidence.contact != "closed":
            return nothing
        after = evidence.at - closed.at
        if abs(after) > AFTERWARDS:
            return nothing
        outcome: Outcome = "too_late" if after > 0 else "undelivered"
        reason = refusals.TOO_LATE if after > 0 else refusals.UNDELIVERED
        late = after if after > 0 else evidence.heard - evidence.at
        refusal = reason(ms=-(-late // MILLISECOND))
        return miss(evidence, mark_press(evidence, closed.at, outcome), closed.lot, refusal)

    # --- time -------------------------------------------------------------------------------------

    def _order(self, evidence: PressEvidence) -> tuple[int, bool, Seat, str, str]:
        """Return a sorting key: contacts in order, and at the same instant raises before counts.

        The rest of the key makes the order independent of delivery.
        """
        timing = self.timing
        counts = isinstance(timing, Raising) and evidence.seat in (OWN, timing.leader)
        return evidence.at, counts, evidence.seat, evidence.contact, evidence.source

    def _grace(self) -> int:
        """Return how long a press waits for earlier ones that may still be in transit."""
        return self.pace.open_grace_ms * MILLISECOND if isinstance(self.timing, Raising) else 0

    def _schedule(self, ticks: list[PressEvidence] | None) -> None:
        """Replace the scheduled counts of the companion; None leaves them as they are."""
        if ticks is not None:
            self._pending = [each for each in self._pending if each.seat != OWN] + ticks

    def _begin(self, timing: Timing | None, now: int) -> tuple[Cue, ...]:
        """Start judging a new question."""
        stopped = self._current.stop() if self._current is not None else ()
        silences = isinstance(self._current, Confirmations)  # no screen shows when they end
        if not stopped and not silences and any(each.seat == OWN for each in self._pending):
            stopped = (Stopped(),)
        self._schedule([])
        self.timing, self.since = timing, now
        match timing:
            case Raising():
                self._current = OpenAuction(timing, now, self.pace)
                cues, ticks = self._current.resume()
                self._schedule(ticks)
                return (*stopped, *cues)
            case Unveiling():
                self._current = SimultaneousReveal(timing, now, self.pace)
                self._current.withheld = self._withheld
                return (*stopped, self._current.readiness())
            case Confirming():
                self._current = Confirmations(timing, now)
                self._current.unsettled = self._unsettled
                self._schedule(self._current.follow(timing, now))
            case _:
                self._current = None
        return stopped


def _question(timing: Timing | None) -> object:
    """Return the question that a press answers; readiness, counts and leads are kept while it stays the same."""
    match timing:
        case Raising() | Unveiling():
            return type(timing), timing.lot
        case Deciding():
            return timing.question, timing.seat
        case Confirming():
            return type(timing), timing.question
    return None
