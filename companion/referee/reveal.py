"""Fists that open together, as the referee follows them: who is ready, the countdown and the signal.

Pure. Readiness is not journalled: after a restart everybody presses again.
"""

from __future__ import annotations

from companion.engine import Refusal, Seat, Unveiling
from companion.match.history import Judged
from companion.messages import MILLISECOND, Count, Cue, Ready, Refused, Reveal, Stopped
from companion.referee.rulings import OWN, PressEvidence, Ruling, mark, name_of_lot, refused

NUMBERS = 3
"""The companion counts three, two, one before the fists open."""
AHEAD = 300 * MILLISECOND
"""The countdown begins so long after the last seat is ready, so that every screen hears of it in time."""
FREEZE = 500 * MILLISECOND
"""So shortly before the fists open nobody can hold them back any more: lamps and screens are on their way."""


class SimultaneousReveal:
    """The memory of one opening of fists. `opens` is when they open, None while somebody is not ready."""

    def __init__(self, timing: Unveiling, since: int) -> None:
        self.timing = timing
        self.since = since
        self.lot = name_of_lot(timing.lot)
        self.ready: dict[Seat, PressEvidence] = {}
        self.taken: dict[Seat, int] = {}
        """The contact of each seat's last press that said ready, or not ready."""
        self.opens: int | None = None
        self.opened = False

    def judge(self, evidence: PressEvidence, now: int) -> tuple[Ruling, list[PressEvidence] | None]:
        """Return the ruling on a press, and the ticks that are scheduled from now on (None: those that are)."""
        seat, timing = evidence.seat, self.timing
        if seat == OWN:
            return self._open(evidence), None
        if evidence.contact != "closed" or self.opened or evidence.event is not None:
            return Ruling(evidence), None
        if seat not in timing.seats:
            return refused(evidence, self.lot, Refusal("R-00", "not_taking_part", {})), None
        if seat not in timing.closed:
            return refused(evidence, self.lot, Refusal("R-00", "fist_first", {})), None
        if seat in self.taken and abs(evidence.at - self.taken[seat]) < timing.double_tap_ms * MILLISECOND:
            return Ruling(evidence, refusal=Refusal("R-00", "pressed_twice", {})), None
        if seat not in self.ready:
            self.ready[seat], self.taken[seat] = evidence, evidence.at
            cues, ticks = self._schedule(now) if set(timing.seats) <= set(self.ready) else ((), None)
            return Ruling(evidence, cues=(self.who(), *cues)), ticks
        if self.opens is not None and evidence.at > self.opens - FREEZE:
            return Ruling(evidence, refusal=Refusal("R-00", "opening", {}), cues=(Refused(seat=seat),)), None
        del self.ready[seat]
        self.taken[seat] = evidence.at
        return Ruling(evidence, cues=(self.who(), *self.stop())), []

    def _schedule(self, now: int) -> tuple[tuple[Cue, ...], list[PressEvidence]]:
        """Return three, two, one and the signal."""
        gap, start = self.timing.gap_ms * MILLISECOND, now + AHEAD
        self.opens = start + NUMBERS * gap
        counts = [Count(start + n * gap, NUMBERS - n, to="reveal") for n in range(NUMBERS)]
        return (*counts, Reveal(self.opens)), [PressEvidence(OWN, self.opens, self.opens, source="companion")]

    def stop(self) -> tuple[Cue, ...]:
        """Stop the countdown; return the cue that says so."""
        counting, self.opens = self.opens is not None and not self.opened, None
        return (Stopped(),) if counting else ()

    def _open(self, evidence: PressEvidence) -> Ruling:
        """Give the signal; the verdict says who was ready when."""
        self.opened = True
        marks = [mark(each, evidence.at, "ready") for each in sorted(self.ready.values(), key=lambda each: each.at)]
        signalled = self.timing.signalled
        return Ruling(evidence, signalled() if signalled else None, judged=Judged("reveal", self.lot, tuple(marks)))

    def who(self) -> Ready:
        """Return who is ready and who is waited for."""
        seats = self.timing.seats
        return Ready(seats=tuple(sorted(self.ready)), waiting=tuple([s for s in seats if s not in self.ready]))
