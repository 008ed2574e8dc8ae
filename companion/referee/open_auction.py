"""Judges one Open auction in the order of contacts, each when no earlier one can still arrive."""

from __future__ import annotations

import msgspec

from companion.engine import Event, Raising, Refusal, Seat, amount_of
from companion.messages import MILLISECOND, Count, Cue, Raise, Stopped
from companion.referee import refusals
from companion.referee.pace import Pace
from companion.referee.press_rulings import (
    OWN,
    PressEvidence,
    Rule,
    Ruling,
    accept,
    mark_press,
    miss,
    name_of_lot,
    refuse,
)
from companion.referee.verdict import Judged, Kind, Outcome

COUNT = 3
"""The leader counts to three."""
REACTION = 250 * MILLISECOND
"""Nanoseconds in which nobody reacts: a press this soon after a seat could learn that it was outbid is a count, not a
raise.

The seat can learn it only after the grace period, once the raise has been judged.
"""
TRAIL = 16
"""The number of latest presses that the verdict of a lot shows."""


class Lead(msgspec.Struct, frozen=True):
    """The leading seat and its price. `base` is the price before its raise."""

    seat: Seat
    price: int
    base: int = 0
    since: int | None = None
    """The moment from which it leads; None if its raise was not judged here."""
    contact: int | None = None
    """The contact of its button; None if it did not raise by button."""


