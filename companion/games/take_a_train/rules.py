"""The rules of Take a Train: the start of a match, events at any moment, and refusals."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.engine import (
    Choice,
    Effect,
    Event,
    JsonObject,
    Moved,
    Offer,
    Seat,
    Setup,
    State,
    View,
    begin,
    events_in,
    fields_of,
    seat_of,
)
from companion.engine.refusal import GAME_OVER, UNKNOWN_SEAT, WRONG_PHASE, BadSetup, Reason, Refusal
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import layout, purposes, refusals
from companion.games.take_a_train.catalogue import UNIT, book_of, given
from companion.games.take_a_train.looks import public_view, seat_view, show_bank
from companion.games.take_a_train.match_rules import MatchRules
from companion.games.take_a_train.options import resolve
from companion.games.take_a_train.steps.round import DealPurposes, NameStarter, ranking
from companion.games.take_a_train.steps.sealed_auctions import Fists
from companion.games.take_a_train.table import BANK_TOTAL, START_CASH, TRAINS, Fixed, Table
from companion.games.take_a_train.tokens import Tokens
from companion.mechanics.seating import with_value

STANDING = (ev.Claimed, ev.PurposesEntered, ev.CashCorrected)
"""Events that may happen at any moment, in anybody's turn."""
TURNED_UP = (ev.LocosRevealed, ev.CardsRevealed, ev.FigureRead, ev.CostRead)
"""Events that nobody decides: they do not end the right to an immediate claim."""
AMOUNTS = ("amount", "price", "power", "to")
"""Fields that hold money."""

TOO_LATE: dict[type[Event], Reason] = {
    **dict.fromkeys((ev.Bid, ev.Passed), refusals.LOT_CLOSED),
    **dict.fromkeys((ev.Raised, ev.RaisedTogether, ev.RaiseGrown, ev.Counted), refusals.LOT_CLOSED_R48),
    **dict.fromkeys((ev.FistCounted, ev.FistConfirmed), refusals.FISTS_NOT_OPEN),
    **dict.fromkeys((ev.FistCorrected, ev.CorrectionAnswered), refusals.FISTS_NOT_OPEN_R32B),
    **dict.fromkeys((ev.Took, ev.Exchanged, ev.TurnPassed), refusals.ROUND_OVER),
    ev.CountBroken: refusals.NO_COUNT,
    ev.RevealSignalled: refusals.FISTS_NOT_CLOSED,
    ev.Committed: refusals.COMMIT_LOCKED,
    ev.ReplacementTaken: refusals.REPLACEMENT_NOT_ALLOWED,
    ev.Flipped: refusals.FLIP_NOT_NEEDED,
    ev.Nominated: WRONG_PHASE,
}
"""The refusal of an event whose moment has passed."""


