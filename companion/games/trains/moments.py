"""Where points came from in Trains, as the end tells it."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine import Event, Seat, State
from companion.games.trains.rails import card_points, map_points
from companion.games.trains.table import Table
from companion.mechanics.moments import IncomePart


def sources(before: State[Table], event: Event, after: State[Table]) -> Iterator[IncomePart]:
    """Return what an event changed of the three parts of every seat's points: track, map and cards (R-22)."""
    was, now = before.table, after.table
    for seat in [Seat(number) for number in range(now.fixed.players)]:
        for name, points in (
            ("track", now.track[seat] - was.track[seat]),
            ("map", map_points(now, seat) - map_points(was, seat)),
            ("cards", card_points(now, seat) - card_points(was, seat)),
        ):
            if points:
                yield IncomePart((seat,), points, f"source.{name}")
