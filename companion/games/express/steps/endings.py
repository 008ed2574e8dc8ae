"""Automatic consequences of a turn: a disaster's effect, the next turn, the end and the scores of a hand."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from companion.engine import Automatic, Event, Luck, Offer, Refusal, Seat, SeatEvent, Step, Turn
from companion.games.express import events as ev
from companion.games.express import refusals
from companion.games.express.ending import after_turn
from companion.games.express.scoring import value_of
from companion.games.express.table import Table, hand_of
from companion.mechanics.offers import FromHand
from companion.mechanics.pool import sample
from companion.mechanics.seating import clockwise, with_value


class EndTurn(Automatic[Table], frozen=True):
    """A turn is over: begin the next one, or stop a hand in which nothing moves any more (R-04, R-06)."""

    again: bool = False
    """Whether the same seat has another turn."""

    def run(self, table: Table) -> Turn[Table]:
        """Find the next seat; skip seats that lost a turn."""
        seat = table.turn
        table, effects = after_turn(table, seat)
        table = replace(
            table,
            started=with_value(table.started, seat, True),
            trains=tuple([tuple([train.settled() for train in own]) for own in table.trains]),
            drew=0,
            fresh_maintenance=0,
            touched=False,
            answer="",
            waived=False,
        )
        if table.over or self.again:
            return table, (), effects
        following, skips, lost = table.who_follows(seat, table.skips)
        return replace(table, turn=following, skips=skips), (), (*effects, *map(ev.TurnLost, lost))


class FinishHand(Automatic[Table], frozen=True):
    """A hand is over: real cards left in hands are shown (S-08)."""

    def run(self, table: Table) -> Turn[Table]:
        holders = tuple([seat for seat in clockwise(table.turn, table.fixed.players) if table.hand(seat)])
        return table, (ShowHand(holders),) if holders and not table.fixed.dealt else (), ()


class ShownHand(FromHand, frozen=True, gc=False):
    """All real cards left in a hand, as its seat shows them (S-08)."""

    kind: ClassVar = ev.HandShown

    def pick(self, luck: Luck) -> Event:
        chosen: tuple[str, ...] = self.zones.must_hold(self.hand)[: self.most]
        cards = sorted(self.zones.candidates(self.hand))
        for card in sample(tuple(cards), len(cards), luck):
            if len(chosen) < self.most and self.zones.possible_together(self.hand, (*chosen, card)):
                chosen += (card,)
        return ev.HandShown(self.by, tuple(sorted(chosen)))


class ShowHand(Step[Table], frozen=True):
    """The seats show the real cards left in their hands, one after the other (S-08)."""

    seats: tuple[Seat, ...]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        hand = hand_of(self.seats[0])
        count = table.zones.count(hand)
        return (ShownHand(self.seats[0], table.zones.alone(hand), hand, count, count),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Name the cards; then ask the next seat for its own."""
        assert isinstance(event, ev.HandShown)
        hand = hand_of(event.seat)
        zones = table.zones.move(hand, None, *sorted(event.cards)).put(hand, *event.cards)
        return replace(table, zones=zones), (ShowHand(self.seats[1:]),) if self.seats[1:] else (), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if not isinstance(event, SeatEvent):
            return None
        if not isinstance(event, ev.HandShown) or event.seat != self.seats[0]:
            return refusals.HAND_OVER()
        return refusals.NOT_THE_HAND(count=table.hand(event.seat))


def hand_scores(table: Table, out: Seat | None) -> tuple[ev.HandScored, ...]:
    """Return each side's score in a hand: trains, maintenance, going out, cards left (S-01 to S-08)."""
    fixed = table.fixed
    found = []
    for side, group in enumerate(fixed.sides.groups):
        trains = sum([fixed.score(train).points for train in table.trains[side]])
        maintenance = sum([value_of(fixed.book, card) for card in table.maintenance[side]])
        bonus = fixed.out_bonus if out in group else 0
        held = [card for seat in group for card in table.zones.named(hand_of(seat))]
        left = fixed.hand_cost(held)
        found.append(ev.HandScored(group, trains + maintenance + bonus - left, trains, maintenance, bonus, left))
    return tuple(found)


class ScoreHand(Automatic[Table], frozen=True):
    """The hand is scored (R-28)."""

    def run(self, table: Table) -> Turn[Table]:
        scores = hand_scores(table, table.out)
        match = table.match.next_hand(tuple([score.count for score in scores]))
        return replace(table, match=match), (), scores
