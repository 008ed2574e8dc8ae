"""Sealed bids: Blind (R-30 to R-32), Double Blind (R-33 to R-35), and the fists of Preemption (R-41).

Real hands open at a signal: each is counted, and its owner states the amount (R-32a, R-32b).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Literal

from msgspec.structs import replace

from companion.engine import Amounts, Choice, Effect, Event, Luck, Offer, Refusal, Seat, Step, Turn
from companion.engine.timing import Confirming, Unveiling
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.catalogue import UNIT
from companion.games.take_a_train.steps.preemption import order_seats
from companion.games.take_a_train.steps.sales import TieBreak, no_sale, sell
from companion.games.take_a_train.table import TRAINS, Table, power
from companion.mechanics.offers import TableOffer
from companion.mechanics.sealed import leaders
from companion.mechanics.seating import with_value

Bids = tuple[int | None, ...]
Bounds = tuple[int, int]
"""The lowest and highest amounts that a seat can have shown, in dollars."""
SECOND_MS = 1000
"""Milliseconds in a second."""
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
    """Return the offer of the camera's count of one open hand: any amount that the seat can have (R-32a)."""
    ends = [ev.FistCounted(seat, end) for seat, own in most.items() for end in (0, own - own % UNIT)]

    def drawn(luck: Luck) -> ev.FistCounted:
        seat = [*most][int(luck() * len(most))]
        return ev.FistCounted(seat, pick_within(luck, (0, most[seat])))

    return TableOffer(
        ev.FistCounted, lambda event: is_within(event.amount, (0, most.get(event.seat, -1))), tuple(ends), drawn
    )


def is_within(amount: int, bounds: Bounds) -> bool:
    """Return whether tokens can form an amount and it lies within bounds."""
    return not amount % UNIT and bounds[0] <= amount <= bounds[1]


