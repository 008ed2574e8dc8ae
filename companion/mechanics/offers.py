"""Offers that belong to no seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Generic, TypeVar

import msgspec

from companion.engine.event import Event
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
