"""What the bot knows: visible cards and its own hand, built up from nothing.

The bot never gets a state. It cannot use the pile, other hands or the closed discard.
"""

from __future__ import annotations

import msgspec

from companion.engine import Offer, Seat, State, Step
from companion.games.game_of_trains.catalogue import Book
from companion.games.game_of_trains.steps.setup import Choose, draws
from companion.games.game_of_trains.steps.turn import Place
from companion.games.game_of_trains.table import Cards, Line, Locks, Table


class Known(msgspec.Struct, frozen=True, gc=False):
    """What one seat may know when it is asked for a decision."""

    seat: Seat
    moment: type[Step[Table]]
    offers: tuple[Offer, ...]
    """The seat's own offers."""
    players: int
    lines: tuple[Line, ...]
    locks: tuple[Locks, ...]
    pool: Cards
    book: Book
    """Every wagon's number and ability, which are public."""
    hand: Cards
    """The cards it drew, if the companion dealt them."""
    draws: int
    """How many cards it drew in the set-up."""


def look(state: State[Table], seat: Seat) -> Known:
    """Return what the seat may know now."""
    table, head = state.table, state.agenda[0]
    hand: Cards = ()
    match head:
        case Place(owner, card) if owner == seat:
            hand = (card,)
        case Choose(hands=hands) if hands:
            hand = hands[seat]
    return Known(
        seat=seat,
        moment=type(head),
        offers=tuple([offer for offer in head.legal(table) if offer.by == seat]),
        players=table.fixed.players,
        lines=table.lines,
        locks=table.locks,
        pool=table.pool,
        book=table.fixed.book,
        hand=hand,
        draws=draws(table, seat) if isinstance(head, Choose) else 0,
    )