def pick_within(luck: Luck, bounds: Bounds) -> int:
    """Return a random amount within bounds; tokens can form the lower bound."""
    least, most = bounds
    return least + int(luck() * ((most - least) // UNIT + 1)) * UNIT


@lru_cache(maxsize=256)
def commitments(seats: tuple[Seat, ...], most: tuple[int, ...], beginner: Seat, least: int) -> tuple[Offer, ...]:
    """Return the amounts that seats may close in their fists; only the beginner has a minimum (R-31, R-34).

    They are cached, because they stay the same until the last fist is closed.
    """
    return tuple([Amounts(s, ev.Committed, least if s == beginner else 0, most[s], UNIT) for s in seats])


class Fists(Step[Table], frozen=True):
    """All seats close amounts in their fists; after the last one, they open together (R-30)."""

    stage: Stage
    beginner: Seat
    seats: tuple[Seat, ...]
    amounts: Bids
    card: str = ""
    broke: bool = False
    """Whether the beginner cannot afford the card's power, and so has no minimum bid (R-18)."""
    firsts: Bids = ()
    """The first bids, if these are the second fists (R-33)."""

    def first_bid(self, seat: Seat) -> int:
        """Return the amount in a seat's first fist of two."""
        return (self.firsts[seat] or 0) if self.firsts else 0

    def bounds(self, table: Table, seat: Seat) -> Bounds:
        """Return the lowest and highest bid of a seat, in dollars (R-31, R-33, R-34)."""
        most = table.cash[seat] - (self.first_bid(seat) if self.firsts else 0)
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
        if said is None or said >= least or most < least:
            return amounts
        return with_value(amounts, self.beginner, least)

    def open(self, table: Table, amounts: Bids) -> Turn[Table]:
        """Open all fists: second fists, a sale, a tie for the beginner, or no sale (R-32, R-35, R-42)."""
        if self.stage == "preemption":
            return order_seats(table, self.beginner, amounts)
        shown: tuple[Effect, ...] = (ev.FistsOpened(amounts),)
        if self.stage == "first":
            empty = (None,) * table.fixed.players
            return table, (replace(self, stage="second", amounts=empty, firsts=amounts),), shown
        firsts = self.firsts or (0,) * len(amounts)
        sums = [None if bid is None else bid + (first or 0) for bid, first in zip(amounts, firsts, strict=True)]
        best = leaders(sums, power(table, self.card))
        price = max([bid or 0 for bid in sums])
        if len(best) > 1:
            return table, (BreakTie(self.card, self.beginner, price, best),), (*shown, ev.Tied(best, price))
        table, steps, effects = sell(table, best[0], self.card, price) if best else no_sale(table, self.card)
        return table, steps, shown + effects

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer each seat its amounts, changeable until the last fist is closed; by hand, the signal or all at once."""
        if table.fixed.options.bid_channel == "hand":
            return SIGNAL, by_hand({s: (0, self.bounds(table, s)[1]) for s in self.seats}, table.fixed.players)
        most = table.cash
        if self.firsts:
            most = tuple([cash - (first or 0) for cash, first in zip(most, self.firsts, strict=True)])
        least, _ = self.bounds(table, self.beginner)
        offers = commitments(self.seats, most, self.beginner, least)
        return (*offers, SIGNAL) if table.fixed.options.reveal == "signal" and self.closed(self.amounts) else offers

    def closed(self, amounts: Bids) -> bool:
        """Return whether every fist is closed."""
        return amounts.count(None) == len(amounts) - len(self.seats)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Close a fist; open all fists after the last one."""
        if isinstance(event, ev.Committed):
            amounts = with_value(self.amounts, event.seat, event.amount)
            if table.fixed.options.reveal == "signal" or not self.closed(amounts):
                return table, (replace(self, amounts=amounts),), ()
            return self.open(table, amounts)
        if isinstance(event, ev.BidsRevealed):
            return self.open(table, self.raise_beginner_bid(table, event.amounts))
        assert isinstance(event, ev.RevealSignalled)
        if table.fixed.options.bid_channel == "hand":
            nothing: Bids = (None,) * table.fixed.players
            return table, (OpenFists(self, nothing, nothing),), ()
        return self.open(table, self.amounts)

    def timing(self, table: Table) -> Unveiling | None:
        """Return the meaning of a press if fists open at a signal or are real hands: ready (R-32)."""
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

    def explain_revealed(self, table: Table, amounts: Bids) -> Refusal:
        """Return the fists that are missing or must be counted again (R-16)."""
        if table.fixed.options.bid_channel != "hand":
            return refusals.BIDS_ON_DEVICES()
        shown = [seat for seat, amount in enumerate(amounts) if amount is not None]
        if len(amounts) != table.fixed.players or shown != sorted(self.seats):
            return refusals.FISTS_MISSING(seats=self.seats)
        wrong = next(s for s in self.seats if not 0 <= (amounts[s] or 0) <= self.bounds(table, s)[1])
        return refusals.LEDGER_MISMATCH.to(wrong, seat=wrong)


class BreakTie(TieBreak, frozen=True):
    """The tied seat that the beginner chooses buys for its bid (R-23)."""

    def chosen(self, table: Table, seat: Seat) -> Turn[Table]:
        """Sell to the chosen seat."""
        return sell(table, seat, self.card, self.price)


# --- open real hands ---------------------------------------------------------------------------------


class OpenFists(Step[Table], frozen=True):
    """The hands of a lot are open: each seat states its own amount (R-32a)."""

    fists: Fists
    """The fists at their closing."""
    counted: Bids
    """The counted amounts, by seat."""
    confirmed: Bids
    """Each seat's stated amount."""
    correction: ev.FistCorrected | None = None
    """The change of a confirmed amount that the others are asked about (R-32b)."""
    agreed: tuple[Seat, ...] = ()
    """The seats that have agreed."""

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that have not stated their amounts yet."""
        return tuple([seat for seat in self.fists.seats if self.confirmed[seat] is None])

    @property
    def asked(self) -> tuple[Seat, ...]:
        if self.correction is None:
            return ()
        done = (self.correction.seat, *self.agreed)
        return tuple([seat for seat in self.fists.seats if seat not in done])

    def awaits(self, table: Table) -> tuple[Seat, ...]:
        awaited = {*self.waiting, *self.asked}
        return tuple([seat for seat in self.fists.seats if seat in awaited])

    def most(self, table: Table, seat: Seat) -> int:
        """Return the most dollars that a seat's hand can have held (R-16, R-33)."""
        return self.fists.bounds(table, seat)[1]

    # --- legality ---------------------------------------------------------------------------------

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer counts, each seat's own statement, and for the table all amounts that nobody has confirmed."""
        limits = {seat: self.most(table, seat) for seat in self.fists.seats}
        offers: list[Offer] = []
        uncounted = {seat: limits[seat] for seat in self.waiting if self.counted[seat] is None}
        if uncounted:
            offers.append(counts(uncounted))
        offers += [Amounts(seat, ev.FistConfirmed, 0, limits[seat], UNIT) for seat in self.waiting]
        if self.correction is not None:
            answers = [(ev.CorrectionAnswered(seat, True), ev.CorrectionAnswered(seat, False)) for seat in self.asked]
            return (*offers, *[Choice(yes.seat, (yes, no)) for yes, no in answers])
        bounds = {}
        for seat, most in limits.items():
            said = self.confirmed[seat]
            bounds[seat] = (0, most) if said is None else (said, said)
            others = [] if said is None else [(0, said - UNIT), (said + UNIT, most)]
            offers += [Amounts(seat, ev.FistCorrected, low, high, UNIT) for low, high in others if low <= high]
        return (*offers, by_hand(bounds, table.fixed.players))

    # --- consequences --------------------------------------------------------------------------------

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Record a count, a statement or an answer; once all are confirmed and no question is open, continue as after
        R-32.
        """
        match event:
            case ev.BidsRevealed(amounts):
                return self.fists.open(table, self.fists.raise_beginner_bid(table, amounts))
            case ev.FistCounted(seat, amount):
                following = replace(self, counted=with_value(self.counted, seat, amount))
            case ev.FistConfirmed(seat, amount):
                following = replace(self, confirmed=with_value(self.confirmed, seat, amount))
            case ev.FistCorrected():
                following = replace(self, correction=event, agreed=())
            case ev.CorrectionAnswered(seat, yes):
                following = self._answered(seat, yes)
            case _:
                raise TypeError(f"open fists take no {type(event).__name__}")
        if following.awaits(table) or following.correction is not None:
            return table, (following,), ()
        return self.fists.open(table, self.fists.raise_beginner_bid(table, following.confirmed))

    def _answered(self, seat: Seat, yes: bool) -> OpenFists:
        """Return the step after an answer: the last yes changes the amount, one no leaves it unchanged (R-32b)."""
        correction = self.correction
        assert correction is not None
        if not yes:
            return replace(self, correction=None, agreed=())
        if self.asked != (seat,):
            return replace(self, agreed=(*self.agreed, seat))
        confirmed = with_value(self.confirmed, correction.seat, correction.amount)
        return replace(self, confirmed=confirmed, correction=None, agreed=())

    def owes(self, seat: Seat) -> int:
        """Return the promised amount: laid down or stated, with the first fist; for a correction, the larger amount."""
        said = self.confirmed[seat]
        shown = (self.counted[seat] if said is None else said) or 0
        if self.correction is not None and self.correction.seat == seat:
            shown = max(shown, self.correction.amount)
        return shown + self.fists.owes(seat)

    def timing(self, table: Table) -> Confirming:
        """Return the meaning of a press: it agrees to a correction, or confirms the count (R-32a, R-32b)."""
        options, fists = table.fixed.options, self.fists
        if self.correction is not None:
            return Confirming(
                (table.round, fists.card, fists.stage, self.correction),
                tuple([(seat, ev.CorrectionAnswered(seat, True)) for seat in self.asked]),
            )
        counted = [(seat, self.counted[seat]) for seat in self.waiting]
        events = tuple([(seat, ev.FistConfirmed(seat, amount)) for seat, amount in counted if amount is not None])
        return Confirming((table.round, fists.card, fists.stage), events, options.silence_s * SECOND_MS)

    # --- refusals ---------------------------------------------------------------------------------

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return why an amount or an answer is not accepted (privately if it concerns the cash)."""
        match event:
            case ev.Committed():
                return refusals.BIDS_BY_HAND()
            case ev.BidsRevealed(amounts):
                return self._explain_all(table, amounts)
            case ev.CorrectionAnswered(seat):
                return refusals.NOT_ASKED(seat=seat)
            case ev.FistCounted(seat, amount) | ev.FistConfirmed(seat, amount) | ev.FistCorrected(seat, amount):
                return self._explain_amount(table, event, seat, amount)
        return None

    def _explain_amount(self, table: Table, event: Event, seat: Seat, amount: int) -> Refusal:
        """Return why a seat's amount is not accepted."""
        if seat not in self.fists.seats:
            return refusals.ALREADY_HAS_THREE(seat=seat)
        corrects = isinstance(event, ev.FistCorrected)
        if (self.confirmed[seat] is None) == corrects:
            return (refusals.NOT_CONFIRMED if corrects else refusals.ALREADY_CONFIRMED)(seat=seat)
        if corrects and self.correction is not None:
            return refusals.CORRECTION_PENDING(seat=self.correction.seat)
        if corrects and amount == self.confirmed[seat]:
            return refusals.SAME_AMOUNT(amount=amount)
        if isinstance(event, ev.FistCounted) and self.counted[seat] is not None:
            return refusals.ALREADY_COUNTED(seat=seat)
        exceeds = refusals.HAND_EXCEEDS_CASH_R33 if self.fists.firsts else refusals.HAND_EXCEEDS_CASH
        return exceeds.to(seat, amount=amount, most=self.most(table, seat))

    def _explain_all(self, table: Table, amounts: Bids) -> Refusal:
        """Return why not all amounts can be entered at once (R-16, R-32b)."""
        if self.correction is not None:
            return refusals.CORRECTION_PENDING(seat=self.correction.seat)
        if len(amounts) == table.fixed.players:
            for seat in self.fists.seats:
                if self.confirmed[seat] is not None and amounts[seat] not in (None, self.confirmed[seat]):
                    return refusals.ALREADY_CONFIRMED(seat=seat)
        return self.fists.explain_revealed(table, amounts)
