"""The referee: presses and their moments become events and verdicts. Pure: time is handed in, in nanoseconds of
CLOCK_MONOTONIC. Knows no threads, no files and no single game: what a press means now, the game's step has said.

A press counts by its contact. While an auction runs, each press is held back for the grace and then taken in the
order of contacts, so that none is judged before an earlier one may still arrive.
"""

from __future__ import annotations

from collections import deque

import msgspec

from companion.engine import Deciding, Raising, Refusal, Seat, Timing, Unveiling
from companion.match.verdict import Outcome
from companion.messages import MILLISECOND, SECOND, Cue, Stopped
from companion.referee.open_auction import OpenAuction
from companion.referee.reveal import SimultaneousReveal
from companion.referee.rulings import OWN, PressEvidence, Rule, Ruling, heard, missed, refused, same, taken

__all__ = ["OWN", "PressEvidence", "Referee", "Rule", "Ruling", "heard"]

GUARD = 300 * MILLISECOND
"""So shortly after it has become one's turn, a press was meant for what was before."""
AFTERWARDS = 3 * SECOND
"""Presses so long after three are told how much too late they were."""
FINISHED = 64
"""Presses that are remembered, so that one delivered twice counts once."""


class ClosedLot(msgspec.Struct, frozen=True):
    """A lot that three has closed: when, and who leads it."""

    lot: str
    at: int
    seat: Seat


