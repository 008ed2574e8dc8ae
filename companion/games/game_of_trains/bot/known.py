"""What the bot knows: visible cards and its own hand, built up from nothing.

The bot never gets a state. It cannot use the pile, other hands or the closed discard.
"""

from __future__ import annotations

import msgspec

from companion.engine import Offer, Seat, State, Step
from companion.games.game_of_trains.catalogue import Book
from companion.games.game_of_trains.table import HANDS, Cards, Line, Locks, Table


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
    """The cards it drew, if the companion dealt them or was told."""
    draws: int
    """How many cards it drew."""


def look(state: State[Table], seat: Seat) -> Known:
    """Return what the seat may know now."""
    table, head = state.table, state.agenda[0]
    return Known(
        seat=seat,
        moment=type(head),
        offers=tuple([offer for offer in head.legal(table) if offer.by == seat]),
        players=table.fixed.players,
        lines=table.lines,
        locks=table.locks,
        pool=table.pool,
        book=table.fixed.book,
        hand=table.hand(seat),
        draws=table.zones.count(HANDS[seat]),
    )
