"""The outcomes of auctions: a sale, a replacement, a tie, no buyer (R-19 to R-25)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import Effect, Event, Refusal, Seat, Turn
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.purposes import drive_mask, note_one
from companion.games.take_a_train.table import TRAINS, Table, paid, replacement, train_of, with_train
from companion.mechanics.pool import without
from companion.mechanics.seating import clockwise, left_of


def sell(table: Table, seat: Seat, card: str, price: int) -> Turn[Table]:
    """Sell a revealed card: the price goes to the bank, the other revealed cards aside (R-24, R-25)."""
    table, effects = own(table, seat, card, price)
    table = replace(table, revealed=(), aside=table.aside + without(table.revealed, (card,)), offered=())
    return table, (), effects


def own(table: Table, seat: Seat, card: str, price: int) -> tuple[Table, tuple[Effect, ...]]:
    """Give a seat a locomotive face up for its price, and note fulfilled purposes (R-25, R-72)."""
    table, moves = paid(table, seat, -price, "locomotive")
    table = replace(table, trains=with_train(table, seat, train_of(table.fixed.book.locos[card])))
    trains = table.trains[seat]
    if len(trains) == TRAINS:
        table = note_one(table, seat, drive_mask(trains))
    return table, (ev.Sold(seat, card, price), *moves)


def turn_down(table: Table, seat: Seat, card: str = "") -> tuple[Table, tuple[Effect, ...]]:
    """Give a seat a replacement locomotive: a free card face down (R-22)."""
    return replace(table, trains=with_train(table, seat, replacement(card))), (ev.Replaced(seat, 1),)


def no_sale(table: Table, card: str) -> Turn[Table]:
    """Set all revealed cards aside: nobody reached the power (R-19)."""
    offered = table.offered if card in table.offered else (*table.offered, card)
    after = replace(table, revealed=(), aside=table.aside + table.revealed, offered=offered)
    return after, (), (ev.NoSale(table.revealed),)


def next_short(table: Table, seat: Seat) -> Seat:
    """Return the first seat left of another that still lacks a locomotive; itself only if no other does."""
    for other in clockwise(left_of(seat, table.fixed.players), table.fixed.players):
        if len(table.trains[other]) < TRAINS:
            return other
    raise ValueError("every seat has three locomotives")


def tie_refusal(beginner: Seat, tied: tuple[Seat, ...], event: Event) -> Refusal | None:
    """Return why the choice of the winner is refused (R-23)."""
    if not isinstance(event, ev.TieBroken):
        return None
    if event.seat != beginner:
        return refusals.NOT_BEGINNER(seat=beginner)
    return refusals.NOT_TIED(seat=event.winner, tied=tied)
