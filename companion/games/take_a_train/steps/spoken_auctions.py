"""Spoken auctions: opening them (R-27, R-46), the Pass auction (R-28, R-29), the Open auction (R-46 to R-49).

In the Open auction anybody raises at any moment, and the leader counts to three. The referee handles time: these steps
know only the order of statements.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.engine import Amounts, Choice, Event, Offer, Raising, Seat, Step, Turn, seat_of
from companion.engine.refusal import NOT_YOUR_TURN, UNKNOWN_SEAT, Refusal
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.catalogue import UNIT
from companion.games.take_a_train.steps.sales import TieBreak, next_short, no_sale, sell, short_or_dear
from companion.games.take_a_train.table import TRAINS, Table, power, short_seats
from companion.mechanics.offers import TableOffer
from companion.mechanics.seating import clockwise, left_of

COUNT = 3
"""The leader counts to three (both rulebooks, Open auction; R-48)."""
LEAST_TOGETHER = 2
"""The fewest seats that raise at the same instant (R-49)."""


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
        price, declining = Amounts(seat, ev.Opened, low, cash, UNIT), Choice(seat, (ev.OpeningDeclined(seat),))
        if cash < low:
            return (declining,)
        return (price,) if self.unable is None else (price, declining)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Begin the bidding at the price, ask the next seat, or end without a sale."""
        if isinstance(event, ev.OpeningDeclined):
            return self.declined(table)
        assert isinstance(event, ev.Opened)
        if table.kind == "open":
            return table, (Calling(self.card, self.beginner, event.amount, event.seat),), ()
        seats = clockwise(left_of(event.seat, table.fixed.players), table.fixed.players)
        bidders = tuple([seat for seat in seats if len(table.trains[seat]) < TRAINS])
        return Bidding(self.card, self.beginner, event.amount, event.seat, bidders, self.unable).following(table)

    def declined(self, table: Table) -> Turn[Table]:
        """Ask the next seat to the left; the beginner comes last, if its cash has changed meanwhile."""
        if self.unable is None:  # after a correction the beginner can no longer pay
            return table, (replace(self, asked=next_short(table, self.asked), unable=table.cash[self.asked]),), ()
        following = next_short(table, self.asked)
        if self.asked == self.beginner or (following == self.beginner and table.cash[following] == self.unable):
            return no_sale(table, self.card)
        return table, (replace(self, asked=following),), ()

    def unsaid(self, event: Event) -> Event | None:
        """Return the beginner's decline: older journals did not ask again a beginner that could not pay at first."""
        again = self.unable is not None and self.asked == self.beginner
        return ev.OpeningDeclined(self.asked) if again and seat_of(event) != self.asked else None

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return whose opening it is, that the price is too low, or (privately) that it exceeds the cash."""
        if not isinstance(event, ev.Opened | ev.OpeningDeclined):
            return None
        if event.seat != self.asked:
            return NOT_YOUR_TURN(seat=self.asked)
        if isinstance(event, ev.OpeningDeclined):
            return refusals.BEGINNER_MUST_OPEN.to(event.seat)
        low = power(table, self.card)
        short = (refusals.BELOW_MINIMUM_R27 if table.kind == "pass" else refusals.BELOW_MINIMUM)(minimum=low)
        return short_or_dear(table, event.seat, event.amount, low, short)


class Spoken(Step[Table], frozen=True):
    """A spoken price, promised by its leader."""

    card: str
    beginner: Seat
    price: int
    leader: Seat

    def owes(self, seat: Seat) -> int:
        """The leader's price is promised."""
        return self.price if seat == self.leader else 0

    def least(self, table: Table) -> int:
        """Return the minimum price after this one."""
        return self.price + table.fixed.options.min_raise


