"""The places of a table of Game of Trains, and the cards that the rules expect there."""

from __future__ import annotations

from companion.engine import Layout, Place, Seat, Spot, State
from companion.games.game_of_trains.catalogue import wagon_id
from companion.games.game_of_trains.steps.setup import Deal
from companion.games.game_of_trains.steps.turn import Place as InHand
from companion.games.game_of_trains.table import GAP, LENGTH, LOCK, PLAYERS, Table

POOL = "pool"
"""The name of the place of the pool."""
MOST_POOL = 8 + PLAYERS[-1]
"""The most cards in the pool before pairs leave: each ability once, and one lost wagon for each player."""
PADLOCKED = 2
"""The most cards at a position: a wagon and a padlock card below it."""


def places(players: int) -> tuple[Place, ...]:
    """Return every place of a table for this number of players, as on the mat.

    The locomotive has no place, because it is not a wagon and never changes (R-02).
    """
    lines = [
        Place(
            line_place(seat, at),
            "row" if at in LOCK else "spread",
            PADLOCKED if at in LOCK else 1,
            Seat(seat),
            in_line=True,
        )
        for seat in range(players)
        for at in range(1, LENGTH + 1)
    ]
    return (Place(POOL, "spread", MOST_POOL), Place("deck.wagons", "pile"), Place("discard.wagons", "pile"), *lines)


def line_place(seat: int, position: int) -> str:
    """Return the name of a wagon's place: the seat counted from 0, the position from 1 (left)."""
    return f"seat.{seat + 1}.wagon.{position}"


def layout(state: State[Table]) -> Layout:
    """Return the expected cards at each place. Lines before their deal and the old pool are not compared.

    A drawn card before its placement is in a hand; gaps before their refills are empty (R-08, R-15).
    """
    table = state.table
    head = state.agenda[0] if state.agenda else None
    dealing = head.seats if isinstance(head, Deal) else ()
    spots = {} if dealing else {POOL: Spot(tuple([wagon_id(card) for card in table.pool]))}
    for seat, line in enumerate(table.lines):
        if seat not in dealing:
            spots |= {line_place(seat, at): _spot(table, seat, at, card) for at, card in enumerate(line, 1)}
    held = tuple(map(wagon_id, table.hand(head.seat))) if isinstance(head, InHand) else ()
    return Layout(spots, loose=head is None, held=held, strict=(POOL,))


def _spot(table: Table, seat: int, position: int, card: int) -> Spot:
    """Return the cards at a position: the wagon first, then the padlock tucked below it (B-8)."""
    if card == GAP:
        return Spot()
    lock = table.locks[seat][LOCK[position]] if position in LOCK else 0
    return Spot((wagon_id(card), wagon_id(lock)) if lock else (wagon_id(card),))