class OpenAuction:
    """One Open auction. `since` is when it opened; presses up to `horizon` have been judged."""

    def __init__(self, timing: Raising, since: int, pace: Pace) -> None:
        self.timing = timing
        self.pace = pace
        self.since = since
        self.lot = name_of_lot(timing.lot)
        self.lead = Lead(timing.leader, timing.price)
        self.outbid: dict[Seat, int] = {}
        self.counts: list[int] = [since] * timing.count
        """The moment of each count; a count resumed after a restart has the moment of resumption."""
        self.horizon = 0
        self.trail: list[tuple[PressEvidence, Outcome, int]] = []
        self.announced: PressEvidence | None = None
        """The leader's count, shown before it is judged."""

    # --- judging ----------------------------------------------------------------------------------

    def judge(self, evidence: PressEvidence, others: list[PressEvidence], rule: Rule) -> Ruling:
        """Return the ruling on the next press. `others` are the waiting presses; tied ones are removed from them."""
        if evidence.contact == "held":
            return self._grow(evidence, rule)
        if evidence.event is not None:
            return self._judge_statement(evidence, evidence.event, rule)
        if evidence.seat in (OWN, self.timing.leader):
            return self._count(evidence, rule)
        return self._raise(evidence, others, rule)

    def _raise(self, evidence: PressEvidence, others: list[PressEvidence], rule: Rule) -> Ruling:
        """Judge a press of a seat that does not lead: a raise by one step, unless another seat just raised to the same
        amount.
        """
        timing, lead = self.timing, self.lead
        amount = timing.price + timing.step
        if self._meant_to_count(evidence):
            return self._miss(evidence, "outbid", self.outbid[evidence.seat], refusals.OUTBID(seat=lead.seat))
        if lead.since is not None and self._moment(evidence) - lead.since <= self.pace.same_moment_ms * MILLISECOND:
            # The lead was typed or spoken, with an amount that this press did not mean.
            if lead.contact is None:
                return self._miss(evidence, "outbid", lead.since, refusals.OUTBID(seat=lead.seat))
            return self._miss(evidence, "same_moment", lead.since, refusals.SAME_MOMENT(seat=lead.seat), lead.price)
        refusal = rule(timing.raised(evidence.seat, amount))
        if refusal is not None:
            return refuse(evidence, self.lot, refusal)
        tied = [each for each in others if self._ties(evidence, each, amount, rule)]
        if not tied:
            return self._accept("raise", evidence, timing.raised(evidence.seat, amount), "leads", amount)
        others[:] = [each for each in others if each not in tied]
        every = sorted([evidence, *tied], key=lambda each: each.seat)
        marks = tuple([mark_press(each, evidence.at, "tied", amount) for each in every])
        event = timing.together(tuple([each.seat for each in every]), amount)
        return Ruling(evidence, event, judged=Judged("raise", self.lot, marks))

    def _meant_to_count(self, evidence: PressEvidence) -> bool:
        """Return whether a former leader could not yet know that it was outbid."""
        since = self.outbid.get(evidence.seat)
        return since is not None and self._moment(evidence) - since <= self.pace.open_grace_ms * MILLISECOND + REACTION

    def _ties(self, evidence: PressEvidence, other: PressEvidence, amount: int, rule: Rule) -> bool:
        """Return whether another seat pressed at the same instant and may raise to the same amount."""
        press = other.at == evidence.at and other.contact == "closed" and other.event is None
        if not press or other.seat in (evidence.seat, self.timing.leader, OWN) or self._meant_to_count(other):
            return False
        return rule(self.timing.raised(other.seat, amount)) is None

    def _grow(self, evidence: PressEvidence, rule: Rule) -> Ruling:
        """Judge a held button: the leader's own raise grows while it still leads."""
        timing, lead = self.timing, self.lead
        amount = lead.base + timing.leap
        if lead.seat != evidence.seat or lead.contact != evidence.since or amount <= timing.price:
            return Ruling(evidence)
        event = timing.grown(evidence.seat, amount)
        refusal = rule(event)
        if refusal is not None:
            return refuse(evidence, self.lot, refusal)
        return self._accept("raise", evidence, event, "grown", amount)

    def _judge_statement(self, evidence: PressEvidence, event: Event, rule: Rule) -> Ruling:
        """Judge an amount or a count that was typed or spoken."""
        timing, lead = self.timing, self.lead
        counts = type(event) is type(timing.counted(timing.leader, 1))
        amount = amount_of(event) or 0
        if lead.since is not None and not counts and amount == lead.price and lead.seat != evidence.seat:
            after = self._moment(evidence) - lead.since
            if after <= self.pace.same_moment_ms * MILLISECOND:
                return self._miss(evidence, "same_moment", lead.since, refusals.SAME_MOMENT(seat=lead.seat), amount)
        refusal = rule(event)
        if refusal is not None:
            return refuse(evidence, self.lot, refusal)
        if counts:
            return self._count(evidence, rule)
        return self._accept("raise", evidence, event, "leads", amount)

    def _count(self, evidence: PressEvidence, rule: Rule) -> Ruling:
        """Judge a count of one, two or three, by the leader or by the companion."""
        timing = self.timing
        raised = self._just_raised(evidence)
        if raised is not None:
            judged = Judged("missed", self.lot, (mark_press(evidence, raised, "too_soon"),))
            return Ruling(evidence, refusal=refusals.JUST_RAISED(), judged=judged)
        if evidence.seat != OWN and self.counts:
            if timing.counting == "companion":
                return Ruling(evidence, refusal=refusals.COUNTING())
            if self._moment(evidence) - self.counts[-1] < self._gap():
                return self._miss(evidence, "too_soon", self.counts[-1], refusals.TOO_SOON())
        number = timing.count + 1
        event = timing.counted(timing.leader, number)
        refusal = rule(event)
        if refusal is not None:
            return refuse(evidence, self.lot, refusal)
        if number < COUNT:
            return self._accept("count", evidence, event, "counted", number)
        trail = [*self.trail, (evidence, "counted", number)][-TRAIL:]
        marks = tuple([mark_press(each, evidence.at, outcome, n) for each, outcome, n in trail])
        return Ruling(evidence, event, judged=Judged("sold", self.lot, marks))

    def _just_raised(self, evidence: PressEvidence) -> int | None:
        """Return the contact of the leader's own raise if this press is a second tap, which is not a count.

        The button says "raise" until the raise is accepted, so a press before that contact is not a count either.
        """
        limit, raised = self.pace.double_tap_ms * MILLISECOND, self.lead.contact
        if not limit or raised is None or evidence.seat == OWN or evidence.event is not None:
            return None
        return raised if evidence.at - raised < limit else None

    def _accept(self, kind: Kind, evidence: PressEvidence, event: Event, outcome: Outcome, number: int) -> Ruling:
        """Return a ruling that accepts an event; the press's own moment is the decisive one."""
        return accept(evidence, mark_press(evidence, evidence.at, outcome, number), (kind, self.lot), event)

    def _miss(
        self,
        evidence: PressEvidence,
        outcome: Outcome,
        moment: int,
        refusal: Refusal,
        number: int = 0,
    ) -> Ruling:
        """Return a ruling without effect, relative to the decisive moment."""
        mark = mark_press(evidence, moment, outcome, number)
        return miss(evidence, mark, self.lot, refusal)

    def _gap(self) -> int:
        """Return the minimum time between two counts."""
        return self.pace.gap_ms(self.timing) * MILLISECOND

    def _moment(self, evidence: PressEvidence) -> int:
        """Return the contact, or for a press delivered after the grace period its earliest valid moment."""
        return max(evidence.at, self.horizon)

    # --- after a ruling ------------------------------------------------------------------------------

    def confirm(self, ruling: Ruling) -> tuple[tuple[Cue, ...], list[PressEvidence] | None]:
        """Record that a ruling was carried out; return cues and the companion's new schedule (None: unchanged)."""
        judged, evidence = ruling.judged, ruling.heard
        if judged is None:
            return (), None
        at = self.horizon = self._moment(evidence)
        if judged.kind == "sold":
            self.counts = []
            return self._count_cue(evidence, COUNT), None
        for each in judged.marks:
            self.trail.append((evidence, each.outcome, each.number))
        last = judged.marks[-1]
        if judged.kind == "count":
            self.counts.append(at)
            cues = self._count_cue(evidence, last.number)
            if self.timing.counting == "leader" or last.number > 1:
                return cues, None
            more, ticks = self._schedule(at, last.number)
            return (*cues, *more), ticks
        if judged.kind == "raise":
            self._note_raise(evidence, last.outcome, last.number)
            return (*self.stop(), Raise(seat=evidence.seat, amount=last.number)), []
        return (), None

    def _note_raise(self, evidence: PressEvidence, outcome: Outcome, amount: int) -> None:
        old = self.lead
        if outcome == "grown":
            self.lead = msgspec.structs.replace(old, price=amount)
        elif outcome == "leads":
            contact = evidence.at if evidence.event is None else None
            self.outbid[old.seat] = self.horizon
            self.lead = Lead(evidence.seat, amount, self.timing.price, self.horizon, contact)

    def _count_cue(self, evidence: PressEvidence, number: int) -> tuple[Cue, ...]:
        """Return the cue of the leader's count unless it was already shown."""
        if evidence.seat == OWN or evidence is self.announced:
            return ()
        return (Count(number=number, seat=self.timing.leader),)

    def resume(self) -> tuple[tuple[Cue, ...], list[PressEvidence]]:
        """Continue a count that began earlier; return the cues and ticks of the companion's remaining counts."""
        if self.timing.counting == "companion" and self.counts:
            return self._schedule(self.since, self.timing.count)
        return (), []

    def _schedule(self, at: int, counted: int) -> tuple[tuple[Cue, ...], list[PressEvidence]]:
        """Return cues and ticks of the companion's own counts that follow this moment."""
        gap = self._gap()
        moments = {number: at + (number - counted) * gap for number in range(counted + 1, COUNT + 1)}
        ticks = [PressEvidence(OWN, when, when, source="companion", number=number) for number, when in moments.items()]
        return tuple([Count(when, number) for number, when in moments.items()]), ticks

    def stop(self) -> tuple[Cue, ...]:
        """Stop counting; return the cue for it."""
        counting, self.counts = bool(self.counts), []
        return (Stopped(),) if counting else ()

    def follow(self, timing: Raising) -> tuple[Cue, ...]:
        """Follow every new state of the auction; return cues."""
        self.timing = timing
        if (self.lead.seat, self.lead.price) != (timing.leader, timing.price):
            self.lead = Lead(timing.leader, timing.price)
        return self.stop() if timing.count < len(self.counts) else ()

    def announce(self, evidence: PressEvidence, others: list[PressEvidence]) -> tuple[Cue, ...]:
        """Return the cue of the leader's count, shown at once; its validity is known after the grace period."""
        timing = self.timing
        if evidence.contact != "closed" or evidence.event is not None or evidence.seat != timing.leader or others:
            return ()
        if evidence.at < self.since or timing.count >= COUNT or self._just_raised(evidence) is not None:
            return ()
        slow = not self.counts or evidence.at - self.counts[-1] >= self._gap()
        if not slow or (self.counts and timing.counting == "companion"):
            return ()
        self.announced = evidence
        return (Count(number=timing.count + 1, seat=timing.leader),)