class Bidding(Spoken, frozen=True):
    """Pass auction: clockwise, each remaining seat bids more or leaves the lot for good (R-28, R-29)."""

    bidders: tuple[Seat, ...]
    """The remaining seats including the leader, the next to bid first."""
    unable: int | None = None
    """The beginner's cash if it could not pay: it is skipped while that stays the same. None if it could pay."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        speaker = self.bidders[0]
        low, cash = self.least(table), table.cash[speaker]
        passing = Choice(speaker, (ev.Passed(speaker),))
        return (passing, Amounts(speaker, ev.Bid, low, cash, UNIT)) if cash >= low else (passing,)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Continue with the next bidder, or sell to the last one standing."""
        rest = self.bidders[1:]
        if not isinstance(event, ev.Bid):
            return replace(self, bidders=rest).following(table)
        return replace(self, price=event.amount, leader=event.seat, bidders=(*rest, event.seat)).following(table)

    def following(self, table: Table) -> Turn[Table]:
        """Ask the next seat, or sell to the leader if none is left (R-28, R-29)."""
        for at, seat in enumerate(self.bidders):
            passed_over = seat == self.beginner and table.cash[seat] == self.unable
            if seat != self.leader and not passed_over:
                return table, (replace(self, bidders=self.bidders[at:] + self.bidders[:at]),), ()
        return sell(table, self.leader, self.card, self.price)

    def unsaid(self, event: Event) -> Event | None:
        """Return the beginner's decline: older journals did not ask again a beginner that could not pay at first."""
        again = self.unable is not None and self.bidders[0] == self.beginner
        return ev.Passed(self.beginner) if again and seat_of(event) != self.beginner else None

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return that the seat has left this lot, is not on turn, bids too low, or (privately) exceeds its cash."""
        if not isinstance(event, ev.Bid | ev.Passed):
            return None
        if event.seat not in self.bidders:
            out = len(table.trains[event.seat]) == TRAINS
            return (refusals.ALREADY_HAS_THREE if out else refusals.ALREADY_PASSED)(seat=event.seat)
        if event.seat != self.bidders[0]:
            return NOT_YOUR_TURN(seat=self.bidders[0])
        assert isinstance(event, ev.Bid)
        low = self.least(table)
        short = refusals.MUST_RAISE_R28(price=self.price, minimum=low)
        return short_or_dear(table, event.seat, event.amount, low, short)


# --- the Open auction -----------------------------------------------------------------------------

BREAK = TableOffer(ev.CountBroken, lambda event: True, (ev.CountBroken("pause"),))
"""Referee or host: any break of a count in progress (R-48)."""


def growing(seat: Seat, low: int, cash: int) -> TableOffer[ev.RaiseGrown]:
    """Return the referee's offer to the leader to increase its own raise by holding the button (R-49)."""

    def fits(event: ev.RaiseGrown) -> bool:
        return event.seat == seat and not event.amount % UNIT and low <= event.amount <= cash

    return TableOffer(ev.RaiseGrown, fits, (ev.RaiseGrown(seat, low),))


def together(seats: Iterable[Seat], low: int, cash: tuple[int, ...]) -> TableOffer[ev.RaisedTogether]:
    """Return the referee's offer of simultaneous raises to one amount that all can pay (R-49)."""
    rich = tuple(seats)

    def fits(event: ev.RaisedTogether) -> bool:
        said, amount = event.seats, event.amount
        several = len(said) >= LEAST_TOGETHER and len(set(said)) == len(said)
        possible = not amount % UNIT and amount >= low
        return several and possible and all(seat in rich and amount <= cash[seat] for seat in said)

    return TableOffer(ev.RaisedTogether, fits, (ev.RaisedTogether(rich, low),))


