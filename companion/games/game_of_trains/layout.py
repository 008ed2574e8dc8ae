"""Where the cards of Game of Trains lie: the places of a table, and what the rules say lies there now."""

from __future__ import annotations

from companion.engine import Event, Layout, Place, Seat, Spot, State
from companion.games.game_of_trains.catalogue import wagon_id
from companion.games.game_of_trains.events import USES, Kept, LineDealt, OddKept, Placed, Refilled
from companion.games.game_of_trains.steps.setup import Deal
from companion.games.game_of_trains.steps.turn import Place as InHand
from companion.games.game_of_trains.table import GAP, LENGTH, LOCK, PLAYERS, Table

POOL = "pool"
"""The name of the place where the pool lies."""
MOST_POOL = 8 + PLAYERS[-1]
"""Each ability once, and what everybody loses when wagons are uncoupled: before pairs leave no more can lie there."""
PADLOCKED = 2
"""A wagon, and a padlock card below it."""
SHOWN: tuple[type[Event], ...] = (LineDealt, Kept, Placed, *USES, Refilled, OddKept)
"""What people only do with the cards, and nobody types. A card that is drawn shows when it is placed (R-08)."""


def places(players: int) -> tuple[Place, ...]:
    """Return every place of a table for so many players: what a mat shows, and a camera looks at.

    The locomotive has none: it is no wagon, and changes nothing (R-02).
    """
    lines = [
        Place(line_place(seat, at), "row", PADLOCKED, Seat(seat))
        if at in LOCK
        else Place(line_place(seat, at), "spread", 1, Seat(seat))
        for seat in range(players)
        for at in range(1, LENGTH + 1)
    ]
    return (Place(POOL, "spread", MOST_POOL), Place("deck.wagons", "pile"), Place("discard.wagons", "pile"), *lines)


def line_place(seat: int, position: int) -> str:
    """Return the name of the place of a wagon: the seat counted from 0, the position from 1 (left)."""
    return f"seat.{seat + 1}.wagon.{position}"


def layout(state: State[Table]) -> Layout:
    """Return what the rules say lies where. A line that is not dealt yet is nobody's business, nor is the old pool.

    A card that was drawn and is not placed yet is in a hand; gaps that wait for their refills are gaps (R-08, R-15).
    """
    table = state.table
    head = state.agenda[0] if state.agenda else None
    dealing = head.seats if isinstance(head, Deal) else ()
    spots = {} if dealing else {POOL: Spot(tuple([wagon_id(card) for card in table.pool]))}
    for seat, line in enumerate(table.lines):
        if seat not in dealing:
            spots |= {line_place(seat, at): _spot(table, seat, at, card) for at, card in enumerate(line, 1)}
    held = (wagon_id(head.card),) if isinstance(head, InHand) else ()
    return Layout(spots, loose=head is None, held=held, strict=(POOL,))


def _spot(table: Table, seat: int, position: int, card: int) -> Spot:
    """Return what lies at a position: the wagon first, then the padlock card tucked below it (B-8)."""
    if card == GAP:
        return Spot()
    lock = table.locks[seat][LOCK[position]] if position in LOCK else 0
    return Spot((wagon_id(card), wagon_id(lock)) if lock else (wagon_id(card),))
