"""Spoken auctions: opening them (R-27, R-46), and the Pass auction (R-28, R-29)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import NOT_YOUR_TURN, Amounts, Choice, Event, Offer, Refusal, Seat, Step, Turn, seat_of
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.catalogue import UNIT
from companion.games.take_a_train.steps.open_auction import Calling
from companion.games.take_a_train.steps.sales import next_short, no_sale, sell
from companion.games.take_a_train.table import TRAINS, Table, power
from companion.mechanics.seating import clockwise, left_of


def opening(table: Table, card: str, beginner: Seat, broke: bool) -> Turn[Table]:
    """Ask the beginner to open; if it cannot afford the card, the right passes clockwise (R-18, R-27, R-46)."""
    first = next_short(table, beginner) if broke else beginner
    return table, (Opening(card, beginner, first, table.cash[beginner] if broke else None),), ()


class Opening(Step[Table], frozen=True):
    """A seat names the first price, at least the power; anyone but the able beginner may decline (R-18)."""

    card: str
    beginner: Seat
    asked: Seat
    unable: int | None = None
    """The beginner's cash if it could not pay: it is skipped while that stays the same. None if it could pay."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer prices from the power to the seat's cash, and declining in place of a beginner that cannot pay."""
        seat, low, cash = self.asked, power(table, self.card), table.cash[self.asked]
        offers: list[Offer] = []
        if cash >= low:
            offers.append(Amounts(seat, ev.Opened, low, cash, UNIT))
        if self.unable is not None or cash < low:
            offers.append(Choice(seat, (ev.OpeningDeclined(seat),)))
        return tuple(offers)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Begin the bidding at the price, ask the next seat, or end without a sale."""
        if isinstance(event, ev.OpeningDeclined):
            return self.declined(table)
        assert isinstance(event, ev.Opened)
        if table.kind == "open":
            return table, (Calling(self.card, self.beginner, event.amount, event.seat),), ()
        seats = clockwise(left_of(event.seat, table.fixed.players), table.fixed.players)
        bidders = tuple([s for s in seats if len(table.trains[s]) < TRAINS])
        return Bidding(self.card, self.beginner, event.amount, event.seat, bidders, self.unable).following(table)

    def declined(self, table: Table) -> Turn[Table]:
        """Ask the next seat to the left; the beginner comes last, if its cash has changed meanwhile."""
        if self.unable is None:  # after a correction the beginner cannot pay any more
            return table, (replace(self, asked=next_short(table, self.asked), unable=table.cash[self.asked]),), ()
        following = next_short(table, self.asked)
        if self.asked == self.beginner or (following == self.beginner and table.cash[following] == self.unable):
            return no_sale(table, self.card)
        return table, (replace(self, asked=following),), ()

    def unsaid(self, event: Event) -> Event | None:
        """Return the beginner's decline: older journals did not ask a beginner again that could not pay at first."""
        again = self.unable is not None and self.asked == self.beginner
        return ev.OpeningDeclined(self.asked) if again and seat_of(event) != self.asked else None

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return whose opening it is, that the price is too low, or (privately) that it exceeds the cash."""
        if isinstance(event, ev.OpeningDeclined):
            if event.seat == self.asked:
                return refusals.BEGINNER_MUST_OPEN.to(event.seat)
            return NOT_YOUR_TURN(seat=self.asked)
        if not isinstance(event, ev.Opened):
            return None
        if event.seat != self.asked:
            return NOT_YOUR_TURN(seat=self.asked)
        low = power(table, self.card)
        if event.amount < low:
            return (refusals.BELOW_MINIMUM_R27 if table.kind == "pass" else refusals.BELOW_MINIMUM)(minimum=low)
        return refusals.BID_EXCEEDS_CASH.to(event.seat, cash=table.cash[event.seat])


class Bidding(Step[Table], frozen=True):
    """Pass auction: clockwise, each remaining seat bids more or leaves the lot for good (R-28, R-29)."""

    card: str
    beginner: Seat
    price: int
    leader: Seat
    bidders: tuple[Seat, ...]
    """The remaining seats including the leader, the next to bid first."""
    unable: int | None = None
    """The beginner's cash if it could not pay: it is skipped while that stays the same. None if it could pay."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer passing, and every higher amount up to the seat's cash."""
        speaker = self.bidders[0]
        low, cash = self.price + table.fixed.options.min_raise, table.cash[speaker]
        passing = Choice(speaker, (ev.Passed(speaker),))
        return (passing, Amounts(speaker, ev.Bid, low, cash, UNIT)) if cash >= low else (passing,)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Go on with the next bidder, or sell to the last one standing."""
        rest = self.bidders[1:]
        if isinstance(event, ev.Bid):
            speaker = event.seat
            return replace(self, price=event.amount, leader=speaker, bidders=(*rest, speaker)).following(table)
        return replace(self, bidders=rest).following(table)

    def following(self, table: Table) -> Turn[Table]:
        """Ask the next seat, or sell to the leader if none is left (R-28, R-29)."""
        for at, seat in enumerate(self.bidders):
            passed_over = seat == self.beginner and table.cash[seat] == self.unable
            if seat != self.leader and not passed_over:
                return table, (replace(self, bidders=self.bidders[at:] + self.bidders[:at]),), ()
        return sell(table, self.leader, self.card, self.price)

    def unsaid(self, event: Event) -> Event | None:
        """Return the beginner's decline: older journals did not ask a beginner again that could not pay at first."""
        again = self.unable is not None and self.bidders[0] == self.beginner
        return ev.Passed(self.beginner) if again and seat_of(event) != self.beginner else None

    def owes(self, seat: Seat) -> int:
        """The leader's price is promised."""
        return self.price if seat == self.leader else 0

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return that the seat has left this lot, is not on turn, bids too low, or (privately) exceeds its cash."""
        if not isinstance(event, ev.Bid | ev.Passed):
            return None
        if len(table.trains[event.seat]) == TRAINS:
            return refusals.ALREADY_HAS_THREE(seat=event.seat)
        if event.seat not in self.bidders:
            return refusals.ALREADY_PASSED(seat=event.seat)
        if event.seat != self.bidders[0]:
            return NOT_YOUR_TURN(seat=self.bidders[0])
        assert isinstance(event, ev.Bid)
        low = self.price + table.fixed.options.min_raise
        if event.amount < low:
            return refusals.MUST_RAISE_R28(price=self.price, minimum=low)
        return refusals.BID_EXCEEDS_CASH.to(event.seat, cash=table.cash[event.seat])