class TakeATrain(Tokens, MatchRules):
    """The rules of Take a Train (G3, 2015), English and French editions."""

    name = "take-a-train"
    order = 1
    seats = range(2, 7)
    events = events_in(ev)
    # for demonstrations
    unordered_fields = layout.UNORDERED_FIELDS
    resting_layouts = staticmethod(layout.resting_layouts)
    draws_before_match = staticmethod(layout.draws_before_match)
    # for the camera
    places = staticmethod(layout.places)
    candidate_events = staticmethod(layout.candidate_events)
    unseen_alternatives = staticmethod(layout.unseen_alternatives)
    layout = staticmethod(layout.layout)

    def resolve_setup(self, setup: Setup) -> Setup:
        # as a journal returns it: lists, no tuples
        plain: JsonObject = msgspec.json.decode(msgspec.json.encode(given(setup.catalogue)))
        return replace(setup, players=setup.seated(), catalogue=plain)

    def begin(self, setup: Setup) -> State[Table]:
        """Return the first state (R-06 to R-10); raise `BadSetup` for an impossible set-up."""
        players = len(setup.seated())
        if players not in self.seats:
            raise BadSetup(refusals.BAD_PLAYER_COUNT(players=players), "Take a Train is for 2 to 6 players.")
        options = resolve(setup.options)
        catalogue = given(setup.catalogue)
        if setup.deck != "box" and not all(loco.known for loco in catalogue.locomotives):
            raise BadSetup(refusals.BAD_CATALOGUE(why="figures"), "a locomotive's figures are missing")
        if setup.deck == "dealt" and catalogue.open_values:
            raise BadSetup(refusals.BAD_CATALOGUE(why="values"), "wagon values are missing: they cannot be dealt")
        dealt = setup.deck == "dealt"
        table = Table(
            fixed=Fixed(players, options, book_of(catalogue, options.sequence_costs), dealt),
            cash=(START_CASH,) * players,
            bank=BANK_TOTAL - START_CASH * players,
            trains=((),) * players,
            held=(purposes.ALL,) * players,
            known=(False,) * players,
            met=(0,) * players,
            claimed=(0,) * players,
        )
        return begin(self, table, (*([DealPurposes()] if dealt else []), NameStarter()))

    # --- at any moment ----------------------------------------------------------------------------

    def standing(self, state: State[Table]) -> tuple[Offer, ...]:
        """Return each seat's possible claims now (R-73)."""
        table = state.table
        if not table.ripe:
            return ()
        offers: list[Offer] = []
        for seat in map(Seat, range(table.fixed.players)):
            claims = [ev.Claimed(seat, purpose) for purpose in purposes.ids(purposes.claimable(table, seat))]
            may = tuple([claim for claim in claims if purposes.claim_refusal(table, seat, claim.purpose) is None])
            if may:
                offers.append(Choice(seat, may))
        return tuple(offers)

    def stands(self, event: Event) -> bool:
        return isinstance(event, STANDING)

    def stand_refusal(self, state: State[Table], event: Event) -> Refusal | None:
        table, players = state.table, state.table.fixed.players
        match event:
            case ev.Claimed(seat) | ev.PurposesEntered(seat) | ev.CashCorrected(seat) if not 0 <= seat < players:
                return UNKNOWN_SEAT(players=players)
            case ev.Claimed(seat, purpose):
                return purposes.claim_refusal(table, seat, purpose)
            case ev.PurposesEntered(seat, tokens):
                return entry_refusal(table, seat, tokens)
            case ev.CashCorrected(seat, to):
                return correction_refusal(state, seat, to)
        return WRONG_PHASE()

    def stand(self, state: State[Table], event: Event) -> tuple[Table, tuple[Effect, ...]]:
        table = state.table
        match event:
            case ev.Claimed(seat, purpose):
                return purposes.claim(table, seat, purpose)
            case ev.PurposesEntered(seat, tokens):
                held = with_value(table.held, seat, purposes.mask_of(tokens) | table.claimed[seat])
                after = replace(table, held=held, known=with_value(table.known, seat, True))
                return purposes.update_ripe(after), ()
            case ev.CashCorrected(seat, to):
                change = to - table.cash[seat]
                after = replace(table, cash=with_value(table.cash, seat, to), bank=table.bank - change)
                return after, (Moved(seat, change, "correction"),)
        raise TypeError(f"{type(event).__name__} has its own moment")

    def expire(self, table: Table, event: Event) -> Table:
        """Return the table without the purposes that expire with this event (`claim_window = "immediate"`)."""
        return table if not table.fresh or isinstance(event, TURNED_UP) else replace(table, fresh=())

    # --- refusals ---------------------------------------------------------------------------------

    def explain(self, state: State[Table], event: Event) -> Refusal:
        table, seat = state.table, seat_of(event)
        if state.head is None:
            return GAME_OVER()
        if seat is not None and not 0 <= seat < table.fixed.players and not isinstance(event, ev.StarterNamed):
            return UNKNOWN_SEAT(players=table.fixed.players)
        found = money_refusal(state, event) or (self.stand_refusal(state, event) if self.stands(event) else None)
        found = found or state.head.explain(table, event)
        if found is not None:
            return found
        late = TOO_LATE.get(type(event))
        if seat is not None and late and not table.order and len(table.trains[seat]) == TRAINS:
            return refusals.ALREADY_HAS_THREE(seat=seat)
        return (late or WRONG_PHASE).to(seat if isinstance(event, ev.Flipped) else None)

    # --- views and scores -------------------------------------------------------------------------

    def view(self, state: State[Table], seat: Seat | None) -> View:
        return public_view(state) if seat is None else seat_view(state, seat)

    def veiled_view(self, state: State[Table], seat: Seat) -> View:
        """Return the seat's view without its closed fist and placed cards."""
        return seat_view(state, seat, veiled=True)

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return every seat's cash. Secret while the game runs (R-80)."""
        return state.table.cash

    def ranking(self, state: State[Table]) -> tuple[tuple[Seat, ...], ...]:
        """Return the seats from the richest to the poorest; nothing while cash is secret (R-80 to R-82)."""
        return ranking(state.table) if state.over else ()


