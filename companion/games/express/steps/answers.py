"""Answers of other seats during a turn: a partner, victims of a disaster, everybody about a misdeal."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import Choice, Deciding, Event, Offer, Refusal, Seat, SeatEvent, Step, Turn
from companion.games.express import events as ev
from companion.games.express import refusals
from companion.games.express.disasters import shield_against, strike
from companion.games.express.laying import not_held
from companion.games.express.table import SLOT, Table, hand_of, new_hand

ANSWERS: dict[type[Event], str] = {ev.PartnerAgreed: "yes", ev.PartnerForbade: "no", ev.QuestionWithdrawn: "withdrawn"}
"""The possible ends of a question to the partner."""


class AnswerPartner(Step[Table], frozen=True):
    """A partner says whether the seat may go out; the seat may withdraw its question (R-27)."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        answers = [
            Choice(each, (ev.PartnerAgreed(each), ev.PartnerForbade(each)))
            for each in table.fixed.sides.partners(self.seat)
        ]
        return (*answers, Choice(self.seat, (ev.QuestionWithdrawn(self.seat),)))

    def awaits(self, table: Table) -> tuple[Seat, ...]:
        """Return the partners: the seat itself need not withdraw."""
        return tuple(table.fixed.sides.partners(self.seat))

    def timing(self, table: Table) -> Deciding | None:
        """Return the meaning of the only partner's press: yes. "No" is on the page (R-27)."""
        partner, *others = table.fixed.sides.partners(self.seat)
        if others:
            return None
        return Deciding(("answer", table.match.number, table.turns), partner, ev.PartnerAgreed(partner), "decided")

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        return replace(table, answer=ANSWERS[type(event)]), (), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if isinstance(event, ev.PartnerAgreed | ev.PartnerForbade | ev.QuestionWithdrawn):
            return refusals.NOT_ASKED(seat=event.seat)
        return refusals.ANSWER_FIRST(seat=self.seat)


class Protect(Step[Table], frozen=True):
    """The victims of a disaster are asked one by one for a maintenance card of their hands (R-23, A-03).

    Every victim is asked, so that the question itself reveals nothing.
    """

    seats: tuple[Seat, ...]
    disaster: ev.DisasterPlayed

    def legal(self, table: Table) -> tuple[Offer, ...]:
        seat = self.seats[0]
        shield = shield_against(table, self.disaster.card)
        held = table.zones.possible(hand_of(seat), shield)
        played = (ev.ProtectionPlayed(seat, shield),) if held else ()
        return (Choice(seat, (*played, ev.ProtectionDeclined(seat))),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Spend the card; or ask the next victim, until the disaster strikes."""
        if isinstance(event, ev.ProtectionPlayed):
            side = table.fixed.sides.groups[table.fixed.side_of[event.seat]]
            zones = table.zones.move(hand_of(event.seat), SLOT, event.card)
            return replace(table, zones=zones), (), (ev.DisasterAverted(side, event.card),)
        if self.seats[1:]:
            return table, (Protect(self.seats[1:], self.disaster),), ()
        table, effects = strike(table, self.disaster)
        return table, (), effects

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if not isinstance(event, SeatEvent):
            return None
        if not isinstance(event, ev.ProtectionPlayed | ev.ProtectionDeclined) or event.seat != self.seats[0]:
            return refusals.ANSWER_FIRST_R23(seat=self.seats[0])
        shield = shield_against(table, self.disaster.card)
        if isinstance(event, ev.ProtectionPlayed) and event.card != shield:
            return refusals.DOES_NOT_MATCH(card=shield)
        return not_held(table, event.seat, shield)


class AnswerMisdeal(Step[Table], frozen=True):
    """The others agree or disagree to a misdeal (A-05)."""

    laying: Step[Table]
    """The step to which the caller returns, unless the hand is dealt again."""
    seats: tuple[Seat, ...]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        seat = self.seats[0]
        return (Choice(seat, (ev.MisdealAccepted(seat), ev.MisdealRejected(seat))),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Deal again in the first round if all agree; in later rounds, let the caller keep its cards this turn."""
        if isinstance(event, ev.MisdealRejected):
            return table, (self.laying,), ()
        if self.seats[1:]:
            return table, (AnswerMisdeal(self.laying, self.seats[1:]),), ()
        if table.first_round:
            return new_hand(table.fixed, table.match), (), (ev.Misdealt(),)
        return replace(table, waived=True), (self.laying,), (ev.LimitWaived(table.turn),)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.ANSWER_FIRST_R19(seat=self.seats[0]) if isinstance(event, SeatEvent) else None
