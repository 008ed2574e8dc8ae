"""What a bot knows: what lies open, and the cards in its own hand. Built up from nothing.

A bot never gets a state. What the pile still holds, other hands and the closed discard are not here.
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
    """What this seat may do now, its own offers only."""
    players: int
    lines: tuple[Line, ...]
    locks: tuple[Locks, ...]
    pool: Cards
    book: Book
    """Every wagon's number and ability: the list of cards is no secret."""
    hand: Cards
    """What it drew, where the companion dealt it."""
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
