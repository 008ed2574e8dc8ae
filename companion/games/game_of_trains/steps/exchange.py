"""The exchange of a wagon: a card comes to a line, the old wagon joins the pool, padlocks fall (R-06, R-08, R-16)."""

from __future__ import annotations

from collections.abc import Container

from msgspec.structs import replace

from companion.engine import Effect, Seat, Turn
from companion.games.game_of_trains.events import LockLost, Replaced
from companion.games.game_of_trains.lines import drop_locks, for_seat, replace_wagon
from companion.games.game_of_trains.steps.pool import join_pool
from companion.games.game_of_trains.table import DISCARD, Line, Table


def exchange(table: Table, seat: Seat, card: int, position: int) -> Turn[Table]:
    """Return the table after a seat put a card that has left its hand into its line (R-06, R-08)."""
    line = table.lines[seat]
    old = line[position - 1]
    table, lost = set_line(table, seat, replace_wagon(line, position, card), (position,))
    table, asked, followed = join_pool(table, (old,))
    return table, asked, (Replaced(seat, position, old, card), *lost, *followed)


def set_line(table: Table, seat: Seat, line: Line, changed: Container[int]) -> tuple[Table, tuple[Effect, ...]]:
    """Return the table with a seat's new line; padlocks at the changed positions go to the discard (R-16)."""
    lines = for_seat(seat, line, table.lines)
    locks, fallen = drop_locks(table.locks[seat], changed)
    if not fallen:
        return replace(table, lines=lines), ()
    zones = table.zones.put(DISCARD, *[lock for _, lock in fallen])
    table = replace(table, lines=lines, locks=for_seat(seat, locks, table.locks), zones=zones)
    return table, tuple([LockLost(seat, position, lock) for position, lock in fallen])
