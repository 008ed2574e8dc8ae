"""The Open auction: anybody raises at any moment, the leader counts to three (R-46 to R-49).

Time belongs to the referee: here is only what was said, in its order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from companion.engine import UNKNOWN_SEAT, Amounts, Choice, Event, Luck, Offer, Raising, Refusal, Seat, Step, Turn
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.catalogue import UNIT
from companion.games.take_a_train.steps.sales import sell, tie_refusal
from companion.games.take_a_train.table import TRAINS, Table, short_seats

COUNT = 3
"""The leader counts to three (both rulebooks, Open auction; R-48)."""
LEAST_TOGETHER = 2
"""The least number of seats that raise at the same instant (R-49)."""


class Together(msgspec.Struct, frozen=True, gc=False):
    """Referee: two or more raises at the same instant to one amount that all can pay (R-49)."""

    seats: tuple[Seat, ...]
    low: int
    cash: tuple[int, ...]
    by: ClassVar[None] = None
    chance: ClassVar[bool] = False

    def __contains__(self, event: object) -> bool:
        if type(event) is not ev.RaisedTogether or event.amount % UNIT or event.amount < self.low:
            return False
        seats = event.seats
        return (
            len(seats) > 1
            and len(set(seats)) == len(seats)
            and all(s in self.seats and event.amount <= self.cash[s] for s in seats)
        )

    def __iter__(self) -> Iterator[Event]:
        rich = tuple(s for s in self.seats if self.cash[s] >= self.low)
        if len(rich) > 1:
            yield ev.RaisedTogether(rich, self.low)

    def pick(self, luck: Luck) -> Event:
        """Return a raise of all seats that can raise, by the smallest step."""
        return next(iter(self))


class Calling(Step[Table], frozen=True):
    """Open auction: anyone short may raise at any moment; only the leader counts to three (R-47, R-48)."""

    card: str
    beginner: Seat
    price: int
    leader: Seat
    count: int = 0

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer the leader's next count, and every higher amount to every other seat short of a locomotive."""
        leader, low, cash = self.leader, self.price + table.fixed.options.min_raise, table.cash
        others = [s for s in short_seats(table) if s != leader and cash[s] >= low]
        offers: list[Offer] = [Choice(leader, (ev.Counted(leader, self.count + 1),))]
        offers += [Amounts(s, ev.Raised, low, cash[s], UNIT) for s in others]
        if len(others) > 1:
            offers.append(Together(tuple(others), low, cash))
        if self.count:
            offers.append(_BREAK)
        if cash[leader] >= low:
            offers.append(Growing(leader, low, cash[leader]))
        return tuple(offers)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Lead with the raise, go on counting, sell at three, or break the count."""
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

    def owes(self, seat: Seat) -> int:
        """The leader's price is promised."""
        return self.price if seat == self.leader else 0

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return who leads and counts, that the raise is too low, or (privately) exceeds the cash."""
        if isinstance(event, ev.Counted):
            if event.seat != self.leader:
                return refusals.NOT_LEADER(seat=self.leader)
            return refusals.COUNT_OUT_OF_ORDER(next=self.count + 1)
        if isinstance(event, ev.CountBroken):
            return refusals.NO_COUNT()
        low = self.price + table.fixed.options.min_raise
        if isinstance(event, ev.RaiseGrown):
            if event.seat != self.leader:
                return refusals.GROWS_NOT(seat=self.leader)
            if event.amount < low:
                return refusals.MUST_RAISE(price=self.price, minimum=low)
            return refusals.BID_EXCEEDS_CASH.to(event.seat, cash=table.cash[event.seat])
        if isinstance(event, ev.RaisedTogether):
            return self.explain_together(table, event)
        if not isinstance(event, ev.Raised):
            return None
        if len(table.trains[event.seat]) == TRAINS:
            return refusals.ALREADY_HAS_THREE(seat=event.seat)
        if event.seat == self.leader:
            return refusals.SELF_RAISE()
        if event.amount < low:
            return refusals.MUST_RAISE(price=self.price, minimum=low)
        return refusals.BID_EXCEEDS_CASH.to(event.seat, cash=table.cash[event.seat])

    def timing(self, table: Table) -> Raising:
        """Return that anybody's press raises, and the leader's counts (R-47 to R-49)."""
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
        players = table.fixed.players
        if not all(0 <= seat < players for seat in seats):
            return UNKNOWN_SEAT(players=players)
        alone = (ev.Raised(seat, event.amount) for seat in seats)
        wrong = next(e for e in alone if not any(e in offer for offer in self.legal(table)))
        return self.explain(table, wrong)


class Breaking(msgspec.Struct, frozen=True, gc=False):
    """Referee or host: anything that breaks a count in progress (R-48)."""

    by: ClassVar[None] = None
    chance: ClassVar[bool] = False

    def __contains__(self, event: object) -> bool:
        return type(event) is ev.CountBroken

    def __iter__(self) -> Iterator[Event]:
        yield ev.CountBroken("pause")

    def pick(self, luck: Luck) -> Event:
        """Return a pause."""
        return ev.CountBroken("pause")


_BREAK = Breaking()


class Growing(msgspec.Struct, frozen=True, gc=False):
    """Referee: the leader increases its own raise by holding the button (R-49)."""

    seat: Seat
    low: int
    cash: int
    by: ClassVar[None] = None
    chance: ClassVar[bool] = False

    def __contains__(self, event: object) -> bool:
        if type(event) is not ev.RaiseGrown or event.seat != self.seat or event.amount % UNIT:
            return False
        return self.low <= event.amount <= self.cash

    def __iter__(self) -> Iterator[Event]:
        yield ev.RaiseGrown(self.seat, self.low)

    def pick(self, luck: Luck) -> Event:
        """Return the smallest increase."""
        return ev.RaiseGrown(self.seat, self.low)


class CallTie(Step[Table], frozen=True):
    """Open auction: the beginner chooses the leader among raises at the same instant (R-23, R-49)."""

    card: str
    beginner: Seat
    price: int
    tied: tuple[Seat, ...]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer each of the tied seats."""
        return (Choice(self.beginner, tuple([ev.TieBroken(self.beginner, seat) for seat in self.tied])),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Let the chosen seat lead at the common amount."""
        assert isinstance(event, ev.TieBroken)
        return table, (Calling(self.card, self.beginner, self.price, event.winner),), ()

    def owes(self, seat: Seat) -> int:
        """Every tied seat has promised the amount."""
        return self.price if seat in self.tied else 0

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return who decides, and among which seats."""
        return tie_refusal(self.beginner, self.tied, event)
