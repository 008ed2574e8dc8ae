"""Bidding in turn: each seat bids more than the last bid, or passes for good."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, TypeVar

from companion.engine import Amounts, Choice, Deciding, Event, Offer, Reason, Refusal, Seat, SeatEvent, Step, Turn
from companion.engine.step import Needs

T = TypeVar("T")
CANNOT_PAY = Reason("R-00", "cannot_pay", "least")


class BiddingInTurn(Step[T], frozen=True):
    """The first of these seats bids more than the last bid, or passes and is out; the last remaining seat buys."""

    seats: tuple[Seat, ...]
    """The remaining bidders, in turn."""
    price: int = 0
    leader: Seat | None = None
    needs: ClassVar[Needs] = {"bid": (SeatEvent, ("amount",)), "passed": (SeatEvent, ())}
    bid: ClassVar[type[SeatEvent]]
    """A bid: an event with the seat and an `amount`."""
    passed: ClassVar[type[SeatEvent]]
    step: ClassVar[int] = 1
    """Bids are multiples of it."""

    @abstractmethod
    def most(self, table: T, seat: Seat) -> int:
        """Return the highest bid that a seat can make."""
        raise NotImplementedError

    @abstractmethod
    def sold(self, table: T, buyer: Seat | None, price: int) -> Turn[T]:
        """Return the turn after the sale; without a buyer, all have passed."""
        raise NotImplementedError

    def legal(self, table: T) -> tuple[Offer, ...]:
        """Offer every higher bid that the seat can pay, and a pass."""
        seat, least = self.seats[0], self.price + self.step
        most = self.most(table, seat) // self.step * self.step
        bids = (Amounts(seat, self.bid, least, most, self.step),) if most >= least else ()
        return (*bids, Choice(seat, (self.passed(seat),)))

    def apply(self, table: T, event: Event) -> Turn[T]:
        """Ask the next seat; sell to the last one remaining."""
        seat, *others = self.seats
        price, leader = self.price, self.leader
        if isinstance(event, self.bid):
            price, leader, others = event.amount, seat, [*others, seat]  # type: ignore[attr-defined]
        if not others or others == [leader]:
            return self.sold(table, leader, price)
        return table, (type(self)(tuple(others), price, leader),), ()

    def explain(self, table: T, event: Event) -> Refusal | None:
        """Tell a seat alone that it cannot pay the lowest bid; the offers explain the rest."""
        least = self.price + self.step
        if isinstance(event, self.bid) and event.seat == self.seats[0] and self.most(table, event.seat) < least:
            return CANNOT_PAY.to(event.seat, least=least)
        return super().explain(table, event)

    def timing(self, table: T) -> Deciding:
        """Return the meaning of a press: a pass."""
        seat = self.seats[0]
        return Deciding((self.name, self.price, self.seats), seat, self.passed(seat))
