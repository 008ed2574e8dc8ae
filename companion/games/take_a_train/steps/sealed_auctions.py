"""Sealed bids: Blind (R-30 to R-32), Double Blind (R-33 to R-35), and the fists of Preemption (R-41)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from companion.engine import Amounts, Choice, Effect, Event, Offer, Refusal, Seat, Step, Turn, Unveiling
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.catalogue import UNIT
from companion.games.take_a_train.steps.fist_offers import SIGNAL, ByHand
from companion.games.take_a_train.steps.open_fists import open_fists
from companion.games.take_a_train.steps.preemption import order_seats
from companion.games.take_a_train.steps.sales import no_sale, sell, tie_refusal
from companion.games.take_a_train.table import TRAINS, Table, power, short_seats
from companion.mechanics.sealed import leaders, put

if TYPE_CHECKING:
    from collections.abc import Sequence

Bids = tuple[int | None, ...]
Stage = Literal["only", "first", "second", "preemption"]


def sealed_lot(table: Table, card: str, beginner: Seat, broke: bool) -> Step[Table]:
    """Return the fists of a Blind or Double Blind lot (R-30)."""
    stage: Stage = "first" if table.kind == "double_blind" else "only"
    return Fists(stage, beginner, tuple(short_seats(table)), (None,) * table.fixed.players, card, broke)


class Fists(Step[Table], frozen=True):
    """All seats close amounts in their fists; after the last one, they open together (R-30)."""

    stage: Stage
    beginner: Seat
    seats: tuple[Seat, ...]
    amounts: Bids
    card: str = ""
    broke: bool = False
    """Whether the beginner cannot afford the card's power, so that it has no minimum bid (R-18)."""
    firsts: Bids = ()

    def bounds(self, table: Table, seat: Seat) -> tuple[int, int]:
        """Return the least and most a seat may commit, in dollars (R-31, R-33, R-34)."""
        cash = table.cash[seat]
        if self.stage == "preemption":
            return 0, cash
        most = cash - (self.firsts[seat] or 0) if self.firsts else cash
        if seat != self.beginner or self.broke or self.stage == "second":
            return 0, most
        least = power(table, self.card)
        return (least, most) if least <= most else (0, most)

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer each seat its amounts, changeable until the last fist is closed; by hand, the signal or all at once."""
        if table.fixed.options.bid_channel == "hand":
            bounds = tuple([(0, self.bounds(table, s)[1]) for s in self.seats])
            return (SIGNAL, ByHand(self.seats, bounds, table.fixed.players))
        cash, firsts, beginner = table.cash, self.firsts, self.beginner
        offers: list[Offer] = []
        for s in self.seats:
            if s == beginner:
                low, high = self.bounds(table, s)
                offers.append(Amounts(s, ev.Committed, low, high, UNIT))
            else:
                offers.append(Amounts(s, ev.Committed, 0, cash[s] - (firsts[s] or 0) if firsts else cash[s], UNIT))
        if table.fixed.options.reveal == "signal" and self.closed(self.amounts):
            offers.append(SIGNAL)
        return tuple(offers)

    def closed(self, amounts: Bids) -> bool:
        """Whether every fist is closed."""
        return amounts.count(None) == len(amounts) - len(self.seats)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Close a fist; open all fists after the last one."""
        if isinstance(event, ev.BidsRevealed):
            return self.open(table, self.raise_beginner_bid(table, event.amounts))
        if isinstance(event, ev.RevealSignalled):
            if table.fixed.options.bid_channel == "hand":
                return table, (open_fists(self, table.fixed.players),), ()
            return self.open(table, self.amounts)
        assert isinstance(event, ev.Committed)
        amounts = put(self.amounts, event.seat, event.amount)
        if table.fixed.options.reveal == "signal" or not self.closed(amounts):
            return table, (replace(self, amounts=amounts),), ()
        return self.open(table, amounts)

    def raise_beginner_bid(self, table: Table, amounts: Bids) -> Bids:
        """Raise a beginner's bid below the power to the power, if affordable (R-31, by hand only)."""
        least, most = self.bounds(table, self.beginner)
        said = amounts[self.beginner]
        if said is None or said >= least or most < least:
            return amounts
        return put(amounts, self.beginner, least)

    def open(self, table: Table, amounts: Bids) -> Turn[Table]:
        """Open all fists: second fists, a sale, a tie for the beginner, or no sale (R-32, R-35, R-42)."""
        if self.stage == "preemption":
            return order_seats(table, self.beginner, amounts)
        shown: tuple[Effect, ...] = (ev.FistsOpened(amounts),)
        if self.stage == "first":
            empty = (None,) * table.fixed.players
            return table, (replace(self, stage="second", amounts=empty, firsts=amounts),), shown
        sums = amounts if not self.firsts else add_bids(self.firsts, amounts)
        price = power(table, self.card)
        best = leaders(sums, price)
        if not best:
            table, steps, effects = no_sale(table, self.card)
        elif len(best) == 1:
            table, steps, effects = sell(table, best[0], self.card, sums[best[0]] or 0)
        else:
            amount = sums[best[0]] or 0
            return table, (BreakTie(self.card, self.beginner, best, amount),), (*shown, ev.Tied(best, amount))
        return table, steps, shown + effects

    def owes(self, seat: Seat) -> int:
        """The closed and the open first bid are promised."""
        return (self.amounts[seat] or 0) + ((self.firsts[seat] or 0) if self.firsts else 0)

    def timing(self, table: Table) -> Unveiling | None:
        """Return that a press means ready, if fists open at a signal or are real hands (R-32)."""
        options = table.fixed.options
        slow = options.count_pace == "slow"
        lot = (table.round, *([self.card] if self.card else []), self.stage)
        if options.bid_channel == "hand":
            return Unveiling(lot, self.seats, self.seats, ev.RevealSignalled, slow)
        if options.reveal != "signal":
            return None
        closed = tuple([seat for seat in self.seats if self.amounts[seat] is not None])
        return Unveiling(lot, self.seats, closed, ev.RevealSignalled, slow)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return why an amount cannot be committed (privately if it concerns the cash)."""
        if isinstance(event, ev.RevealSignalled):
            return refusals.FISTS_NOT_CLOSED()
        if isinstance(event, ev.BidsRevealed):
            return self.explain_revealed(table, event.amounts)
        if not isinstance(event, ev.Committed):
            return None
        if len(table.trains[event.seat]) == TRAINS:
            return refusals.ALREADY_HAS_THREE(seat=event.seat)
        if table.fixed.options.bid_channel == "hand":
            return refusals.BIDS_BY_HAND()
        least, most = self.bounds(table, event.seat)
        second = self.stage == "second"
        if event.amount < least:
            due = refusals.BEGINNER_BELOW_MINIMUM if self.stage == "only" else refusals.BEGINNER_BELOW_MINIMUM_R34
            return due.to(event.seat, minimum=least)
        if second:
            return refusals.BID_EXCEEDS_CASH_R33.to(event.seat, most=most)
        return refusals.BID_EXCEEDS_CASH.to(event.seat, cash=most)

    def explain_revealed(self, table: Table, amounts: Bids) -> Refusal:
        """Return which fists are missing or must be counted again (R-16)."""
        if table.fixed.options.bid_channel != "hand":
            return refusals.BIDS_ON_DEVICES()
        if len(amounts) != table.fixed.players or any(
            (amounts[s] is None) != (s not in self.seats) for s in range(len(amounts))
        ):
            return refusals.FISTS_MISSING(seats=self.seats)
        wrong = next(s for s in self.seats if not 0 <= (amounts[s] or 0) <= self.bounds(table, s)[1])
        return refusals.LEDGER_MISMATCH.to(wrong, seat=wrong)


def add_bids(first: Sequence[int | None], second: Sequence[int | None]) -> Bids:
    """Return the sums of both fists, seat by seat."""
    return tuple([None if b is None else (a or 0) + b for a, b in zip(first, second, strict=True)])


class BreakTie(Step[Table], frozen=True):
    """The beginner chooses the winner among tied seats, itself only if tied (R-23)."""

    card: str
    beginner: Seat
    tied: tuple[Seat, ...]
    price: int

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer each of the tied seats."""
        return (Choice(self.beginner, tuple([ev.TieBroken(self.beginner, seat) for seat in self.tied])),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Sell to the chosen seat at its bid."""
        assert isinstance(event, ev.TieBroken)
        return sell(table, event.winner, self.card, self.price)

    def owes(self, seat: Seat) -> int:
        """Every tied seat has promised the amount."""
        return self.price if seat in self.tied else 0

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return who decides, and among which seats; sealed bids can no longer change (R-30)."""
        if isinstance(event, ev.Committed):
            return refusals.COMMIT_LOCKED()
        return tie_refusal(self.beginner, self.tied, event)
