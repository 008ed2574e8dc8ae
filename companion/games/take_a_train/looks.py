"""The views: the public table and each seat's own part (secrecy table of the rules).

Views are built up field by field, never by removing parts of a state, so that a field not set here cannot leak.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import JsonObject, Seat, State, Step, offers_of
from companion.games.take_a_train import view
from companion.games.take_a_train.catalogue import Loco
from companion.games.take_a_train.purposes import PER_SEAT, claimable, ids
from companion.games.take_a_train.steps import lots, market, preemption, reveal, sealed_auctions, twist
from companion.games.take_a_train.steps import round as rounds
from companion.games.take_a_train.steps.sales import TieBreak
from companion.games.take_a_train.steps.spoken_auctions import Bidding, Calling, Opening
from companion.games.take_a_train.table import ROUNDS, TRAINS, Table, Train, limit, profit
from companion.mechanics.pool import without
from companion.mechanics.view import shared


def show_bank(table: Table) -> bool:
    """Return whether the bank's total is public (R-05): with two players it would reveal the other's cash."""
    choice = table.fixed.options.show_bank
    return choice == "yes" or (choice == "auto" and table.fixed.players > 2)


@shared
def public_view(state: State[Table]) -> view.TableView:
    """Return the public view."""
    table, head, fixed = state.table, state.head, state.table.fixed
    drawing, waits = isinstance(head, rounds.DrawToken), awaited_seats(state)
    return view.TableView(
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


def seat_view(state: State[Table], seat: Seat, veiled: bool = False) -> view.SeatView:
    """Return one seat's own view; `veiled` leaves out its sealed bids and cards."""
    table, head = state.table, state.head
    offers = () if head is None else offers_of(head, table)
    hand = head.hands[seat] if isinstance(head, twist.Pick) and not head.ready[seat] else ()
    picked = head.placed[seat] if isinstance(head, twist.Pick) and not veiled else ()
    token = table.order.index(seat) + 1 if table.order else 0
    return view.SeatView(
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
        least=head.fists.bounds(table, seat)[0] if isinstance(head, sealed_auctions.OpenFists) else 0,
        prices=() if veiled else prices(table, head, seat),
        veiled=veiled,
    )


def awaited_seats(state: State[Table]) -> tuple[Seat, ...]:
    """Return the seats with a decision to make, independent of secret cash and cards."""
    match state.head:
        case None:
            return ()
        case sealed_auctions.Fists() as head:
            return tuple([seat for seat in head.seats if head.amounts[seat] is None])
        case twist.Pick() as head:
            return head.picking
        case Calling(leader=seat) | rounds.DrawToken(seat):
            return (seat,)
        case head:
            return head.awaits(state.table)


_CHANCE = (
    *(rounds.DealPurposes, rounds.NameStarter, rounds.DrawToken, reveal.RevealLocos),
    *(market.RevealCards, twist.Deal, twist.TurnUp),
)


def cards_due(head: object) -> int:
    """Return the number of cards to be revealed now."""
    match head:
        case reveal.RevealLocos(size):
            return size
        case market.RevealCards(slots):
            return len(slots)
    return 0


def train_view(table: Table, train: Train) -> view.TrainView:
    """Return an owned train; a replacement's face stays secret."""
    loco = loco_view(table, train.loco) if train.face_up else None
    return view.TrainView(loco, train.cargo, train.wagons, train.boosted, profit(train))


def _seat_public(table: Table, head: object, seat: Seat, waits: bool) -> view.SeatPublic:
    """Return the public part of a seat."""
    return view.SeatPublic(
        seat,
        trains=tuple([train_view(table, train) for train in table.trains[seat]]),
        token=table.order.index(seat) + 1 if table.order else None,
        purposes_left=PER_SEAT - table.claimed[seat].bit_count(),
        claimed=ids(table.claimed[seat]),
        awaited=waits,
        **_shown_in_lot(table, head, seat),
    )


