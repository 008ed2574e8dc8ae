"""The bot's knowledge: exactly its seat's view, built up from nothing.

The bot never receives a state. It cannot use anything that is not set here: other seats' cash, tokens, fists and hands,
the faces of replacements, the cards left in a deck.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.engine import Offer, Seat, State, Step, offers_of
from companion.games.take_a_train.catalogue import Book, Loco
from companion.games.take_a_train.looks import awaited_seats
from companion.games.take_a_train.options import Options
from companion.games.take_a_train.purposes import claimable, ids
from companion.games.take_a_train.steps import sealed_auctions, spoken_auctions, twist, wagons
from companion.games.take_a_train.table import TRAINS, Table, Train, limit
from companion.mechanics.seating import clockwise


class Lot(msgspec.Struct, frozen=True, gc=False):
    """The lot or turn in progress. `bid`, `hand` and `placed` are the seat's own; the rest is public.

    `bid` is the amount in a closed fist, or the counted amount of an open hand.
    """

    card: str = ""
    price: int = 0
    leader: Seat | None = None
    stage: str = ""
    firsts: tuple[int | None, ...] = ()
    bid: int | None = None
    hand: tuple[str, ...] = ()
    placed: tuple[str, ...] = ()
    exchanges: int = 0
    passes: int = 0
    """The number of seats that have passed in a row."""


NO_LOT = Lot()


class Style(msgspec.Struct, frozen=True, gc=False):
    """The weights of a bot's knowledge."""

    eager: float = 1.0
    """The share of a locomotive's value up to which the bot bids."""
    rivals: float = 0.8
    """The value of a dollar that the others do not earn."""
    deny: float = 0.0
    """The value of a dollar that the market then offers the others at once, as a card taken is a card denied."""
    second: float = 0.0
    """The value of a dollar that the market still offers the seat itself after the others have taken the best cards."""


WELL = Style()
"""The style of bots that play well (fitted)."""
TO_WIN = Style(eager=0.82, rivals=1.0, deny=0.6, second=0.3)
"""The style of bots that play to win (fitted against those that play well, in games for two)."""


class Known(msgspec.Struct, frozen=True, gc=False):
    """The knowledge of one seat when it is asked for a decision. Money is in dollars."""

    seat: Seat
    moment: type[Step[Table]]
    """The step that is in progress."""
    offers: tuple[Offer, ...]
    """The seat's own offers."""
    # public
    players: int
    options: Options
    book: Book
    trains: tuple[tuple[Train, ...], ...]
    revealed: tuple[str, ...]
    market: tuple[str | None, ...]
    limit: int
    unsold: int
    # known to this seat alone
    cash: int
    purposes: tuple[str, ...]
    """The seat's tokens that are not yet claimed; empty if the companion does not know them."""
    claimable: tuple[str, ...]
    lot: Lot
    """The lot or turn in progress, with this seat's own fist and hand."""
    style: Style = WELL

    @property
    def own(self) -> tuple[Train, ...]:
        """This seat's trains."""
        return self.trains[self.seat]

    @property
    def missing(self) -> int:
        """The number of locomotives that this seat still lacks."""
        return TRAINS - len(self.trains[self.seat])

    def loco(self, card: str) -> Loco:
        """Return a locomotive card's figures."""
        return self.book.locos[card]


def look(state: State[Table], seat: Seat) -> Known:
    """Return the seat's present knowledge."""
    table, head, fixed = state.table, state.agenda[0], state.table.fixed
    return Known(
        seat=seat,
        moment=type(head),
        offers=tuple([offer for offer in offers_of(head, table) if offer.by == seat]),
        players=fixed.players,
        options=fixed.options,
        book=fixed.book,
        trains=tuple([hide_faces(own) for own in table.trains]),
        revealed=table.revealed,
        market=table.market,
        limit=limit(table),
        unsold=sum([TRAINS - len(own) for own in table.trains]),
        cash=table.cash[seat],
        purposes=ids(table.held[seat] & ~table.claimed[seat]) if table.known[seat] else (),
        claimable=ids(claimable(table, seat)) if table.ripe and table.known[seat] else (),
        lot=lot_of(head, seat),
    )


def hide_faces(own: tuple[Train, ...]) -> tuple[Train, ...]:
    """Return a seat's trains as the public sees them, without the faces of replacements."""
    if all([train.face_up for train in own]):
        return own
    return tuple([t if t.face_up or not t.loco else replace(t, loco="") for t in own])


def lot_of(head: Step[Table], seat: Seat) -> Lot:
    """Return the public part of the lot, with this seat's own fist and hand."""
    match head:
        case wagons.Act():
            return Lot(exchanges=head.exchanges, passes=head.passes)
        case spoken_auctions.Opening():
            return Lot(head.card)
        case spoken_auctions.Bidding() | spoken_auctions.Calling():
            return Lot(head.card, head.price, head.leader)
        case sealed_auctions.Fists():
            return Lot(head.card, stage=head.stage, firsts=head.firsts, bid=head.amounts[seat])
        case sealed_auctions.OpenFists(fists):
            return Lot(fists.card, stage=fists.stage, firsts=fists.firsts, bid=head.counted[seat])
        case twist.Pick():
            return Lot(hand=head.hands[seat], placed=head.placed[seat])
        case twist.Flips():
            return Lot(hand=head.trains[seat])
    return NO_LOT


def asked(state: State[Table]) -> tuple[Seat, ...]:
    """Return the seats that may want to act, most eager first, without those that have already closed their fists."""
    head, table = state.head, state.table
    players = table.fixed.players
    seats = awaited_seats(state)
    if isinstance(head, spoken_auctions.Calling):
        # Seats that want to raise do so before the leader can count.
        others = [s for s in clockwise(head.leader, players) if s != head.leader]
        seats = (*[s for s in others if len(table.trains[s]) < TRAINS], head.leader)
    if table.ripe:
        claims = [Seat(s) for s in range(players) if table.known[s] and claimable(table, s)]
        return tuple(dict.fromkeys([*claims, *seats]))
    return seats
