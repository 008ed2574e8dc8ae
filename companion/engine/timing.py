"""What a press of a button means now, in words that every game shares. Knows no clock: time is the referee's.

A step says it by `Step.timing`; the referee turns presses and their moments into the events named here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Literal

import msgspec

from companion.engine.event import Event, Seat


class Raising(msgspec.Struct, frozen=True):
    """Anybody raises by pressing, and the leader's own press counts to three; a press counts by its contact."""

    lot: Hashable
    """What is sold: another lot, another timing."""
    leader: Seat
    price: int
    count: int
    """How far the leader has counted: 0 to 2."""
    seats: int
    raised: Callable[[Seat, int], Event]
    grown: Callable[[Seat, int], Event]
    """The leader's own raise becomes bigger, by holding the button."""
    together: Callable[[tuple[Seat, ...], int], Event]
    """Several seats raised to the same amount at the very same instant."""
    counted: Callable[[Seat, int], Event]
    step: int
    """Dollars that a press raises by."""
    leap: int
    """Dollars that a press raises by if the button is held."""
    grace_ms: int
    same_moment_ms: int
    gap_ms: int
    """Milliseconds at least between two counts."""
    double_tap_ms: int
    """Milliseconds for which the leader's presses count nothing after the contact of its own raise; 0: none."""
    counting: Literal["leader", "companion"]


class Unveiling(msgspec.Struct, frozen=True):
    """Fists open together: a press says ready, another one not ready; when all are ready comes the signal."""

    lot: Hashable
    seats: tuple[Seat, ...]
    closed: tuple[Seat, ...]
    """The seats that have put something into their fists: the others cannot be ready yet."""
    signalled: Callable[[], Event] | None
    """The event that the signal is, None where the fists are real hands and the amounts are typed afterwards."""
    gap_ms: int
    """Milliseconds between the numbers of the countdown."""
    double_tap_ms: int
    """Milliseconds for which a seat's presses change nothing after one that said ready, or not ready; 0: none."""


class Deciding(msgspec.Struct, frozen=True):
    """It is one seat's turn, and its own press says this."""

    question: Hashable
    seat: Seat
    event: Event


Timing = Raising | Unveiling | Deciding
