"""What follows a turn by itself: a disaster's effect, the next turn, the end and the scores of a hand."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from companion.engine import Event, Offer, Refusal, Seat, SeatEvent, Step, Turn
from companion.games.express import events as ev
from companion.games.express import refusals
from companion.games.express.disasters import strike
from companion.games.express.laying import settle
from companion.games.express.scoring import hand_points, out_bonus, value_of
from companion.games.express.steps.offers import ShownHand
from companion.games.express.stopping import after_turn
from companion.games.express.table import Table, hand_of, who_follows
from companion.mechanics.seating import clockwise, with_value


class Strike(Step[Table], frozen=True):
    """A disaster that nothing averts takes effect (R-24, R-25)."""

    automatic: ClassVar[bool] = True
    disaster: ev.DisasterPlayed

    def run(self, table: Table) -> Turn[Table]:
        """Apply it."""
        table, effects = strike(table, self.disaster)
        return table, (), effects


class EndTurn(Step[Table], frozen=True):
    """A turn is over: the next one begins, or a hand in which nothing moves any more is stopped (R-04, R-06)."""

    automatic: ClassVar[bool] = True
    again: bool = False
    """Whether the same seat has another turn."""

    def run(self, table: Table) -> Turn[Table]:
        """Find who plays next; seats that lost a turn are passed over."""
        seat = table.turn
        table, effects = after_turn(table, seat)
        table = replace(
            table,
            started=with_value(table.started, seat, True),
            trains=tuple(map(settle, table.trains)),
            drew=0,
            fresh_maintenance=0,
            touched=False,
            answer="",
            waived=False,
        )
        if table.over or self.again:
            return table, (), effects
        following, skips, lost = who_follows(table, seat, table.skips)
        return replace(table, turn=following, skips=skips), (), (*effects, *map(ev.TurnLost, lost))


class FinishHand(Step[Table], frozen=True):
    """A hand is over: real cards left in hands are shown (S-08)."""

    automatic: ClassVar[bool] = True

    def run(self, table: Table) -> Turn[Table]:
        """Ask for real hands in turn."""
        holders = [] if table.fixed.dealt else [seat for seat in clockwise(table.turn, table.fixed.players)]
        holders = [seat for seat in holders if table.hand(seat)]
        return table, (ShowHand(tuple(holders)),) if holders else (), ()


class ShowHand(Step[Table], frozen=True):
    """The seats show the real cards left in their hands, one after the other (S-08)."""

    seats: tuple[Seat, ...]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer all cards that the hand may hold."""
        hand = hand_of(self.seats[0])
        return (ShownHand(self.seats[0], table.zones.alone(hand), hand),)

    def awaits(self, table: Table) -> tuple[Seat, ...]:
        """Return who shows its hand now."""
        return self.seats[:1]

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Name the cards; then the next seat shows its own."""
        assert isinstance(event, ev.HandShown)
        hand = hand_of(event.seat)
        zones = table.zones
        for card in sorted(event.cards):
            zones = zones.move(hand, None, card)
        table = replace(table, zones=zones.put(hand, *event.cards))
        return table, (ShowHand(self.seats[1:]),) if self.seats[1:] else (), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Say that the hand is over, or that these cannot be the cards."""
        if not isinstance(event, SeatEvent):
            return None
        if not isinstance(event, ev.HandShown) or event.seat != self.seats[0]:
            return refusals.HAND_OVER()
        return refusals.NOT_THE_HAND(count=table.hand(event.seat))


def hand_scores(table: Table, out: Seat | None) -> tuple[ev.HandScored, ...]:
    """Return what each side scores in a hand: trains, maintenance, going out, cards left (S-01 to S-08)."""
    fixed = table.fixed
    found = []
    for side, group in enumerate(fixed.sides.groups):
        trains = sum([fixed.score(train).points for train in table.trains[side]])
        maintenance = sum([value_of(fixed.book, card) for card in table.maintenance[side]])
        bonus = out_bonus(fixed.profile, fixed.players, len(fixed.sides.groups)) if out in group else 0
        held = [card for seat in group for card in table.zones.named(hand_of(seat))]
        left = hand_points(fixed.profile, fixed.book, held)
        found.append(ev.HandScored(group, trains + maintenance + bonus - left, trains, maintenance, bonus, left))
    return tuple(found)


class ScoreHand(Step[Table], frozen=True):
    """The hand is scored (R-28)."""

    automatic: ClassVar[bool] = True

    def run(self, table: Table) -> Turn[Table]:
        """Add up."""
        scores = hand_scores(table, table.out)
        match = table.match.next_hand(tuple([score.count for score in scores]))
        return replace(table, match=match), (), scores
