"""The choice of the dealer, and the deal of each hand (R-02, R-03)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import Automatic, Event, Offer, Refusal, Seat, Step, Turn
from companion.games.express import events as ev
from companion.games.express import refusals
from companion.games.express.fixed import Fixed
from companion.games.express.scoring import value_of
from companion.games.express.steps.draw import Draw
from companion.games.express.steps.endings import FinishHand, ScoreHand
from companion.games.express.table import PILE, Table, hand_of, new_hand
from companion.mechanics import steps
from companion.mechanics.hands import SeveralHands
from companion.mechanics.pool import NextCard, without
from companion.mechanics.seating import clockwise, with_value


def start(fixed: Fixed) -> tuple[Table, tuple[Step[Table], ...]]:
    """Return the table and steps of a match: each seat draws for the deal (R-02)."""
    match = SeveralHands(fixed.players, len(fixed.sides.groups), fixed.options.hands)
    return new_hand(fixed, match), (DrawForDeal(tuple(clockwise(0, fixed.players))),)


class DrawForDeal(Step[Table], frozen=True):
    """Chance: the seats draw a card each; the highest number deals, tied seats draw again from the rest (R-02)."""

    seats: tuple[Seat, ...]
    cards: tuple[str, ...] = ()
    """The cards that the first of them have drawn."""
    aside: tuple[str, ...] = ()
    """The cards drawn before by the tied seats."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        left = without(table.zones.remaining(PILE), (*self.aside, *self.cards))
        return (NextCard(ev.DealerCardDrawn, left, (self.seats[len(self.cards)],)),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Ask the next seat, or compare."""
        assert isinstance(event, ev.DealerCardDrawn)
        cards, drawn = (*self.cards, event.card), with_value(table.drawn, event.seat, event.card)
        table = replace(table, drawn=drawn)
        if len(cards) < len(self.seats):
            return table, (DrawForDeal(self.seats, cards, self.aside),), ()
        values = [value_of(table.fixed.book, card) for card in cards]
        best = tuple([seat for seat, value in zip(self.seats, values, strict=True) if value == max(values)])
        if len(best) > 1:
            aside = (*self.aside, *cards)
            enough = len(table.fixed.cards) - len(aside) >= len(best)
            return table, (DrawForDeal(best, (), aside if enough else ()),), (ev.DealersTied(best),)
        match = replace(table.match, first_dealer=best[0])
        return new_hand(table.fixed, match, drawn), (PlayHand(),), (ev.DealerChosen(best[0]),)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if not isinstance(event, ev.DealerCardDrawn):
            return None
        seat = self.seats[len(self.cards)]
        if event.seat not in self.seats:
            return refusals.NOT_TIED(seat=event.seat)
        if event.seat != seat:
            return refusals.NOT_YOUR_TURN(seat=seat)
        return refusals.NOT_IN_DECK(card=event.card)


class PlayHand(Automatic[Table], frozen=True):
    """A hand: the deal, turn after turn, and the scores; it stays beneath the turns on the agenda (R-03, R-04,
    R-28).
    """

    def run(self, table: Table) -> Turn[Table]:
        """Deal, begin a turn, or score. People deal real cards without an event."""
        if table.over:
            return table, (FinishHand(), ScoreHand(), AfterHand()), ()
        if table.handed_out:
            return table, (Draw(table.turn), self), ()
        return (table, (DealHands(), self), ()) if table.fixed.dealt else (DealHands().dealt(table), (self,), ())


class DealHands(steps.Deal[Table], frozen=True):
    """Chance: the companion deals (R-03)."""

    kind = ev.HandsDealt

    def counts(self, table: Table) -> dict[str, int]:
        """Return the number of cards for each hand, from the seat left of the dealer on."""
        return {hand_of(seat): table.fixed.deal for seat in clockwise(table.turn, table.fixed.players)}

    def dealt(self, table: Table, cards: tuple[str, ...] = ()) -> Table:
        return replace(super().dealt(table, cards), handed_out=True)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.DEAL(count=table.fixed.deal) if isinstance(event, ev.HandsDealt) else None


class AfterHand(Automatic[Table], frozen=True):
    """After the scores: the match is over, or the next hand waits (R-28, R-29)."""

    def run(self, table: Table) -> Turn[Table]:
        return table, () if table.match.finished(table.fixed.profile.target) else (NextHand(),), ()


class NextHand(steps.NextHand[Table], frozen=True):
    """People look at the scores until the dealer starts the next hand (R-28)."""

    kind = ev.HandCalled

    def begun(self, table: Table) -> Turn[Table]:
        return new_hand(table.fixed, table.match), (PlayHand(),), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if isinstance(event, ev.HandCalled):
            return refusals.NOT_THE_DEALER(seat=table.match.dealer)
        return refusals.HAND_OVER()
