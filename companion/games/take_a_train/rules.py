"""The rules of Take a Train: how a match begins, events at any moment, and refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.engine import (
    GAME_OVER,
    UNKNOWN_SEAT,
    WRONG_PHASE,
    BadSetup,
    Choice,
    Effect,
    Event,
    JsonObject,
    Moved,
    Offer,
    Reason,
    Refusal,
    Seat,
    SeatEvent,
    Setup,
    State,
    View,
    begin,
    seat_of,
)
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import layout, match_rules, refusals, secrecy, sight, token_play, token_sight
from companion.games.take_a_train.catalogue import MONEY, UNIT, book_of, read, shipped
from companion.games.take_a_train.options import resolve
from companion.games.take_a_train.purposes import (
    ALL,
    BY_ID,
    PER_SEAT,
    claim,
    claim_refusal,
    claimable,
    ids,
    mask_of,
    update_ripe,
)
from companion.games.take_a_train.steps import first_agenda
from companion.games.take_a_train.steps.round import ranking, winners
from companion.games.take_a_train.table import BANK_TOTAL, START_CASH, TRAINS, Fixed, Table, change_cash
from companion.games.take_a_train.tokens import TOKEN_KINDS
from companion.games.take_a_train.view import public_view, seat_view, show_bank
from companion.mechanics.sides import Sides

STANDING = (ev.Claimed, ev.PurposesEntered, ev.CashCorrected)
"""Events that may happen at any moment, on anybody's turn."""
TURNED_UP = (ev.LocosRevealed, ev.CardsRevealed, ev.FigureRead, ev.CostRead)
"""Events that nobody decides: a purpose to be claimed at once can still be claimed after them."""
AMOUNTS = ("amount", "price", "power", "to")
"""Fields that hold money."""

TOO_LATE: dict[type[Event], Reason] = {
    ev.Bid: refusals.LOT_CLOSED,
    ev.Passed: refusals.LOT_CLOSED,
    ev.Raised: refusals.LOT_CLOSED_R48,
    ev.RaisedTogether: refusals.LOT_CLOSED_R48,
    ev.Counted: refusals.LOT_CLOSED_R48,
    ev.CountBroken: refusals.NO_COUNT,
    ev.RaiseGrown: refusals.LOT_CLOSED_R48,
    ev.RevealSignalled: refusals.FISTS_NOT_CLOSED,
    ev.FistCounted: refusals.FISTS_NOT_OPEN,
    ev.FistConfirmed: refusals.FISTS_NOT_OPEN,
    ev.FistCorrected: refusals.FISTS_NOT_OPEN_R32B,
    ev.CorrectionAnswered: refusals.FISTS_NOT_OPEN_R32B,
    ev.Committed: refusals.COMMIT_LOCKED,
    ev.ReplacementTaken: refusals.REPLACEMENT_NOT_ALLOWED,
    ev.Flipped: refusals.FLIP_NOT_NEEDED,
    ev.Took: refusals.ROUND_OVER,
    ev.Exchanged: refusals.ROUND_OVER,
    ev.TurnPassed: refusals.ROUND_OVER,
    ev.Nominated: WRONG_PHASE,
}
"""The refusal of an event whose moment has passed."""


