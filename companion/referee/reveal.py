"""Judges the simultaneous opening of fists. Readiness is not journalled: after a restart all press again."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine import Refusal, Seat, Unveiling
from companion.messages import MILLISECOND, Count, Cue, Ready, Refused, Reveal, Stopped
from companion.referee import refusals
from companion.referee.pace import Pace
from companion.referee.press_rulings import OWN, PressEvidence, Ruling, mark_press, name_of_lot, refuse
from companion.referee.verdict import Judged

NUMBERS = 3
"""The companion counts three, two, one before the fists open."""
AHEAD = 300 * MILLISECOND
"""Nanoseconds from the last seat's readiness to the countdown, so that every screen receives it in time."""
FREEZE = 500 * MILLISECOND
"""The time before the opening in which nobody can stop it, because lamps and screens already have the signal."""


class SimultaneousReveal:
    """One opening of fists. `opens` is its moment, None while somebody is not ready."""

    def __init__(self, timing: Unveiling, since: int, pace: Pace) -> None:
        self.timing = timing
        self.pace = pace
        self.since = since
        self.lot = name_of_lot(timing.lot)
        self.ready: dict[Seat, PressEvidence] = {}
        self.taken: dict[Seat, int] = {}
        """The contact of the press that last changed each seat's readiness."""
        self.opens: int | None = None
        self.opened = False
        self.withheld: Mapping[Seat, Refusal] = {}
        """The seats that cannot be ready because of the tokens on the table, each with its message."""

    def judge(self, evidence: PressEvidence, now: int) -> tuple[Ruling, list[PressEvidence] | None]:
        """Return the ruling on a press, and the new schedule of ticks (None: unchanged)."""
        seat, timing = evidence.seat, self.timing
        if seat == OWN:
            return self._open(evidence), None
        if evidence.contact != "closed" or self.opened or evidence.event is not None:
            return Ruling(evidence), None
        if seat not in timing.seats:
            return refuse(evidence, self.lot, refusals.NOT_TAKING_PART()), None
        if seat not in timing.closed:
            return refuse(evidence, self.lot, refusals.FIST_FIRST()), None
        if seat in self.taken and abs(evidence.at - self.taken[seat]) < self.pace.double_tap_ms * MILLISECOND:
            return Ruling(evidence, refusal=refusals.PRESSED_TWICE()), None
        if seat not in self.ready and seat in self.withheld:
            return refuse(evidence, self.lot, self.withheld[seat]), None
        if seat not in self.ready:
            self.ready[seat], self.taken[seat] = evidence, evidence.at
            cues, ticks = self._schedule(now) if set(timing.seats) <= set(self.ready) else ((), None)
            return Ruling(evidence, cues=(self.readiness(), *cues)), ticks
        if self._is_frozen(evidence.at):
            return Ruling(evidence, refusal=refusals.OPENING(), cues=(Refused(seat=seat),)), None
        del self.ready[seat]
        self.taken[seat] = evidence.at
        return Ruling(evidence, cues=(self.readiness(), *self.stop())), []

    def withhold(
        self, withheld: Mapping[Seat, Refusal], now: int
    ) -> tuple[tuple[Cue, ...], list[PressEvidence] | None]:
        """Mark seats that cannot be ready as not ready; return the cues and the new schedule (None: unchanged)."""
        self.withheld = withheld
        lost = [] if self.opened or self._is_frozen(now) else [seat for seat in self.ready if seat in withheld]
        if not lost:
            return (), None
        for seat in lost:
            del self.ready[seat]
        return (self.readiness(), *self.stop()), []

    def _is_frozen(self, moment: int) -> bool:
        """Return whether it is too late to stop the opening."""
        return self.opens is not None and moment > self.opens - FREEZE

    def _schedule(self, now: int) -> tuple[tuple[Cue, ...], list[PressEvidence]]:
        """Schedule the signal; return the cues of the countdown and the tick of the signal."""
        gap, start = self.pace.gap_ms(self.timing) * MILLISECOND, now + AHEAD
        self.opens = start + NUMBERS * gap
        counts = [Count(start + n * gap, NUMBERS - n, to="reveal") for n in range(NUMBERS)]
        return (*counts, Reveal(self.opens)), [PressEvidence(OWN, self.opens, self.opens, source="companion")]

    def stop(self) -> tuple[Cue, ...]:
        """Stop the countdown; return the cue for it."""
        counting, self.opens = self.opens is not None and not self.opened, None
        return (Stopped(),) if counting else ()

    def _open(self, evidence: PressEvidence) -> Ruling:
        """Give the signal; the verdict shows when each seat became ready."""
        self.opened = True
        ready = sorted(self.ready.values(), key=lambda each: each.at)
        marks = [mark_press(each, evidence.at, "ready") for each in ready]
        return Ruling(evidence, self.timing.signalled(), judged=Judged("reveal", self.lot, tuple(marks)))

    def readiness(self) -> Ready:
        """Return the cue that shows which seats are ready."""
        seats = self.timing.seats
        return Ready(seats=tuple(sorted(self.ready)), waiting=tuple([s for s in seats if s not in self.ready]))
