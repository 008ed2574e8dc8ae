"""One Open auction as the referee follows it: who leads since which contact, and how far was counted.

Pure. Presses come here in the order of their contacts, each when no earlier one can still arrive.
"""

from __future__ import annotations

import msgspec

from companion.engine import Event, Raising, Refusal, Seat
from companion.match.history import Judged
from companion.match.verdict import Outcome
from companion.messages import MILLISECOND, Count, Cue, Raise, Stopped
from companion.referee.rulings import OWN, PressEvidence, Rule, Ruling, mark, missed, name_of_lot, refused, taken

COUNT = 3
"""The leader counts to three."""
MEANT = 250 * MILLISECOND
"""Who presses so shortly after it could be told that it was outbid meant to count: nobody decides to raise any faster.

It can be told after the grace, when the raise has been judged.
"""
TRAIL = 16
"""Presses of one lot that its verdict shows at most: the last ones."""


class Lead(msgspec.Struct, frozen=True):
    """Who leads, and to which price. `base` is the one it was raised from."""

    seat: Seat
    price: int
    base: int = 0
    since: int | None = None
    """The moment from which it leads; None: it was not by a raise that came here."""
    contact: int | None = None
    """When its button closed; None: it was not by a button."""


class OpenAuction:
    """The memory of one Open auction. `since` is when it was opened, `horizon` up to when presses have been judged."""

    def __init__(self, timing: Raising, since: int) -> None:
        self.timing = timing
        self.since = since
        self.lot = name_of_lot(timing.lot)
        self.lead = Lead(timing.leader, timing.price)
        self.outbid: dict[Seat, int] = {}
        self.counts: list[int] = [since] * timing.count
        """When each number was counted; one that was counted before, as of when it came back."""
        self.horizon = 0
        self.trail: list[tuple[PressEvidence, Outcome, int]] = []
        self.announced: PressEvidence | None = None
        """The leader's count that was shown before it was judged."""

    # --- judging ----------------------------------------------------------------------------------

    def judge(self, evidence: PressEvidence, others: list[PressEvidence], rule: Rule) -> Ruling:
        """Return the ruling on the next press. `others` are those that wait; equal ones are taken out of it."""
        if evidence.contact == "held":
            return self._grow(evidence, rule)
        if evidence.event is not None:
            return self._said(evidence, evidence.event, rule)
        if evidence.seat in (OWN, self.timing.leader):
            return self._count(evidence, rule)
        return self._raise(evidence, others, rule)

    def _raise(self, evidence: PressEvidence, others: list[PressEvidence], rule: Rule) -> Ruling:
        """A press of anybody but the leader: a raise by the step, unless another has just said the same."""
        timing, lead = self.timing, self.lead
        amount = timing.price + timing.step
        if self._meant_to_count(evidence):
            return self._miss(evidence, "outbid", self.outbid[evidence.seat], {"seat": lead.seat})
        if lead.since is not None and self._moment(evidence) - lead.since <= timing.same_moment_ms * MILLISECOND:
            if lead.contact is None:  # it was said, to an amount that this press did not mean
                return self._miss(evidence, "outbid", lead.since, {"seat": lead.seat})
            return self._miss(evidence, "same_moment", lead.since, {"seat": lead.seat}, lead.price)
        refusal = rule(timing.raised(evidence.seat, amount))
        if refusal is not None:
            return refused(evidence, self.lot, refusal)
        tied = [each for each in others if self._ties(evidence, each, amount, rule)]
        if not tied:
            return taken("raise", self.lot, evidence, timing.raised(evidence.seat, amount), "leads", amount)
        others[:] = [each for each in others if each not in tied]
        every = sorted([evidence, *tied], key=lambda each: each.seat)
        marks = tuple([mark(each, evidence.at, "tied", amount) for each in every])
        event = timing.together(tuple([each.seat for each in every]), amount)
        return Ruling(evidence, event, judged=Judged("raise", self.lot, marks))

    def _meant_to_count(self, evidence: PressEvidence) -> bool:
        """Whether a seat that led could not know yet that it leads no more."""
        since = self.outbid.get(evidence.seat)
        return since is not None and self._moment(evidence) - since <= self.timing.grace_ms * MILLISECOND + MEANT

    def _ties(self, evidence: PressEvidence, other: PressEvidence, amount: int, rule: Rule) -> bool:
        """Whether another seat pressed at the very same instant and may raise to the same amount."""
        press = other.at == evidence.at and other.contact == "closed" and other.event is None
        if not press or other.seat in (evidence.seat, self.timing.leader, OWN) or self._meant_to_count(other):
            return False
        return rule(self.timing.raised(other.seat, amount)) is None

    def _grow(self, evidence: PressEvidence, rule: Rule) -> Ruling:
        """A button that is held: its own raise grows, as long as it still leads."""
        timing, lead = self.timing, self.lead
        amount = lead.base + timing.leap
        if lead.seat != evidence.seat or lead.contact != evidence.since or amount <= timing.price:
            return Ruling(evidence)
        event = timing.grown(evidence.seat, amount)
        refusal = rule(event)
        if refusal is not None:
            return refused(evidence, self.lot, refusal)
        return taken("raise", self.lot, evidence, event, "grown", amount)

    def _said(self, evidence: PressEvidence, event: Event, rule: Rule) -> Ruling:
        """An amount or a count that was typed or spoken."""
        timing, lead = self.timing, self.lead
        counts = type(event) is type(timing.counted(timing.leader, 1))
        amount = int(getattr(event, "amount", 0))
        if lead.since is not None and not counts and amount == lead.price and lead.seat != evidence.seat:
            after = self._moment(evidence) - lead.since
            if after <= timing.same_moment_ms * MILLISECOND:
                return self._miss(evidence, "same_moment", lead.since, {"seat": lead.seat}, amount)
        refusal = rule(event)
        if refusal is not None:
            return refused(evidence, self.lot, refusal)
        if counts:
            return self._count(evidence, rule)
        return taken("raise", self.lot, evidence, event, "leads", amount)

    def _count(self, evidence: PressEvidence, rule: Rule) -> Ruling:
        """One, two or three, by the leader or by the companion."""
        timing = self.timing
        raised = self._just_raised(evidence)
        if raised is not None:
            judged = Judged("missed", self.lot, (mark(evidence, raised, "too_soon"),))
            return Ruling(evidence, refusal=Refusal("R-00", "just_raised", {}), judged=judged)
        if evidence.seat != OWN and self.counts:
            if timing.counting == "companion":
                return Ruling(evidence, refusal=Refusal("R-00", "counting", {}))
            if self._moment(evidence) - self.counts[-1] < timing.gap_ms * MILLISECOND:
                return self._miss(evidence, "too_soon", self.counts[-1])
        number = timing.count + 1
        event = timing.counted(timing.leader, number)
        refusal = rule(event)
        if refusal is not None:
            return refused(evidence, self.lot, refusal)
        if number < COUNT:
            return taken("count", self.lot, evidence, event, "counted", number)
        trail = [*self.trail, (evidence, "counted", number)][-TRAIL:]
        marks = tuple([mark(each, evidence.at, outcome, n) for each, outcome, n in trail])
        return Ruling(evidence, event, judged=Judged("sold", self.lot, marks))

    def _just_raised(self, evidence: PressEvidence) -> int | None:
        """Return the contact of the leader's own raise if this press is its second tap, which means no count.

        The button says "raise" until the raise is taken, so a press before that contact is no count either.
        """
        limit, raised = self.timing.double_tap_ms * MILLISECOND, self.lead.contact
        if not limit or raised is None or evidence.seat == OWN or evidence.event is not None:
            return None
        return raised if evidence.at - raised < limit else None

    def _miss(
        self,
        evidence: PressEvidence,
        outcome: Outcome,
        moment: int,
        fields: dict[str, object] | None = None,
        number: int = 0,
    ) -> Ruling:
        return missed(evidence, self.lot, outcome, moment, Refusal("R-00", outcome, fields or {}), number)

    def _moment(self, evidence: PressEvidence) -> int:
        """Return the contact, or for one delivered after the grace the moment from which it can still be heard."""
        return max(evidence.at, self.horizon)

    # --- what became of it ------------------------------------------------------------------------

    def ruled(self, ruling: Ruling) -> tuple[tuple[Cue, ...], list[PressEvidence] | None]:
        """Take note that a ruling has come true; return cues, and the companion's own counts from now on.

        None: those that are scheduled stand.
        """
        judged, evidence = ruling.judged, ruling.heard
        if judged is None:
            return (), None
        at = self.horizon = self._moment(evidence)
        if judged.kind == "sold":
            self.counts = []
            return self._late(evidence, COUNT), None
        for each in judged.marks:
            self.trail.append((evidence, each.outcome, each.number))
        last = judged.marks[-1]
        if judged.kind == "count":
            self.counts.append(at)
            cues = self._late(evidence, last.number)
            if self.timing.counting == "leader" or last.number > 1:
                return cues, None
            more, ticks = self._schedule(at, last.number)
            return (*cues, *more), ticks
        if judged.kind == "raise":
            self._raised(evidence, last.outcome, last.number)
            return (*self.stop(), Raise(seat=evidence.seat, amount=last.number)), []
        return (), None

    def _raised(self, evidence: PressEvidence, outcome: Outcome, amount: int) -> None:
        old = self.lead
        if outcome == "grown":
            self.lead = msgspec.structs.replace(old, price=amount)
        elif outcome == "leads":
            contact = evidence.at if evidence.event is None else None
            self.outbid[old.seat] = self.horizon
            self.lead = Lead(evidence.seat, amount, self.timing.price, self.horizon, contact)

    def _late(self, evidence: PressEvidence, number: int) -> tuple[Cue, ...]:
        """Return the leader's count where it has not been shown yet."""
        if evidence.seat == OWN or evidence is self.announced:
            return ()
        return (Count(number=number, seat=self.timing.leader),)

    def resumed(self) -> tuple[tuple[Cue, ...], list[PressEvidence]]:
        """Go on with a count that has come back halfway; return what the companion still has to count."""
        if self.timing.counting == "companion" and self.counts:
            return self._schedule(self.since, self.timing.count)
        return (), []

    def _schedule(self, at: int, counted: int) -> tuple[tuple[Cue, ...], list[PressEvidence]]:
        """Return the companion's own numbers after the one that was counted at this moment."""
        gap = self.timing.gap_ms * MILLISECOND
        moments = {number: at + (number - counted) * gap for number in range(counted + 1, COUNT + 1)}
        ticks = [PressEvidence(OWN, when, when, source="companion", number=number) for number, when in moments.items()]
        return tuple([Count(when, number) for number, when in moments.items()]), ticks

    def stop(self) -> tuple[Cue, ...]:
        """Stop counting; return the cue that says so."""
        counting, self.counts = bool(self.counts), []
        return (Stopped(),) if counting else ()

    def follow(self, timing: Raising) -> tuple[Cue, ...]:
        """Take note of how the auction stands, whoever has changed it; return cues."""
        self.timing = timing
        if (self.lead.seat, self.lead.price) != (timing.leader, timing.price):
            self.lead = Lead(timing.leader, timing.price)
        return self.stop() if timing.count < len(self.counts) else ()

    def shown(self, evidence: PressEvidence, others: list[PressEvidence]) -> tuple[Cue, ...]:
        """Return the leader's count, to be shown at once: whether it counts is known after the grace."""
        timing = self.timing
        if evidence.contact != "closed" or evidence.event is not None or evidence.seat != timing.leader or others:
            return ()
        if evidence.at < self.since or timing.count >= COUNT or self._just_raised(evidence) is not None:
            return ()
        slow = not self.counts or evidence.at - self.counts[-1] >= timing.gap_ms * MILLISECOND
        if not slow or (self.counts and timing.counting == "companion"):
            return ()
        self.announced = evidence
        return (Count(number=timing.count + 1, seat=timing.leader),)