class TakeATrain:
    """The rules of Take a Train (G3, 2015), English and French editions."""

    name = "take-a-train"
    order = 1
    seats = range(2, 7)
    events: Any = ev.Any
    rulings: tuple[str, ...] = ()
    money: Mapping[int, int] = MONEY
    first_tokens: Mapping[int, int] = match_rules.FIRST_TOKENS
    # for matches and the table
    question = staticmethod(match_rules.question)
    interruption = staticmethod(match_rules.interruption)
    correction = staticmethod(ev.CashCorrected)
    holdings = staticmethod(match_rules.holdings)
    learn_catalogue = staticmethod(match_rules.learn_catalogue)
    secret = staticmethod(secrecy.secret)
    newly_public = staticmethod(secrecy.newly_public)
    no_longer_shown = staticmethod(secrecy.no_longer_shown)
    reveals = staticmethod(secrecy.reveals)
    has_sealed = staticmethod(secrecy.has_sealed)
    sealing_events = staticmethod(secrecy.sealing_events)
    # for demonstrations
    unordered_fields = layout.UNORDERED_FIELDS
    resting_layouts = staticmethod(layout.resting_layouts)
    draws_before_match = staticmethod(layout.draws_before_match)
    token_options = token_play.TOKEN_OPTIONS
    token_layout = staticmethod(token_play.token_layout)
    count_of = staticmethod(token_play.count_of)
    counts_shown = staticmethod(token_play.counts_shown)
    word_of = staticmethod(token_play.word_of)
    claim_layout = staticmethod(token_play.claim_layout)
    # for the camera
    places = staticmethod(layout.places)
    layout = staticmethod(layout.layout)
    candidate_events = staticmethod(sight.candidate_events)
    unseen_alternatives = staticmethod(sight.unseen_alternatives)
    faults = staticmethod(sight.faults)
    with_other_card = staticmethod(sight.with_other_card)
    token_kinds = TOKEN_KINDS
    token_places = staticmethod(token_sight.token_places)
    readable_places = staticmethod(token_sight.readable_places)
    lying_money = staticmethod(token_sight.lying_money)
    ordered_tokens = staticmethod(token_sight.ordered_tokens)
    token_events = staticmethod(token_sight.token_events)
    token_claims = staticmethod(token_sight.token_claims)

    def resolve_setup(self, setup: Setup) -> Setup:
        """Return the setup with full players and the whole catalogue; raise `BadSetup` for an impossible one."""
        whole = shipped(setup.catalogue) if isinstance(setup.catalogue, str) else read(setup.catalogue)
        plain: JsonObject = msgspec.json.decode(msgspec.json.encode(whole))
        return replace(setup, players=setup.seated(), catalogue=plain)

    def beside_mat(self, state: State[Table]) -> tuple[()]:
        """Return nothing: money is on the pages, and states that look alike on the mat are alike."""
        return ()

    def begin(self, setup: Setup) -> State[Table]:
        """Return the first state (R-06 to R-10); raise `BadSetup` for an impossible setup."""
        players = len(setup.seated())
        if players not in self.seats:
            raise BadSetup(refusals.BAD_PLAYER_COUNT(players=players), "Take a Train is for 2 to 6 players.")
        options = resolve(setup.options)
        catalogue = shipped(setup.catalogue) if isinstance(setup.catalogue, str) else read(setup.catalogue)
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
            held=(ALL,) * players,
            known=(False,) * players,
            met=(0,) * players,
            claimed=(0,) * players,
        )
        return begin(self, table, first_agenda(dealt))

    # --- at any moment ----------------------------------------------------------------------------

    def standing(self, state: State[Table]) -> tuple[Offer, ...]:
        """Return what each seat may claim now (R-73)."""
        table = state.table
        if not table.ripe:
            return ()
        offers: list[Offer] = []
        for s in range(table.fixed.players):
            mask = claimable(table, s)
            if mask:
                seat = Seat(s)
                claims = [ev.Claimed(seat, p) for p in ids(mask) if claim_refusal(table, seat, p) is None]
                if claims:
                    offers.append(Choice(seat, tuple(claims)))
        return tuple(offers)

    def stands(self, event: Event) -> bool:
        """Whether this kind of event may happen at any moment."""
        return isinstance(event, STANDING)

    def stand_refusal(self, state: State[Table], event: Event) -> Refusal | None:
        """Return why a claim, an entry of purposes or a correction of cash is refused, or None."""
        table = state.table
        if isinstance(event, SeatEvent) and not 0 <= event.seat < table.fixed.players:
            return UNKNOWN_SEAT(players=table.fixed.players)
        match event:
            case ev.Claimed(seat, purpose):
                return claim_refusal(table, seat, purpose)
            case ev.PurposesEntered(seat, purposes):
                return entry_refusal(table, seat, purposes)
            case ev.CashCorrected(seat, to):
                return correction_refusal(state, seat, to)
        return WRONG_PHASE()

    def stand(self, state: State[Table], event: Event) -> tuple[Table, tuple[Effect, ...]]:
        """Return the table and effects after a claim, an entry of purposes or a correction of cash."""
        table = state.table
        match event:
            case ev.Claimed(seat, purpose):
                return claim(table, seat, purpose)
            case ev.PurposesEntered(seat, purposes):
                held = (*table.held[:seat], mask_of(purposes) | table.claimed[seat], *table.held[seat + 1 :])
                known = (*table.known[:seat], True, *table.known[seat + 1 :])
                return update_ripe(replace(table, held=held, known=known)), ()
            case ev.CashCorrected(seat, to):
                change = to - table.cash[seat]
                after = replace(table, cash=change_cash(table.cash, seat, change), bank=table.bank - change)
                return after, (Moved(seat, change, "correction"),)
        raise TypeError(f"{type(event).__name__} has its own moment")

    def expire(self, table: Table, event: Event) -> Table:
        """Return the table without purposes that expire with this event (`claim_window = "immediate"`)."""
        return table if not table.fresh or isinstance(event, TURNED_UP) else replace(table, fresh=())

    # --- refusals ---------------------------------------------------------------------------------

    def explain(self, state: State[Table], event: Event) -> Refusal:
        """Return why the event is refused: an impossible amount first, then the step's own reason, then the moment."""
        table = state.table
        if not state.agenda:
            return GAME_OVER()
        head = state.agenda[0]
        seat = seat_of(event)
        if seat is not None and not 0 <= seat < table.fixed.players and not isinstance(event, ev.StarterNamed):
            return UNKNOWN_SEAT(players=table.fixed.players)
        money = money_refusal(state, event)
        if money is not None:
            return money
        if self.stands(event):
            found = self.stand_refusal(state, event)
            if found is not None:
                return found
        found = head.explain(table, event)
        if found is not None:
            return found
        if seat is not None and type(event) in TOO_LATE and not table.order and len(table.trains[seat]) == TRAINS:
            return refusals.ALREADY_HAS_THREE(seat=seat)
        return TOO_LATE.get(type(event), WRONG_PHASE).to(seat if isinstance(event, ev.Flipped) else None)

    # --- views and scores -------------------------------------------------------------------------

    def view(self, state: State[Table], seat: Seat | None) -> View:
        """Return what the seat may know, or the public view for None."""
        return public_view(state) if seat is None else seat_view(state, seat)

    def veiled_view(self, state: State[Table], seat: Seat) -> View:
        """Return the seat's view without its closed fist and placed cards."""
        return seat_view(state, seat, veiled=True)

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return every seat's cash. Secret while the game runs (R-80)."""
        return state.table.cash

    def sides(self, setup: Setup) -> tuple[tuple[Seat, ...], ...]:
        """Return each seat by itself: nobody has partners."""
        return Sides.alone(len(setup.seated())).groups

    def ranking(self, state: State[Table]) -> tuple[tuple[Seat, ...], ...]:
        """Return the seats from the richest to the poorest; nothing while cash is secret (R-80 to R-82)."""
        return ranking(state.table) if state.over else ()

    def winners(self, state: State[Table]) -> tuple[Seat, ...]:
        """Return the winners (R-80 to R-82)."""
        return winners(state.table) if state.over else ()


