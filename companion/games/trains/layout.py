"""Where cards, cubes and stations of Trains lie, for mat, board and camera."""

from __future__ import annotations

from companion.engine import Layout, Piece, Place, Seat, Spot, State, by_cell
from companion.games.trains.table import GAINED, PLAY, REVEALED, Table

ROOM = {PLAY: 8, GAINED: 6, REVEALED: 4}
"""The most cards that find room at a place. More lie together in a turn or two of a game; then nothing is compared."""


def places(players: int) -> tuple[Place, ...]:
    """Return the places of the table: what is in play, gained and revealed. Decks, hands and supply have none."""
    return tuple([Place(name, "spread", most) for name, most in ROOM.items()])


def layout(state: State[Table]) -> Layout:
    """Return what lies there."""
    table, zones = state.table, state.table.zones
    spots = {name: Spot(zones.named(name)) for name, most in ROOM.items() if len(zones.named(name)) <= most}
    cubes = [Piece("cube", Seat(seat), cell) for seat, own in enumerate(table.rails) for cell in own]
    stations = [Piece("station", None, cell) for cell, count in sorted(table.stations.items()) for _ in range(count)]
    return Layout(spots, pieces=by_cell([*cubes, *stations]))
