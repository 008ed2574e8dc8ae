"""The outcomes of auctions: a sale, a replacement, a tie, no buyer (R-19 to R-25)."""

from __future__ import annotations

from abc import abstractmethod

from msgspec.structs import replace

from companion.engine import Choice, Effect, Event, Offer, Refusal, Seat, Step, Turn
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.purposes import drive_mask, note_one
from companion.games.take_a_train.table import TRAINS, Table, paid, replacement, train_of, with_new_train
from companion.mechanics.pool import without
from companion.mechanics.seating import clockwise, left_of


def sell(table: Table, seat: Seat, card: str, price: int) -> Turn[Table]:
    """Sell a revealed card: pay the price to the bank and set the other revealed cards aside (R-24, R-25)."""
    table, effects = own(table, seat, card, price)
    table = replace(table, revealed=(), aside=table.aside + without(table.revealed, (card,)), offered=())
    return table, (), effects


def own(table: Table, seat: Seat, card: str, price: int) -> tuple[Table, tuple[Effect, ...]]:
    """Give a seat a face-up locomotive for its price, and record fulfilled purposes (R-25, R-72)."""
    table, moves = paid(table, seat, -price, "locomotive")
    table = replace(table, trains=with_new_train(table, seat, train_of(table.fixed.book.locos[card])))
    trains = table.trains[seat]
    if len(trains) == TRAINS:
        table = note_one(table, seat, drive_mask(trains))
    return table, (ev.Sold(seat, card, price), *moves)


def turn_down(table: Table, seat: Seat, card: str = "") -> tuple[Table, tuple[Effect, ...]]:
    """Give a seat a replacement locomotive: a free card face down (R-22)."""
    return replace(table, trains=with_new_train(table, seat, replacement(card))), (ev.Replaced(seat, 1),)


def no_sale(table: Table, card: str) -> Turn[Table]:
    """Set all revealed cards aside: nobody reached the power (R-19)."""
    offered = table.offered if card in table.offered else (*table.offered, card)
    after = replace(table, revealed=(), aside=table.aside + table.revealed, offered=offered)
    return after, (), (ev.NoSale(table.revealed),)


def next_short(table: Table, seat: Seat) -> Seat:
    """Return the first seat left of another that still lacks a locomotive; the seat itself only if no other does."""
    for other in clockwise(left_of(seat, table.fixed.players), table.fixed.players):
        if len(table.trains[other]) < TRAINS:
            return other
    raise ValueError("every seat has three locomotives")


def short_or_dear(table: Table, seat: Seat, amount: int, low: int, short: Refusal) -> Refusal:
    """Return that a spoken amount is too low, or for the seat alone that it exceeds its cash (R-16)."""
    return short if amount < low else refusals.BID_EXCEEDS_CASH.to(seat, cash=table.cash[seat])


class TieBreak(Step[Table], frozen=True):
    """The beginner chooses among the seats with the same bid, itself only if tied (R-23)."""

    card: str
    beginner: Seat
    price: int
    tied: tuple[Seat, ...]

    @abstractmethod
    def chosen(self, table: Table, seat: Seat) -> Turn[Table]:
        """Return the turn for the chosen seat."""
        raise NotImplementedError

    def legal(self, table: Table) -> tuple[Offer, ...]:
        return (Choice(self.beginner, tuple([ev.TieBroken(self.beginner, seat) for seat in self.tied])),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        assert isinstance(event, ev.TieBroken)
        return self.chosen(table, event.winner)

    def owes(self, seat: Seat) -> int:
        """Every tied seat has promised the amount."""
        return self.price if seat in self.tied else 0

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if not isinstance(event, ev.TieBroken):
            return None
        if event.seat != self.beginner:
            return refusals.NOT_BEGINNER(seat=self.beginner)
        return refusals.NOT_TIED(seat=event.winner, tied=self.tied)