def _shown_in_lot(table: Table, head: object, seat: Seat) -> JsonObject:
    """Return the fields of `SeatPublic` for a seat's statements and actions in this lot."""
    match head:
        case sealed_auctions.OpenFists(fists):
            bid = fists.firsts[seat] if fists.firsts else None
            return {"bid": bid, "counted": head.counted[seat], "confirmed": head.confirmed[seat]}
        case sealed_auctions.Fists():
            return {"bid": head.firsts[seat] if head.firsts else None, "committed": head.amounts[seat] is not None}
        case Bidding():
            bid = head.price if seat == head.leader else None
            return {"bid": bid, "passed": seat not in head.bidders and len(table.trains[seat]) < TRAINS}
        case Calling():
            return {"bid": head.price if seat == head.leader else None}
        case TieBreak():
            return {"bid": head.price if seat in head.tied else None}
        case preemption.OrderTie() | preemption.Choose():
            return {"bid": head.bids[seat]}
        case twist.Pick():
            return {"placed": head.ready[seat]}
    return {}


# --- the lot in progress --------------------------------------------------------------------------


def loco_view(table: Table, card: str) -> view.LocoView:
    """Return a face-up locomotive card."""
    loco: Loco = table.fixed.book.locos[card]
    return view.LocoView(loco.id, loco.drive, loco.power or 0, loco.speed or 0, loco.multiplier or 0)


def lot_view(state: State[Table]) -> view.LotView | None:
    """Return the lot in progress, or None outside stage one."""
    table = state.table
    cards = tuple([loco_view(table, card) for card in table.revealed])
    match state.head:
        case lots.Nominate() as head:
            return view.LotView(head.beginner, cards)
        case lots.Lone() as head:
            return view.LotView(head.seat, cards, lone=True)
        case Opening() as head:
            return view.LotView(head.beginner, cards, head.card)
        case Bidding() as head:
            return view.LotView(head.beginner, cards, head.card, head.price, head.leader)
        case Calling() as head:
            return view.LotView(head.beginner, cards, head.card, head.price, head.leader, head.count)
        case TieBreak() as head:
            return view.LotView(head.beginner, cards, head.card, head.price, tied=head.tied)
        case sealed_auctions.Fists() as head:
            return _fists_view(table, head)
        case sealed_auctions.OpenFists() as head:
            return replace(_fists_view(table, head.fists), correction=_correction_view(head))
        case preemption.OrderTie() as head:
            backs = 0 if cards else table.fixed.players
            return view.LotView(head.beginner, cards, tied=head.tied, stage="preemption", backs=backs)
        case preemption.Choose() as head:
            return view.LotView(head.beginner, cards, stage="preemption")
        case twist.Flips() as head:
            return view.LotView(table.starter, tuple([loco_view(table, c) for s in head.seats for c in head.trains[s]]))
        case reveal.RevealLocos(size):
            return _before_reveal(state.agenda[1], size)
    return None


def _before_reveal(following: Step[Table], size: int) -> view.LotView:
    if isinstance(following, lots.Lone):
        return view.LotView(following.seat, (), lone=True)
    if isinstance(following, preemption.Choosing):
        return view.LotView(following.beginner, (), stage="preemption", backs=size)
    assert isinstance(following, lots.Nominate | lots.PutUp)
    return view.LotView(following.beginner, ())


def _fists_view(table: Table, head: sealed_auctions.Fists) -> view.LotView:
    cards = tuple([loco_view(table, card) for card in table.revealed])
    backs = table.fixed.players if head.stage == "preemption" else 0
    return view.LotView(head.beginner, cards, head.card or None, stage=head.stage, backs=backs)


def _correction_view(head: sealed_auctions.OpenFists) -> view.CorrectionView | None:
    """Return the correction that seats are asked about."""
    wish = head.correction
    return view.CorrectionView(wish.seat, head.confirmed[wish.seat] or 0, wish.amount, head.asked) if wish else None


def prices(table: Table, head: object, seat: Seat) -> view.Prices:
    """Return the costs of a seat's choices: a locomotive in Preemption, its cards in Twist (R-44, R-55).

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
