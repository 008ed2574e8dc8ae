"""The fists of a lot: what they may hold, and what comes of them once they are open (R-30 to R-35, R-41)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec.structs import replace

from companion.engine import Choice, Effect, Luck, Refusal, Seat, Step, Turn
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.catalogue import UNIT
from companion.games.take_a_train.steps.preemption import order_seats
from companion.games.take_a_train.steps.sales import TieBreak, no_sale, sell
from companion.games.take_a_train.table import Table, power
from companion.mechanics.offers import TableOffer
from companion.mechanics.sealed import leaders
from companion.mechanics.seating import with_value

Bids = tuple[int | None, ...]
Bounds = tuple[int, int]
"""The least and the most dollars that a seat can have shown."""
Stage = Literal["only", "first", "second", "preemption"]

SIGNAL = Choice(None, (ev.RevealSignalled(),))
"""Referee: the signal at which all closed fists open (R-32)."""


def by_hand(bounds: Mapping[Seat, Bounds], players: int) -> TableOffer[ev.BidsRevealed]:
    """Return the offer of all fists opened by hand: an amount within its bounds for each seat taking part (R-32)."""

    def filled(choose: Callable[[Bounds], int]) -> ev.BidsRevealed:
        seats = map(Seat, range(players))
        return ev.BidsRevealed(tuple([choose(bounds[seat]) if seat in bounds else None for seat in seats]))

    def fits(event: ev.BidsRevealed) -> bool:
        shown = {seat: amount for seat, amount in enumerate(event.amounts) if amount is not None}
        right = len(event.amounts) == players and shown.keys() == bounds.keys()
        return right and all(is_within(shown[seat], bounds[seat]) for seat in bounds)

    ends = (filled(lambda own: own[0]), filled(lambda own: own[1] - own[1] % UNIT))
    return TableOffer(ev.BidsRevealed, fits, ends, lambda luck: filled(lambda own: pick_within(luck, own)))


def counts(most: Mapping[Seat, int]) -> TableOffer[ev.FistCounted]:
    """Return the offer of what the camera counts of one open hand: any amount that the seat can have (R-32a)."""
    ends = [ev.FistCounted(seat, end) for seat, own in most.items() for end in (0, own - own % UNIT)]

    def drawn(luck: Luck) -> ev.FistCounted:
        seat = [*most][int(luck() * len(most))]
        return ev.FistCounted(seat, pick_within(luck, (0, most[seat])))

    return TableOffer(
        ev.FistCounted, lambda event: is_within(event.amount, (0, most.get(event.seat, -1))), tuple(ends), drawn
    )


def is_within(amount: int, bounds: Bounds) -> bool:
    """Whether an amount can be laid down with tokens and lies within bounds."""
    return not amount % UNIT and bounds[0] <= amount <= bounds[1]


def pick_within(luck: Luck, bounds: Bounds) -> int:
    """Return a random amount within bounds, of which the least can be laid down with tokens."""
    least, most = bounds
    return least + int(luck() * ((most - least) // UNIT + 1)) * UNIT


class ClosedFists(Step[Table], frozen=True):
    """The fists of a lot, closed around amounts."""

    stage: Stage
    beginner: Seat
    seats: tuple[Seat, ...]
    amounts: Bids
    card: str = ""
    broke: bool = False
    """Whether the beginner cannot afford the card's power, so that it has no minimum bid (R-18)."""
    firsts: Bids = ()
    """The first bids, if these are the second fists (R-33)."""

    def first_bid(self, seat: Seat) -> int:
        """Return what a seat's first fist of two held."""
        return (self.firsts[seat] or 0) if self.firsts else 0

    def bounds(self, table: Table, seat: Seat) -> Bounds:
        """Return the least and most a seat may commit, in dollars (R-31, R-33, R-34)."""
        most = table.cash[seat] - self.first_bid(seat)
        if seat != self.beginner or self.broke or self.stage in ("second", "preemption"):
            return 0, most
        least = power(table, self.card)
        return (least, most) if least <= most else (0, most)

    def owes(self, seat: Seat) -> int:
        """The closed and the open first bid are promised."""
        return (self.amounts[seat] or 0) + self.first_bid(seat)

    def raise_beginner_bid(self, table: Table, amounts: Bids) -> Bids:
        """Raise a beginner's bid below the power to the power, if affordable (R-31, by hand only)."""
        least, most = self.bounds(table, self.beginner)
        said = amounts[self.beginner]
        return amounts if said is None or said >= least or most < least else with_value(amounts, self.beginner, least)

    def open(self, table: Table, amounts: Bids) -> Turn[Table]:
        """Open all fists: second fists, a sale, a tie for the beginner, or no sale (R-32, R-35, R-42)."""
        if self.stage == "preemption":
            return order_seats(table, self.beginner, amounts)
        shown: tuple[Effect, ...] = (ev.FistsOpened(amounts),)
        if self.stage == "first":
            empty = (None,) * table.fixed.players
            return table, (replace(self, stage="second", amounts=empty, firsts=amounts),), shown
        sums = [None if bid is None else bid + self.first_bid(Seat(seat)) for seat, bid in enumerate(amounts)]
        best = leaders(sums, power(table, self.card))
        if not best:
            table, steps, effects = no_sale(table, self.card)
            return table, steps, shown + effects
        price = sums[best[0]] or 0
        if len(best) > 1:
            return table, (BreakTie(self.card, self.beginner, price, best),), (*shown, ev.Tied(best, price))
        table, steps, effects = sell(table, best[0], self.card, price)
        return table, steps, shown + effects

    def explain_revealed(self, table: Table, amounts: Bids) -> Refusal:
        """Return which fists are missing or must be counted again (R-16)."""
        if table.fixed.options.bid_channel != "hand":
            return refusals.BIDS_ON_DEVICES()
        shown = [seat for seat, amount in enumerate(amounts) if amount is not None]
        if len(amounts) != table.fixed.players or shown != sorted(self.seats):
            return refusals.FISTS_MISSING(seats=self.seats)
        wrong = next(s for s in self.seats if not 0 <= (amounts[s] or 0) <= self.bounds(table, s)[1])
        return refusals.LEDGER_MISMATCH.to(wrong, seat=wrong)


class BreakTie(TieBreak, frozen=True):
    """The tied seat that the beginner chooses buys at its bid (R-23)."""

    def chosen(self, table: Table, seat: Seat) -> Turn[Table]:
        """Sell to the chosen seat."""
        return sell(table, seat, self.card, self.price)
