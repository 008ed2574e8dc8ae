"""Seats around the table in clockwise order, and values by seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from companion.engine.event import Seat

T = TypeVar("T")


def clockwise(first: int, players: int) -> Iterator[Seat]:
    """Yield every seat once, clockwise, beginning with `first`."""
    for step in range(players):
        yield Seat((first + step) % players)


def left_of(seat: int, players: int) -> Seat:
    """Return the seat to the left, which is the next one clockwise."""
    return Seat((seat + 1) % players)


def with_value(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """Return values by seat, with a new one for one seat."""
    changed = list(values)
    changed[seat] = value
    return tuple(changed)