class Referee:
    """Judges the presses at one table. Ask for `next` rulings until there is none, and tell it of each: `ruled`."""

    def __init__(self) -> None:
        self.timing: Timing | None = None
        self.since = 0
        """When the present question was first asked."""
        self._at_hand: OpenAuction | SimultaneousReveal | None = None
        self._pending: list[PressEvidence] = []
        self._finished: deque[PressEvidence] = deque(maxlen=FINISHED)
        self._closed: ClosedLot | None = None

    @property
    def fists(self) -> SimultaneousReveal | None:
        """The fists that are about to open, if there are any."""
        return self._at_hand if isinstance(self._at_hand, SimultaneousReveal) else None

    # --- what comes in ----------------------------------------------------------------------------

    def watch(self, timing: Timing | None, now: int) -> tuple[Cue, ...]:
        """Take note of what a press means from now on; return the cues that follow."""
        if _question(self.timing) != _question(timing):
            return self._begin(timing, now)
        self.timing = timing
        match timing, self._at_hand:
            case Raising(), OpenAuction() as call:
                cues = call.follow(timing)
                if cues:
                    self._schedule([])
                return cues
            case Unveiling(), SimultaneousReveal() as fists if fists.opened and timing.signalled is not None:
                return self._begin(timing, now)  # those have opened: these are the next ones
            case Unveiling(), SimultaneousReveal() as fists:
                fists.timing = timing
        return ()

    def hear(self, evidence: PressEvidence) -> tuple[Cue, ...]:
        """Take a press in, to be judged when its time comes; return what may be shown at once."""
        if evidence.contact == "opened" or any(same(evidence, old) for old in (*self._pending, *self._finished)):
            return ()
        waiting = [each for each in self._pending if each.seat != OWN]
        self._pending.append(evidence)
        return self._at_hand.shown(evidence, waiting) if isinstance(self._at_hand, OpenAuction) else ()

    def clear(self, timing: Timing | None, now: int) -> tuple[tuple[Ruling, ...], tuple[Cue, ...]]:
        """Forget all that waits to be judged (a pause, an undo, lost buttons); return who must be told, and cues."""
        waiting = [each for each in self._pending if each.seat != OWN and each.contact == "closed"]
        told = tuple([Ruling(each, refusal=Refusal("R-00", "recalled", {})) for each in waiting])
        cues = self._begin(timing, now)
        self._pending = []
        return told, cues

    # --- what goes out ----------------------------------------------------------------------------

    def due(self) -> int | None:
        """Return when the next press can be judged, None while nothing waits."""
        grace = self._grace()
        return min((each.at + grace for each in self._pending), default=None)

    def next(self, now: int, rule: Rule) -> Ruling | None:
        """Return the ruling on the earliest press whose time has come; None while there is none.

        Tell `ruled` that it has come true, or `watch` how the table stands, before asking again.
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
        if self._at_hand is None or first.at < self.since:
            return self._afterwards(first)
        if isinstance(self._at_hand, OpenAuction):
            waiting = pending[:]
            ruling = self._at_hand.judge(first, pending, rule)
            self._finished += [each for each in waiting if each not in pending]
            return ruling
        ruling, ticks = self._at_hand.judge(first, now)
        self._schedule(ticks)
        return ruling

    def ruled(self, ruling: Ruling) -> tuple[Cue, ...]:
        """Take note that a ruling has come true; return the cues that follow. Then `watch` how the table stands."""
        if not isinstance(self._at_hand, OpenAuction) or ruling.judged is None:
            return ()
        call = self._at_hand
        cues, ticks = call.ruled(ruling)
        self._schedule(ticks)
        if ruling.judged.kind == "sold":
            self._closed = ClosedLot(call.lot, call.horizon, call.timing.leader)
        return cues

    # --- judging ----------------------------------------------------------------------------------

    def _decide(self, timing: Deciding, evidence: PressEvidence, rule: Rule) -> Ruling:
        """A press on one's own turn; one that was meant for what was before does nothing."""
        if evidence.contact != "closed" or evidence.seat != timing.seat:
            return self._afterwards(evidence)
        if evidence.at < self.since + GUARD:
            before = self._afterwards(evidence)
            refusal = Refusal("R-00", "not_open", {})
            return before if before.judged else missed(evidence, "", "not_open", self.since, refusal)
        forbidden = rule(timing.event)
        if forbidden is not None:
            return refused(evidence, "", forbidden)
        return taken("pass", "", evidence, timing.event, "passed")

    def _afterwards(self, evidence: PressEvidence) -> Ruling:
        """A press that means nothing now: it may have been for the lot that three has closed."""
        closed = self._closed
        nothing = Ruling(evidence, refusal=Refusal("R-00", "lot_closed", {}) if evidence.ticket else None)
        if closed is None or evidence.seat in (closed.seat, OWN) or evidence.contact != "closed":
            return nothing
        after = evidence.at - closed.at
        if abs(after) > AFTERWARDS:
            return nothing
        outcome: Outcome = "too_late" if after > 0 else "undelivered"
        late = after if after > 0 else evidence.heard - evidence.at
        refusal = Refusal("R-00", outcome, {"ms": -(-late // MILLISECOND)})
        return missed(evidence, closed.lot, outcome, closed.at, refusal)

    # --- time -------------------------------------------------------------------------------------

    def _order(self, evidence: PressEvidence) -> tuple[int, bool, Seat, str, str]:
        """Contacts in their order; at the very same instant a raise comes before a count.

        What remains equal is put in an order too, so that none ever depends on the delivery.
        """
        timing = self.timing
        counts = isinstance(timing, Raising) and evidence.seat in (OWN, timing.leader)
        return evidence.at, counts, evidence.seat, evidence.contact, evidence.source

    def _grace(self) -> int:
        """How long a press is held back for others that may still be on their way."""
        return self.timing.grace_ms * MILLISECOND if isinstance(self.timing, Raising) else 0

    def _schedule(self, ticks: list[PressEvidence] | None) -> None:
        """Let the companion's own counts be these; None: those that are."""
        if ticks is not None:
            self._pending = [each for each in self._pending if each.seat != OWN] + ticks

    def _begin(self, timing: Timing | None, now: int) -> tuple[Cue, ...]:
        """Begin with a new question."""
        stopped = self._at_hand.stop() if self._at_hand is not None else ()
        if not stopped and any(each.seat == OWN for each in self._pending):
            stopped = (Stopped(),)
        self._schedule([])
        self.timing, self.since = timing, now
        match timing:
            case Raising():
                self._at_hand = OpenAuction(timing, now)
                cues, ticks = self._at_hand.resumed()
                self._schedule(ticks)
                return (*stopped, *cues)
            case Unveiling():
                self._at_hand = SimultaneousReveal(timing, now)
                return (*stopped, self._at_hand.who())
            case _:
                self._at_hand = None
        return stopped


def _question(timing: Timing | None) -> object:
    """Return what a press answers: while it is the same, readiness, counts and leads go on."""
    match timing:
        case Raising() | Unveiling():
            return type(timing), timing.lot
        case Deciding():
            return timing.question, timing.seat
    return None