class Calling(Spoken, frozen=True):
    """Open auction: any seat short of locomotives may raise at any moment; only the leader counts to three (R-47,
    R-48).
    """

    count: int = 0

    def legal(self, table: Table) -> tuple[Offer, ...]:
        leader, low, cash = self.leader, self.least(table), table.cash
        others = [s for s in short_seats(table) if s != leader and cash[s] >= low]
        offers: list[Offer] = [Choice(leader, (ev.Counted(leader, self.count + 1),))]
        offers += [Amounts(s, ev.Raised, low, cash[s], UNIT) for s in others]
        if len(others) >= LEAST_TOGETHER:
            offers.append(together(others, low, cash))
        if self.count:
            offers.append(BREAK)
        if cash[leader] >= low:
            offers.append(growing(leader, low, cash[leader]))
        return tuple(offers)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Lead with the raise, continue counting, sell at three, or break the count."""
        match event:
            case ev.Raised(seat, amount) | ev.RaiseGrown(seat, amount):
                return table, (Calling(self.card, self.beginner, amount, seat),), ()
            case ev.Counted(_, count) if count < COUNT:
                return table, (Calling(self.card, self.beginner, self.price, self.leader, count),), ()
            case ev.Counted():
                return sell(table, self.leader, self.card, self.price)
            case ev.RaisedTogether(seats, amount):
                tie = CallTie(self.card, self.beginner, amount, seats)
                return table, (tie,), (ev.Tied(seats, amount),)
            case ev.CountBroken():
                return table, (replace(self, count=0),), ()
        raise TypeError(f"an open auction takes no {type(event).__name__}")

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return who leads and counts, that the raise is too low, or (privately) that it exceeds the cash."""
        low = self.least(table)
        short = refusals.MUST_RAISE(price=self.price, minimum=low)
        match event:
            case ev.Counted(seat):
                if seat != self.leader:
                    return refusals.NOT_LEADER(seat=self.leader)
                return refusals.COUNT_OUT_OF_ORDER(next=self.count + 1)
            case ev.RaiseGrown(seat, amount):
                if seat != self.leader:
                    return refusals.GROWS_NOT(seat=self.leader)
                return short_or_dear(table, seat, amount, low, short)
            case ev.RaisedTogether():
                return self.explain_together(table, event)
            case ev.Raised(seat, amount):
                if len(table.trains[seat]) == TRAINS:
                    return refusals.ALREADY_HAS_THREE(seat=seat)
                return refusals.SELF_RAISE() if seat == self.leader else short_or_dear(table, seat, amount, low, short)
        return None

    def timing(self, table: Table) -> Raising:
        """Return the meaning of presses: anybody's press raises, and the leader's counts (R-47 to R-49)."""
        options = table.fixed.options
        return Raising(
            lot=(table.round, self.card),
            leader=self.leader,
            price=self.price,
            count=self.count,
            seats=table.fixed.players,
            raised=ev.Raised,
            grown=ev.RaiseGrown,
            together=ev.RaisedTogether,
            counted=ev.Counted,
            step=max(options.open_step, options.min_raise),
            leap=max(options.open_leap, options.min_raise),
            counting=options.counting,
            slow=options.count_pace == "slow",
        )

    def explain_together(self, table: Table, event: ev.RaisedTogether) -> Refusal | None:
        """Return which seat could not have raised alone, or that at least two seats are needed."""
        seats = event.seats
        if len(seats) < LEAST_TOGETHER or len(set(seats)) < len(seats):
            return refusals.RAISED_ALONE()
        if not all(0 <= seat < table.fixed.players for seat in seats):
            return UNKNOWN_SEAT(players=table.fixed.players)
        alone = (ev.Raised(seat, event.amount) for seat in seats)
        wrong = next(e for e in alone if not any(e in offer for offer in self.legal(table)))
        return self.explain(table, wrong)


class CallTie(TieBreak, frozen=True):
    """Open auction: the beginner chooses the leader among raises at the same instant (R-23, R-49)."""

    def chosen(self, table: Table, seat: Seat) -> Turn[Table]:
        """Let the chosen seat lead at the common amount."""
        return table, (Calling(self.card, self.beginner, self.price, seat),), ()
