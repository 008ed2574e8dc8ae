"""Lots of the sequential auctions: their order, nominations, the lone bidder (R-13 to R-20, R-26)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import NOT_YOUR_TURN, Automatic, Choice, Event, Offer, Refusal, Seat, Step, Turn
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.steps.reveal import RevealLocos
from companion.games.take_a_train.steps.sales import next_short, no_sale, sell, turn_down
from companion.games.take_a_train.steps.sealed_auctions import Fists, Stage
from companion.games.take_a_train.steps.spoken_auctions import opening
from companion.games.take_a_train.table import Table, power, short_seats, unsold
from companion.mechanics.pool import without

REVEAL = 3
"""Cards revealed for a lot of Pass, Blind and Double Blind (both rulebooks; R-24)."""


class NextLot(Automatic[Table], frozen=True):
    """The next lot of a sequential auction, while a seat lacks a locomotive (R-13, R-15, R-20)."""

    previous: Seat | None = None
    lone_bought: bool = False

    def run(self, table: Table) -> Turn[Table]:
        """Begin a lot, or end the bidding: all have three, or no card can be sold (R-19)."""
        short = short_seats(table)
        if not short:
            return table, (), ()
        if table.offered and len(table.offered) >= unsold(table):
            return table, (), (ev.Stalled(),)
        lone, spoken = len(short) == 1, table.kind == "open"
        if lone and self.lone_bought and table.fixed.options.lone_bidder == "en_literal":
            return table, (), ()
        beginner = table.starter if self.previous is None else next_short(table, self.previous)
        size = 1 if spoken else min(REVEAL, unsold(table))
        lot = Lone(beginner) if lone else PutUp(beginner) if spoken else Nominate(beginner)
        steps = (RevealLocos(size), lot, NextLot(beginner, self.lone_bought or lone))
        return table, steps, (ev.LotBegan(beginner, lone),)


class Nominate(Step[Table], frozen=True):
    """The beginner chooses the revealed locomotive to sell: an affordable one, if there is any (R-18, R-26)."""

    beginner: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        seat, cash = self.beginner, table.cash[self.beginner]
        can = [card for card in table.revealed if power(table, card) <= cash] or table.revealed
        return (Choice(seat, tuple([ev.Nominated(seat, card) for card in can])),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        assert isinstance(event, ev.Nominated)
        return put_up(table, self.beginner, event.card)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return that the card is not there, or (privately) that another one is affordable."""
        if not isinstance(event, ev.Nominated) or event.seat != self.beginner:
            return super().explain(table, event)
        if event.card not in table.revealed:
            return refusals.NOT_REVEALED(card=event.card)
        return refusals.MUST_NOMINATE_AFFORDABLE.to(event.seat, card=event.card)


class PutUp(Automatic[Table], frozen=True):
    """Open auction: the only revealed locomotive is sold, without a choice (R-46)."""

    beginner: Seat

    def run(self, table: Table) -> Turn[Table]:
        (card,) = table.revealed
        return put_up(table, self.beginner, card)


def put_up(table: Table, beginner: Seat, card: str) -> Turn[Table]:
    """Begin the bidding for a card by the round's kind of auction (R-18, R-27, R-30, R-46)."""
    broke = power(table, card) > table.cash[beginner]
    if broke and table.fixed.options.beginner_broke == "skip_lot":
        return no_sale(table, card)
    if table.kind in ("pass", "open"):
        return opening(table, card, beginner, broke)
    stage: Stage = "first" if table.kind == "double_blind" else "only"
    return table, (Fists(stage, beginner, tuple(short_seats(table)), (None,) * len(table.cash), card, broke),), ()


class Lone(Step[Table], frozen=True):
    """The only seat still short buys one revealed card for its power, or turns one face down (R-20)."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        seat, cash = self.seat, table.cash[self.seat]
        buys = tuple([ev.Bought(seat, c, p) for c in table.revealed if (p := power(table, c)) <= cash])
        downs = Choice(seat, tuple([ev.ReplacementTaken(seat, card) for card in table.revealed]))
        return (Choice(seat, buys), downs) if buys else (downs,)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Sell for the power, or turn the chosen card face down."""
        if isinstance(event, ev.Bought):
            return sell(table, self.seat, event.card, event.price)
        assert isinstance(event, ev.ReplacementTaken)
        rest = without(table.revealed, (event.card,))
        table, effects = turn_down(replace(table, revealed=(), aside=table.aside + rest), self.seat, event.card)
        return table, (), effects

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if not isinstance(event, ev.Bought | ev.ReplacementTaken):
            return None
        if event.seat != self.seat:
            return NOT_YOUR_TURN(seat=self.seat)
        if event.card not in table.revealed:
            return refusals.NOT_REVEALED(card=event.card)
        if isinstance(event, ev.ReplacementTaken):
            return None
        price = power(table, event.card)
        if event.price != price:
            return refusals.LONE_PAYS_MINIMUM(price=price)
        return refusals.BID_EXCEEDS_CASH.to(self.seat, cash=table.cash[self.seat])
