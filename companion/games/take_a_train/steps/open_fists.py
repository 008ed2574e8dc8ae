"""Real hands that have opened at the signal: each is counted, and its owner says what it held (R-32a, R-32b)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import Amounts, Choice, Confirming, Event, Offer, Refusal, Seat, Step, Turn
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.catalogue import UNIT
from companion.games.take_a_train.steps.fists import Bids, ClosedFists, by_hand, counts
from companion.games.take_a_train.table import Table
from companion.mechanics.seating import with_value

SECOND_MS = 1000
"""Milliseconds in a second."""


class OpenFists(Step[Table], frozen=True):
    """The hands of a lot lie open: the seats say what they held, each for itself (R-32a)."""

    fists: ClosedFists
    """The fists as they were closed."""
    counted: Bids
    """What was counted, by seat."""
    confirmed: Bids
    """What each seat said."""
    correction: ev.FistCorrected | None = None
    """The change of a confirmed amount about which the others are asked (R-32b)."""
    agreed: tuple[Seat, ...] = ()
    """The seats that have agreed to it."""

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that have not said yet what their hands held."""
        return tuple([seat for seat in self.fists.seats if self.confirmed[seat] is None])

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats that have still to answer a correction."""
        if self.correction is None:
            return ()
        done = (self.correction.seat, *self.agreed)
        return tuple([seat for seat in self.fists.seats if seat not in done])

    def awaits(self, table: Table) -> tuple[Seat, ...]:
        """Return the seats that must confirm or answer: who may correct an amount keeps nobody waiting."""
        awaited = {*self.waiting, *self.asked}
        return tuple([seat for seat in self.fists.seats if seat in awaited])

    def most(self, table: Table, seat: Seat) -> int:
        """Return the most that a seat's hand can have held, in dollars (R-16, R-33)."""
        return self.fists.bounds(table, seat)[1]

    # --- legality ---------------------------------------------------------------------------------

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer counts, each seat its own word, and the table all amounts that nobody has confirmed."""
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

    # --- what happens -----------------------------------------------------------------------------

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Note a count, a word or an answer; once all have confirmed and nothing is asked, go on as after R-32."""
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
        """Return the step after an answer: the last yes changes the amount, one no leaves it as it is (R-32b)."""
        correction = self.correction
        assert correction is not None
        if not yes:
            return replace(self, correction=None, agreed=())
        if self.asked != (seat,):
            return replace(self, agreed=(*self.agreed, seat))
        confirmed = with_value(self.confirmed, correction.seat, correction.amount)
        return replace(self, confirmed=confirmed, correction=None, agreed=())

    def owes(self, seat: Seat) -> int:
        """What lies there or was said is promised, with the first fist; of a correction the larger amount."""
        said = self.confirmed[seat]
        shown = (self.counted[seat] if said is None else said) or 0
        if self.correction is not None and self.correction.seat == seat:
            shown = max(shown, self.correction.amount)
        return shown + self.fists.owes(seat)

    def timing(self, table: Table) -> Confirming:
        """Return that a press agrees to a correction, or confirms what was counted (R-32a, R-32b)."""
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
