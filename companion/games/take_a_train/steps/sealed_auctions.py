"""Closing fists: Blind (R-30 to R-32), Double Blind (R-33 to R-35), and the fists of Preemption (R-41)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import Amounts, Event, Offer, Refusal, Turn, Unveiling
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.catalogue import UNIT
from companion.games.take_a_train.steps.fists import SIGNAL, Bids, ClosedFists, by_hand
from companion.games.take_a_train.steps.open_fists import OpenFists
from companion.games.take_a_train.table import TRAINS, Table
from companion.mechanics.seating import with_value


class Fists(ClosedFists, frozen=True):
    """All seats close amounts in their fists; after the last one, they open together (R-30)."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer each seat its amounts, changeable until the last fist is closed; by hand, the signal or all at once."""
        if table.fixed.options.bid_channel == "hand":
            return SIGNAL, by_hand({s: (0, self.bounds(table, s)[1]) for s in self.seats}, table.fixed.players)
        offers: list[Offer] = [Amounts(s, ev.Committed, *self.bounds(table, s), UNIT) for s in self.seats]
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
                nothing: Bids = (None,) * table.fixed.players
                return table, (OpenFists(self, nothing, nothing),), ()
            return self.open(table, self.amounts)
        assert isinstance(event, ev.Committed)
        amounts = with_value(self.amounts, event.seat, event.amount)
        if table.fixed.options.reveal == "signal" or not self.closed(amounts):
            return table, (replace(self, amounts=amounts),), ()
        return self.open(table, amounts)

    def timing(self, table: Table) -> Unveiling | None:
        """Return that a press means ready, if fists open at a signal or are real hands (R-32)."""
        options = table.fixed.options
        by_hand = options.bid_channel == "hand"
        if not by_hand and options.reveal != "signal":
            return None
        lot = (table.round, *([self.card] if self.card else []), self.stage)
        closed = self.seats if by_hand else tuple([seat for seat in self.seats if self.amounts[seat] is not None])
        return Unveiling(lot, self.seats, closed, ev.RevealSignalled, options.count_pace == "slow")

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return why an amount cannot be committed (privately if it concerns the cash)."""
        if isinstance(event, ev.BidsRevealed):
            return self.explain_revealed(table, event.amounts)
        if not isinstance(event, ev.Committed):
            return None
        seat = event.seat
        if len(table.trains[seat]) == TRAINS:
            return refusals.ALREADY_HAS_THREE(seat=seat)
        if table.fixed.options.bid_channel == "hand":
            return refusals.BIDS_BY_HAND()
        least, most = self.bounds(table, seat)
        if event.amount < least:
            due = refusals.BEGINNER_BELOW_MINIMUM if self.stage == "only" else refusals.BEGINNER_BELOW_MINIMUM_R34
            return due.to(seat, minimum=least)
        if self.stage == "second":
            return refusals.BID_EXCEEDS_CASH_R33.to(seat, most=most)
        return refusals.BID_EXCEEDS_CASH.to(seat, cash=most)
