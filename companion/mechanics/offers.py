"""Offers of events that belong to no seat, of sets that a seat chooses among, and of orders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
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


class Sets(msgspec.Struct, frozen=True, gc=False):
    """A seat chooses among sets, such as some of its cards: events of a kind with the seat and a set in any order."""

    by: Seat
    kind: Callable[[Seat, tuple[Any, ...]], SeatEvent]
    sets: tuple[tuple[Any, ...], ...]
    chance: ClassVar[bool] = False

    def __contains__(self, event: object) -> bool:
        if not isinstance(event, SeatEvent) or type(event) is not self.kind or event.seat != self.by:
            return False
        _, given = astuple(event)
        return sorted(given) in map(sorted, self.sets)

    def __iter__(self) -> Iterator[Event]:
        return (self.kind(self.by, each) for each in self.sets)

    def pick(self, luck: Luck) -> Event:
        """Return one of the events, all equally likely."""
        return self.kind(self.by, self.sets[int(luck() * len(self.sets))])


class Orders(msgspec.Struct, frozen=True, gc=False):
    """A seat puts things in order: events of one kind with the seat and the order."""

    by: Seat
    kind: Callable[[Seat, tuple[Any, ...]], SeatEvent]
    things: tuple[Any, ...]
    chance: ClassVar[bool] = False

    def __contains__(self, event: object) -> bool:
        if not isinstance(event, SeatEvent) or type(event) is not self.kind or event.seat != self.by:
            return False
        _, given = astuple(event)
        return sorted(given) == sorted(self.things)

    def __iter__(self) -> Iterator[Event]:
        return (self.kind(self.by, order) for order in permutations(self.things))

    def pick(self, luck: Luck) -> Event:
        """Return one order, all equally likely."""
        rest = list(self.things)
        return self.kind(self.by, tuple([rest.pop(int(luck() * len(rest))) for _ in self.things]))
