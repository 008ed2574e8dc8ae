"""Seats around the table in clockwise order."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.event import Seat


def clockwise(first: int, players: int) -> Iterator[Seat]:
    """Yield every seat once, clockwise, beginning with `first`."""
    for step in range(players):
        yield Seat((first + step) % players)


def left_of(seat: int, players: int) -> Seat:
    """Return the seat to the left, which is the next one clockwise."""
    return Seat((seat + 1) % players)