def money_refusal(state: State[Table], event: Event) -> Refusal | None:
    """Return why an amount in the event is impossible (R-04), or None."""
    amounts: list[int] = [getattr(event, name) for name in AMOUNTS if isinstance(getattr(event, name, None), int)]
    if isinstance(event, ev.BidsRevealed):
        amounts = [amount for amount in event.amounts if amount is not None]
    for amount in amounts:
        if amount < 0:
            head = state.agenda[0]
            if isinstance(event, ev.Committed) and getattr(head, "stage", "") == "second":
                return refusals.FIRST_BID_FIXED()
            return refusals.NEGATIVE_AMOUNT(amount=amount)
        if amount % UNIT:
            return refusals.NOT_MULTIPLE_OF_50(amount=amount)
    return None


def entry_refusal(table: Table, seat: Seat, purposes: tuple[str, ...]) -> Refusal | None:
    """Return why a seat's three purposes cannot be entered, or None; for that seat alone (R-10)."""
    if table.fixed.dealt:
        return refusals.PURPOSES_KNOWN.to(seat)
    if len(purposes) != PER_SEAT or any(p not in BY_ID for p in purposes):
        return refusals.THREE_PURPOSES.to(seat)
    if len(set(purposes)) != PER_SEAT:
        return refusals.DUPLICATE_PURPOSE.to(seat)
    mask = mask_of(purposes)
    gone = sum(m for s, m in enumerate(table.claimed) if s != seat)
    if mask & gone or table.claimed[seat] & ~mask:
        return refusals.DUPLICATE_PURPOSE.to(seat)
    return None


def too_much(table: Table, seat: Seat, to: int) -> Refusal | None:
    """Return that a correction would put more money into all hands than the box has, or None (R-04).

    Where two players may not see the bank, half the box is the limit: refusals by the bank's money would tell a seat
    what the other one holds.
    """
    if len(table.cash) == 2 and not show_bank(table):
        most = max(BANK_TOTAL // 2, table.cash[seat])
        return refusals.MORE_THAN_HALF.to(seat, most=most) if to > most else None
    most = BANK_TOTAL if table.bank < 0 else table.cash[seat] + table.bank
    return refusals.MORE_THAN_THE_BOX.to(seat, total=BANK_TOTAL) if to > most else None


def correction_refusal(state: State[Table], seat: Seat, to: int) -> Refusal | None:
    """Return why a seat's cash cannot be set to an amount, or None; for that seat alone (R-05).

    No correction puts more into all hands than the box has. Once the bank owes, they hold more: then seats are put
    right in any order.
    """
    table = state.table
    money = money_refusal(state, ev.CashCorrected(seat, to))
    if money is not None:
        return money
    if not state.agenda:
        return GAME_OVER()
    found = too_much(table, seat, to)
    if found is not None:
        return found
    # Cards may be revealed before a promise is paid: then a later step holds the promise.
    owed = max(step.owes(seat) for step in state.agenda)
    if to < owed:
        return refusals.PROMISED_MORE.to(seat, owed=owed)
    return None


RULES = TakeATrain()
"""The registered game."""
