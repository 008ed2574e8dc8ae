"""What may be known of a lot in progress, and of the locomotive cards that lie face up."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.engine import Seat, State
from companion.games.take_a_train.catalogue import Loco
from companion.games.take_a_train.steps import (
    lots,
    open_auction,
    open_fists,
    pass_auction,
    preemption,
    reveal,
    sealed_auctions,
    twist,
)
from companion.games.take_a_train.table import Table


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


def lot_view(table: Table, head: object, state: State[Table]) -> LotView | None:
    """Return the lot in progress, or None outside stage one."""
    cards = tuple([loco_view(table, card) for card in table.revealed])
    match head:
        case lots.Nominate():
            return LotView(head.beginner, cards)
        case lots.Lone():
            return LotView(head.seat, cards, lone=True)
        case pass_auction.Opening():
            return LotView(head.beginner, cards, head.card)
        case pass_auction.Bidding():
            return LotView(head.beginner, cards, head.card, head.price, head.leader)
        case open_auction.Calling():
            return LotView(head.beginner, cards, head.card, head.price, head.leader, head.count)
        case open_auction.CallTie() | sealed_auctions.BreakTie():
            return LotView(head.beginner, cards, head.card, head.price, tied=head.tied)
        case sealed_auctions.Fists():
            return _fists_view(table, head)
        case open_fists.OpenFists():
            return replace(_fists_view(table, head.fists), correction=_correction_view(head))
        case preemption.OrderTie():
            backs = 0 if cards else table.fixed.players
            return LotView(head.beginner, cards, tied=head.tied, stage="preemption", backs=backs)
        case preemption.Choose():
            return LotView(head.beginner, cards, stage="preemption")
        case twist.Flips():
            return LotView(table.starter, tuple([loco_view(table, c) for s in head.seats for c in head.trains[s]]))
        case reveal.RevealLocos():
            following = state.agenda[1] if len(state.agenda) > 1 else None
            if isinstance(following, lots.Nominate | lots.PutUp):
                return LotView(following.beginner, ())
            if isinstance(following, lots.Lone):
                return LotView(following.seat, (), lone=True)
            assert isinstance(following, preemption.OrderTies | preemption.Choosing)
            return LotView(following.beginner, (), stage="preemption", backs=head.size)
    return None


def _fists_view(table: Table, head: open_fists.ClosedFists) -> LotView:
    """Return the lot of sealed bids."""
    cards = tuple([loco_view(table, card) for card in table.revealed])
    backs = table.fixed.players if head.stage == "preemption" else 0
    return LotView(head.beginner, cards, head.card or None, stage=head.stage, backs=backs)


def _correction_view(head: open_fists.OpenFists) -> CorrectionView | None:
    """Return the correction about which seats are asked."""
    correction = head.correction
    if correction is None:
        return None
    return CorrectionView(correction.seat, head.confirmed[correction.seat] or 0, correction.amount, head.asked)
