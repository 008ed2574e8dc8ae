"""Where cards, cubes and stations of Trains lie, for mat, board and camera."""

from __future__ import annotations

from companion.engine import Layout, Piece, Place, Seat, Spot, State, by_cell
from companion.games.trains.table import GAINED, REVEALED, Table

MOST_PLAYED, MOST_GAINED, MOST_REVEALED = 24, 12, 8
"""The most cards that find room on the mat at once."""


def places(players: int) -> tuple[Place, ...]:
    """Return the places of the table: what is in play, gained and revealed. Decks, hands and supply have none."""
    return (
        Place("play", "spread", MOST_PLAYED),
        Place(GAINED, "spread", MOST_GAINED),
        Place(REVEALED, "spread", MOST_REVEALED),
    )


def layout(state: State[Table]) -> Layout:
    """Return what lies there."""
    table, zones = state.table, state.table.zones
    spots = {"play": Spot(table.played), GAINED: Spot(zones.named(GAINED)), REVEALED: Spot(zones.named(REVEALED))}
    cubes = [Piece("cube", Seat(seat), cell) for seat, own in enumerate(table.rails) for cell in own]
    stations = [Piece("station", None, cell) for cell, count in sorted(table.stations.items()) for _ in range(count)]
    return Layout(spots, pieces=by_cell([*cubes, *stations]))
