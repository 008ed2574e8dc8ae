"""Offers of events without a seat, and of a seat's choices: pairs, sets, orders and cards of a hand."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, permutations
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec.structs import astuple

from companion.engine.event import Event, Seat, SeatEvent
from companion.engine.offer import Luck, Part
from companion.mechanics.pool import sample
from companion.mechanics.zones import Zones

E = TypeVar("E", bound=Event)


class TableOffer(msgspec.Struct, Generic[E], frozen=True, gc=False):
    """Events of one kind, too many to list, caused by chance, the referee's clock or the people at the table."""

    kind: type[E]
    fits: Callable[[E], bool]
    """Whether an event of this kind is legal."""
    examples: tuple[E, ...]
    """Some of the legal events."""
    draw: Callable[[Luck], E] | None = None
    """Returns a random legal event; None: use the first example."""
    chance: bool = False
    by: ClassVar[None] = None

    def __contains__(self, event: object) -> bool:
        return isinstance(event, self.kind) and self.fits(event)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.examples)

    def pick(self, luck: Luck) -> Event:
        """Return one of the events at random."""
        return self.draw(luck) if self.draw else self.examples[0]


class Pairs(msgspec.Struct, frozen=True, gc=False):
    """A seat makes two choices that belong together: events of a kind with the seat and both."""

    by: Seat
    chance: ClassVar[bool] = False
    kind: ClassVar[type[Event]]

    @abstractmethod
    def pairs(self) -> Iterable[tuple[object, object]]:
        """Return the two choices of each event."""
        raise NotImplementedError

    def __contains__(self, event: object) -> bool:
        if type(event) is not self.kind:
            return False
        by, one, other = astuple(event)
        return by == self.by and (one, other) in self.pairs()

    def __iter__(self) -> Iterator[Event]:
        return (self.kind(self.by, *pair) for pair in self.pairs())

    def pick(self, luck: Luck) -> Event:
        """Return one of the events, all equally likely."""
        pairs = tuple(self.pairs())
        return self.kind(self.by, *pairs[int(luck() * len(pairs))])


class Sets(msgspec.Struct, frozen=True, gc=False):
    """A seat chooses a set, such as some of its cards: events of a kind with the seat and a set in any order."""

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
    """A seat chooses an order: events of one kind with the seat and the order."""

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


class FromHand(msgspec.Struct, frozen=True, gc=False):
    """A seat names between `least` and `most` cards that its hand may hold together."""

    by: Seat
    zones: Zones[str]
    """The hand alone, because an offer is a part of its seat's view."""
    hand: str
    least: int
    most: int
    chance: ClassVar[bool] = False
    kind: ClassVar[type[Any]]
    """An event with the seat and the cards."""

    def parts(self) -> tuple[Part, ...]:
        """Return the cards to choose from, none more often than people can choose it."""
        counts = Counter(self._candidates())
        values = tuple([card for card, count in counts.items() for _ in range(min(count, self.most))])
        return (Part("cards", values, self.least, self.most, many=True),)

    def __contains__(self, event: object) -> bool:
        if not isinstance(event, SeatEvent) or type(event) is not self.kind or event.seat != self.by:
            return False
        _, cards = astuple(event)
        return self.least <= len(cards) <= self.most and self.zones.possible_together(self.hand, cards)

    def __iter__(self) -> Iterator[Event]:
        """Yield every choice once, ignoring the order of its cards."""
        cards = self._candidates()
        for count in range(self.least, self.most + 1):
            for chosen in dict.fromkeys(combinations(cards, count)):
                if self.zones.possible_together(self.hand, chosen):
                    yield self.kind(self.by, chosen)

    def pick(self, luck: Luck) -> Event:
        """Return one choice."""
        count = self.least + int(luck() * (self.most - self.least + 1))
        chosen: tuple[str, ...] = ()
        for card in sample(self._candidates(), len(self._candidates()), luck):
            if len(chosen) < count and self.zones.possible_together(self.hand, (*chosen, card)):
                chosen += (card,)
        event: Event = self.kind(self.by, tuple(sorted(chosen)))
        return event

    def _candidates(self) -> tuple[str, ...]:
        """Return every card that may be in the hand, repeated as often as it may occur."""
        return tuple(sorted(self.zones.candidates(self.hand)))
