"""Offers: sets of legal events. Every offer is a container; a small one is also iterable."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Protocol, runtime_checkable

import msgspec

from companion.engine.event import Event, Seat

Luck = Callable[[], float]
"""A source of random numbers in [0, 1), such as `random.Random(7).random`."""


class Offer(Protocol):
    """A set of legal events of one actor.

    `by` is the seat that may choose, or None if chance, the referee's clock or the table decides; `chance` means that
    the outcome is drawn or observed, not chosen.
    """

    @property
    def by(self) -> Seat | None:
        """The seat that may choose."""
        ...

    @property
    def chance(self) -> bool:
        """Whether the outcome is drawn or observed."""
        ...

    def __contains__(self, event: object, /) -> bool: ...
    def __iter__(self) -> Iterator[Event]: ...
    def pick(self, luck: Luck) -> Event:
        """Return one of the events at random."""
        ...


class Part(msgspec.Struct, frozen=True, gc=False):
    """One field of an offer's events as a choice: its possible values, each repeated as often as it can be taken."""

    field: str
    values: tuple[str, ...]
    least: int = 1
    most: int = 1
    many: bool = False
    """Whether the field holds several values."""
    stacks: str = ""
    """The other field, if this field is a pile of all values except the one in that field, the top card last."""


@runtime_checkable
class PartedOffer(Offer, Protocol):
    """An offer with too many events to list: people choose the parts of an event one by one."""

    @property
    def kind(self) -> type[Event]:
        """The kind of all its events."""
        ...

    def parts(self) -> tuple[Part, ...]:
        """Return the fields in which its events differ."""
        ...


class Choice(msgspec.Struct, frozen=True, gc=False):
    """A few explicit events."""

    by: Seat | None
    events: tuple[Event, ...]
    chance: bool = False

    def __contains__(self, event: object) -> bool:
        return event in self.events

    def __bool__(self) -> bool:
        return bool(self.events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def pick(self, luck: Luck) -> Event:
        """Return one of the events, all equally likely."""
        return self.events[int(luck() * len(self.events))]


class Amounts(msgspec.Struct, frozen=True, gc=False):
    """Every amount from `low` to `high` dollars in steps of `step`, as events of one kind."""

    by: Seat
    kind: type[Event]
    low: int
    high: int
    step: int
    chance: ClassVar[bool] = False

    def __contains__(self, event: object) -> bool:
        if type(event) is not self.kind or event.seat != self.by:  # type: ignore[attr-defined]
            return False
        amount: int = event.amount  # type: ignore[attr-defined]
        return self.low <= amount <= self.high and not amount % self.step

    def __iter__(self) -> Iterator[Event]:
        make: Callable[[Seat, int], Event] = self.kind
        return (make(self.by, amount) for amount in range(self.low, self.high + 1, self.step))

    def __len__(self) -> int:
        return max(0, (self.high - self.low) // self.step + 1)

    def pick(self, luck: Luck) -> Event:
        """Return one of the amounts, all equally likely."""
        make: Callable[[Seat, int], Event] = self.kind
        steps = (self.high - self.low) // self.step + 1
        return make(self.by, self.low + int(luck() * steps) * self.step)
