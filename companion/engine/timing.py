"""The current meaning of a button press, in terms that every game shares.

A step declares it through `Step.timing`; the referee turns presses and their moments into the events named here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Literal

import msgspec

from companion.engine.event import Event, Seat


class Raising(msgspec.Struct, frozen=True):
    """An Open auction: a press raises, and the leader's own press counts to three."""

    lot: Hashable
    """Identifies the lot on sale; a new lot starts a new timing."""
    leader: Seat
    price: int
    count: int
    """The leader's last number in the count, 0 to 2."""
    seats: int
    raised: Callable[[Seat, int], Event]
    grown: Callable[[Seat, int], Event]
    """Makes the event of a leader who holds the button to increase its own raise."""
    together: Callable[[tuple[Seat, ...], int], Event]
    """Makes the event of several seats that raise to the same amount at the same instant."""
    counted: Callable[[Seat, int], Event]
    step: int
    """The dollars that a press adds."""
    leap: int
    """The dollars that a held press adds."""
    counting: Literal["leader", "companion"]
    slow: bool = False
    """Whether this table counts slowly."""


class Unveiling(msgspec.Struct, frozen=True):
    """Fists open together: each press toggles a seat's readiness; the signal comes when all are ready."""

    lot: Hashable
    seats: tuple[Seat, ...]
    closed: tuple[Seat, ...]
    """The seats that have closed their fists; the others cannot be ready yet."""
    signalled: Callable[[], Event]
    """Makes the event of the signal."""
    slow: bool = False
    """Whether this table counts slowly."""


class Deciding(msgspec.Struct, frozen=True):
    """One seat's turn: its press means this event."""

    question: Hashable
    seat: Seat
    event: Event
    outcome: Literal["passed", "decided"] = "passed"
    """The name of the press in its verdict."""


class Confirming(msgspec.Struct, frozen=True):
    """Several seats are asked at once, independently: a seat's press means its own event."""

    question: Hashable
    events: tuple[tuple[Seat, Event], ...]
    """The seats asked now, each with the event of its press."""
    silence_ms: int = 0
    """Milliseconds of silence from a seat after which its event happens automatically; 0: never."""


Timing = Raising | Unveiling | Deciding | Confirming
