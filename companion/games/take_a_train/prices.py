"""What each choice of a seat costs it in all, said before the seat chooses (R-44, R-55)."""

from __future__ import annotations

from companion.engine import Seat
from companion.games.take_a_train.steps import preemption, twist
from companion.games.take_a_train.table import Table
from companion.mechanics.pool import without

Prices = tuple[tuple[tuple[str, ...], int], ...]
"""Each choice, named by its cards, and what the seat then pays."""


def prices(table: Table, head: object, seat: Seat) -> Prices:
    """Return what a seat's choices cost: a locomotive in Preemption, the cards it has or keeps in Twist.

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
