"""What may be known of a lot in progress, of the locomotive cards that lie face up, and what a seat's choices cost."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.engine import Seat, State, Step
from companion.games.take_a_train.catalogue import Loco
from companion.games.take_a_train.steps import (
    fists,
    lots,
    open_fists,
    preemption,
    reveal,
    sales,
    sealed_auctions,
    spoken_auctions,
    twist,
)
from companion.games.take_a_train.table import Table
from companion.mechanics.pool import without

Prices = tuple[tuple[tuple[str, ...], int], ...]
"""Each choice of a seat, named by its cards, and what the seat then pays in all."""


class LocoView(msgspec.Struct, frozen=True, gc=False):
    """A locomotive card lying face up. Money in dollars, speed in km/h."""

    id: str
    drive: str
    power: int
    speed: int
    multiplier: int


class CorrectionView(msgspec.Struct, frozen=True):
    """A confirmed amount that its seat wants changed, and the seats that have still to answer (R-32b)."""

    seat: Seat
    old: int
    new: int
    waiting: tuple[Seat, ...]


class LotView(msgspec.Struct, frozen=True):
    """The lot in progress. `stage` of sealed bids: only, first, second, preemption. `count` 0 to 3 (Open)."""

    beginner: Seat
    cards: tuple[LocoView, ...]
    nominated: str | None = None
    price: int | None = None
    leader: Seat | None = None
    count: int = 0
    stage: str = ""
    tied: tuple[Seat, ...] = ()
    lone: bool = False
    backs: int = 0
    """Cards lying face down in the middle (Preemption)."""
    correction: CorrectionView | None = None


def loco_view(table: Table, card: str) -> LocoView:
    """Return a face-up locomotive card."""
    loco: Loco = table.fixed.book.locos[card]
    return LocoView(loco.id, loco.drive, loco.power or 0, loco.speed or 0, loco.multiplier or 0)


def lot_view(state: State[Table]) -> LotView | None:
    """Return the lot in progress, or None outside stage one."""
    table = state.table
    cards = tuple([loco_view(table, card) for card in table.revealed])
    match state.head:
        case lots.Nominate() as head:
            return LotView(head.beginner, cards)
        case lots.Lone() as head:
            return LotView(head.seat, cards, lone=True)
        case spoken_auctions.Opening() as head:
            return LotView(head.beginner, cards, head.card)
        case spoken_auctions.Bidding() as head:
            return LotView(head.beginner, cards, head.card, head.price, head.leader)
        case spoken_auctions.Calling() as head:
            return LotView(head.beginner, cards, head.card, head.price, head.leader, head.count)
        case sales.TieBreak() as head:
            return LotView(head.beginner, cards, head.card, head.price, tied=head.tied)
        case sealed_auctions.Fists() as head:
            return _fists_view(table, head)
        case open_fists.OpenFists() as head:
            return replace(_fists_view(table, head.fists), correction=_correction_view(head))
        case preemption.OrderTie() as head:
            backs = 0 if cards else table.fixed.players
            return LotView(head.beginner, cards, tied=head.tied, stage="preemption", backs=backs)
        case preemption.Choose() as head:
            return LotView(head.beginner, cards, stage="preemption")
        case twist.Flips() as head:
            return LotView(table.starter, tuple([loco_view(table, c) for s in head.seats for c in head.trains[s]]))
        case reveal.RevealLocos(size):
            return _before_reveal(state.agenda[1], size)
    return None


def _before_reveal(following: Step[Table], size: int) -> LotView:
    """Return the lot for which cards are to be revealed."""
    if isinstance(following, lots.Lone):
        return LotView(following.seat, (), lone=True)
    if isinstance(following, preemption.Choosing):
        return LotView(following.beginner, (), stage="preemption", backs=size)
    assert isinstance(following, lots.Nominate | lots.PutUp)
    return LotView(following.beginner, ())


def _fists_view(table: Table, head: fists.ClosedFists) -> LotView:
    """Return the lot of sealed bids."""
    cards = tuple([loco_view(table, card) for card in table.revealed])
    backs = table.fixed.players if head.stage == "preemption" else 0
    return LotView(head.beginner, cards, head.card or None, stage=head.stage, backs=backs)


def _correction_view(head: open_fists.OpenFists) -> CorrectionView | None:
    """Return the correction about which seats are asked."""
    wish = head.correction
    return CorrectionView(wish.seat, head.confirmed[wish.seat] or 0, wish.amount, head.asked) if wish else None


def prices(table: Table, head: object, seat: Seat) -> Prices:
    """Return what a seat's choices cost: a locomotive in Preemption, the cards it has or keeps in Twist (R-44, R-55).

    In Twist the sum includes the cards that the seat has placed, so it is for that seat alone.
    """
    match head:
        case preemption.Choose() if head.order[0] == seat:
            bid = head.bids[seat]
            return tuple([((card,), preemption.price(table, bid, card)) for card in table.revealed])
        case twist.Pick() if table.fixed.dealt and not head.ready[seat]:
            placed = head.placed[seat]
            return tuple([((card,), twist.cost(table, (*placed, card))) for card in head.hands[seat]])
        case twist.Flips() if seat in head.seats:
            own = head.trains[seat]
            return tuple([(down, twist.cost(table, without(own, down))) for down in twist.flips(table, seat, own)])
    return ()