def money_refusal(state: State[Table], event: Event) -> Refusal | None:
    """Return why an amount in the event is impossible (R-04), or None."""
    amounts = [value for name, value in fields_of(event).items() if name in AMOUNTS and isinstance(value, int)]
    if isinstance(event, ev.BidsRevealed):
        amounts = [amount for amount in event.amounts if amount is not None]
    for amount in amounts:
        if amount < 0:
            second = isinstance(state.head, Fists) and state.head.stage == "second"
            fixed = second and isinstance(event, ev.Committed)
            return refusals.FIRST_BID_FIXED() if fixed else refusals.NEGATIVE_AMOUNT(amount=amount)
        if amount % UNIT:
            return refusals.NOT_MULTIPLE_OF_50(amount=amount)
    return None


def entry_refusal(table: Table, seat: Seat, tokens: tuple[str, ...]) -> Refusal | None:
    """Return why a seat's three purposes cannot be entered, or None; for that seat alone (R-10)."""
    if table.fixed.dealt:
        return refusals.PURPOSES_KNOWN.to(seat)
    if len(tokens) != purposes.PER_SEAT or not purposes.BY_ID.keys() >= set(tokens):
        return refusals.THREE_PURPOSES.to(seat)
    mask, gone = purposes.mask_of(tokens), sum(with_value(table.claimed, seat, 0))
    if len(set(tokens)) < len(tokens) or mask & gone or table.claimed[seat] & ~mask:
        return refusals.DUPLICATE_PURPOSE.to(seat)
    return None


def too_much(table: Table, seat: Seat, to: int) -> Refusal | None:
    """Return that a correction would put more money into hands than the box contains, or None (R-04).

    If two players may not see the bank, the limit is half the box: a refusal based on the bank's money would reveal the
    other seat's cash.
    """
    if len(table.cash) == 2 and not show_bank(table):
        most = max(BANK_TOTAL // 2, table.cash[seat])
        return refusals.MORE_THAN_HALF.to(seat, most=most) if to > most else None
    most = BANK_TOTAL if table.bank < 0 else table.cash[seat] + table.bank
    return refusals.MORE_THAN_THE_BOX.to(seat, total=BANK_TOTAL) if to > most else None


def correction_refusal(state: State[Table], seat: Seat, to: int) -> Refusal | None:
    """Return why a seat's cash cannot be set to an amount, or None; for that seat alone (R-05).

    No correction puts more into all hands than the box contains. Once the bank owes money, the hands hold more; seats
    can then be corrected in any order.
    """
    found = money_refusal(state, ev.CashCorrected(seat, to))
    if found is not None or not state.agenda:
        return found or GAME_OVER()
    # Cards may be revealed before a promise is paid: then a later step holds the promise.
    owed = max(step.owes(seat) for step in state.agenda)
    return too_much(state.table, seat, to) or (refusals.PROMISED_MORE.to(seat, owed=owed) if to < owed else None)


RULES = TakeATrain()
"""The registered game."""
