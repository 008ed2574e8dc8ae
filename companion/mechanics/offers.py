"""Offers of events that belong to no seat, and of lists that a seat chooses among."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec.structs import astuple

from companion.engine.event import Event, Seat, SeatEvent
from companion.engine.offer import Luck

E = TypeVar("E", bound=Event)


class TableOffer(msgspec.Struct, Generic[E], frozen=True, gc=False):
    """Events of one kind, too many to list, that chance, the referee's clock or the people at the table bring."""

    kind: type[E]
    fits: Callable[[E], bool]
    """Whether an event of this kind is legal."""
    examples: tuple[E, ...]
    """Some of those that are."""
    draw: Callable[[Luck], E] | None = None
    """Returns a random one; None: the first example."""
    chance: bool = False
    by: ClassVar[None] = None

    def __contains__(self, event: object) -> bool:
        return isinstance(event, self.kind) and self.fits(event)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.examples)

    def pick(self, luck: Luck) -> Event:
        """Return one of the events at random."""
        return self.draw(luck) if self.draw else self.examples[0]


class Lists(msgspec.Struct, frozen=True, gc=False):
    """A seat chooses among lists, such as some of its cards: events of one kind with the seat and the list."""

    by: Seat
    kind: Callable[[Seat, tuple[Any, ...]], SeatEvent]
    lists: tuple[tuple[Any, ...], ...]
    ordered: bool = False
    """Whether the order within a list matters."""
    chance: ClassVar[bool] = False

    def __contains__(self, event: object) -> bool:
        if not isinstance(event, SeatEvent) or type(event) is not self.kind or event.seat != self.by:
            return False
        _, given = astuple(event)
        return given in self.lists or (not self.ordered and sorted(given) in map(sorted, self.lists))

    def __iter__(self) -> Iterator[Event]:
        return (self.kind(self.by, each) for each in self.lists)

    def pick(self, luck: Luck) -> Event:
        """Return one of the events, all equally likely."""
        return self.kind(self.by, self.lists[int(luck() * len(self.lists))])
