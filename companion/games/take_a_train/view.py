"""What may be known: the public table and each seat's own part (secrecy table of the rules).

Views are built up field by field, never by removing parts of a state, so that a field not set here cannot leak.
"""

from __future__ import annotations

import msgspec

from companion.engine import JsonObject, Offer, Seat, State
from companion.games.take_a_train.lot_view import LocoView, LotView, Prices, loco_view, lot_view, prices
from companion.games.take_a_train.purposes import PER_SEAT, claimable, ids
from companion.games.take_a_train.steps import (
    market,
    open_fists,
    preemption,
    reveal,
    sales,
    sealed_auctions,
    spoken_auctions,
    twist,
)
from companion.games.take_a_train.steps import round as rounds
from companion.games.take_a_train.table import ROUNDS, TRAINS, Table, Train, Wagon, limit, profit


class TrainView(msgspec.Struct, frozen=True):
    """An owned train; `loco` is None for a replacement, whose face stays secret. `profit` is what it would pay now."""

    loco: LocoView | None
    cargo: str | None
    wagons: tuple[Wagon, ...]
    boosted: bool
    profit: int


class SeatPublic(msgspec.Struct, frozen=True):
    """What everybody may know of a seat.

    `token` is its sequence token (1 is first) or None. `bid` is what it said or showed in this lot. Of an open hand
    `counted` is what the camera saw, `confirmed` what the seat said it held.
    `committed` is a closed fist; `passed` has left the lot; `awaited`: the table waits for this seat.
    """

    seat: Seat
    trains: tuple[TrainView, ...]
    token: int | None
    purposes_left: int
    claimed: tuple[str, ...]
    awaited: bool
    bid: int | None = None
    committed: bool = False
    passed: bool = False
    placed: bool = False
    counted: int | None = None
    confirmed: int | None = None


class TableView(msgspec.Struct, frozen=True):
    """The public table. `moment` is the name of what is waited for, such as `bidding` or `act`.

    `bank` and everything derived from it is None when `show_bank` is off. `winners` and `cash` only at the end.
    """

    round: int
    rounds: int
    kind: str
    used: tuple[str, ...]
    starter: Seat
    moment: str
    awaited: tuple[Seat, ...]
    chance: bool
    """Whether the table waits for cards or a token to be revealed, not for a decision."""
    seats: tuple[SeatPublic, ...]
    lot: LotView | None
    market: tuple[str | None, ...]
    order: tuple[Seat, ...]
    limit: int
    wagon_deck: int
    wagon_discard: int
    loco_deck: int
    aside: int
    bank: int | None
    exchange_prices: tuple[int | None, ...]
    reveal: int = 0
    """How many cards are to be revealed now."""
    winners: tuple[Seat, ...] = ()
    cash: tuple[int, ...] = ()


class SeatView(msgspec.Struct, frozen=True):
    """One seat's own part, for that seat alone: money, fists, hand, purposes and what it may do."""

    table: TableView
    seat: Seat
    cash: int
    bid: int | None
    """The amount in its own closed fist."""
    hand: tuple[LocoView, ...]
    """Its current Twist hand, if the companion dealt it."""
    picked: tuple[LocoView, ...]
    """The cards that it has placed face down in Twist."""
    purposes: tuple[str, ...] | None
    """Its tokens not yet claimed; None if the companion does not know them."""
    claimable: tuple[str, ...]
    exchange_price: int | None
    offers: tuple[Offer, ...]
    """The seat's own offers."""
    prices: Prices = ()
    """What each of its choices costs it in all, where that is not printed on the card."""
    least: int = 0
    """What its open hand counts for at least (R-31)."""
    veiled: bool = False
    """Whether sealed bids and cards are left out, as another device sealed them before the seat was freed."""


def show_bank(table: Table) -> bool:
    """Whether the bank's total is public (R-05): with two players it would reveal the other's cash."""
    choice = table.fixed.options.show_bank
    return choice == "yes" or (choice == "auto" and table.fixed.players > 2)


def public_view(state: State[Table]) -> TableView:
    """Return what everybody may know."""
    table, head, fixed = state.table, state.head, state.table.fixed
    drawing, waits = isinstance(head, rounds.DrawToken), awaited_seats(state)
    return TableView(
        round=table.round + (drawing or isinstance(head, rounds.NameStarter | rounds.DealPurposes)),
        rounds=ROUNDS,
        kind="" if drawing else table.kind,
        used=table.used,
        starter=head.starter if isinstance(head, rounds.DrawToken) else table.starter,
        moment="over" if head is None else head.name,
        awaited=waits,
        chance=isinstance(head, _CHANCE),
        seats=tuple([_seat_public(table, head, Seat(s), Seat(s) in waits) for s in range(fixed.players)]),
        lot=lot_view(state),
        market=table.market,
        order=table.order,
        limit=limit(table),
        wagon_deck=len(table.wagons),
        wagon_discard=len(table.discard),
        loco_deck=table.deck,
        aside=len(table.aside),
        bank=table.bank if show_bank(table) or state.over else None,
        exchange_prices=tuple([fixed.book.price(t, fixed.players) for t in range(1, fixed.players + 1)]),
        reveal=cards_due(head),
        winners=rounds.winners(table) if state.over else (),
        cash=table.cash if state.over else (),
    )


def seat_view(state: State[Table], seat: Seat, veiled: bool = False) -> SeatView:
    """Return what one seat may know; `veiled` leaves out its sealed bids and cards."""
    table, head = state.table, state.head
    offers = () if head is None else head.legal(table)
    hand = head.hands[seat] if isinstance(head, twist.Pick) and not head.ready[seat] else ()
    picked = head.placed[seat] if isinstance(head, twist.Pick) and not veiled else ()
    token = table.order.index(seat) + 1 if table.order else 0
    return SeatView(
        table=public_view(state),
        seat=seat,
        cash=table.cash[seat],
        bid=head.amounts[seat] if isinstance(head, sealed_auctions.Fists) and not veiled else None,
        hand=tuple([loco_view(table, card) for card in hand]),
        picked=tuple([loco_view(table, card) for card in picked]),
        purposes=ids(table.held[seat] & ~table.claimed[seat]) if table.known[seat] else None,
        claimable=ids(claimable(table, seat)) if table.ripe and head else (),
        exchange_price=table.fixed.book.price(token, table.fixed.players) if token else None,
        offers=tuple([offer for offer in offers if offer.by == seat]),
        least=head.fists.bounds(table, seat)[0] if isinstance(head, open_fists.OpenFists) else 0,
        prices=() if veiled else prices(table, head, seat),
        veiled=veiled,
    )


def awaited_seats(state: State[Table]) -> tuple[Seat, ...]:
    """Return the seats whose decision is awaited, independent of secret cash and cards."""
    match state.head:
        case None:
            return ()
        case sealed_auctions.Fists() as head:
            return tuple([seat for seat in head.seats if head.amounts[seat] is None])
        case twist.Pick() as head:
            return head.picking
        case spoken_auctions.Calling(leader=seat) | rounds.DrawToken(seat):
            return (seat,)
        case head:
            return head.awaits(state.table)


_CHANCE = (
    *(rounds.DealPurposes, rounds.NameStarter, rounds.DrawToken, reveal.RevealLocos),
    *(market.RevealCards, twist.Deal, twist.TurnUp),
)


def cards_due(head: object) -> int:
    """Return how many cards are to be revealed now."""
    match head:
        case reveal.RevealLocos(size):
            return size
        case market.RevealCards(slots):
            return len(slots)
    return 0


def train_view(table: Table, train: Train) -> TrainView:
    """Return an owned train; a replacement's face stays secret."""
    loco = loco_view(table, train.loco) if train.face_up else None
    return TrainView(loco, train.cargo, train.wagons, train.boosted, profit(train))


def _seat_public(table: Table, head: object, seat: Seat, waits: bool) -> SeatPublic:
    """Return what everybody may know of a seat."""
    return SeatPublic(
        seat,
        trains=tuple([train_view(table, train) for train in table.trains[seat]]),
        token=table.order.index(seat) + 1 if table.order else None,
        purposes_left=PER_SEAT - table.claimed[seat].bit_count(),
        claimed=ids(table.claimed[seat]),
        awaited=waits,
        **_shown_in_lot(table, head, seat),
    )


def _shown_in_lot(table: Table, head: object, seat: Seat) -> JsonObject:
    """Return the fields of `SeatPublic` about what a seat said, showed or did in this lot."""
    match head:
        case open_fists.OpenFists(fists):
            bid = fists.firsts[seat] if fists.firsts else None
            return {"bid": bid, "counted": head.counted[seat], "confirmed": head.confirmed[seat]}
        case sealed_auctions.Fists():
            return {"bid": head.firsts[seat] if head.firsts else None, "committed": head.amounts[seat] is not None}
        case spoken_auctions.Bidding():
            bid = head.price if seat == head.leader else None
            return {"bid": bid, "passed": seat not in head.bidders and len(table.trains[seat]) < TRAINS}
        case spoken_auctions.Calling():
            return {"bid": head.price if seat == head.leader else None}
        case sales.TieBreak():
            return {"bid": head.price if seat in head.tied else None}
        case preemption.OrderTie() | preemption.Choose():
            return {"bid": head.bids[seat]}
        case twist.Pick():
            return {"placed": head.ready[seat]}
    return {}
