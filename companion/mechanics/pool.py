"""Pools: the cards that a shuffled deck may contain, in unknown order.

A pool is a tuple of cards (names or numbers), with repeats for equal cards. The order of a real deck is never known, so
a draw names the cards that turned up and removes them from the pool.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar, Generic, TypeVar

import msgspec
from msgspec.structs import astuple

from companion.engine.event import Event
from companion.engine.offer import Luck

Pool = tuple[str, ...]
Card = TypeVar("Card", bound=str | int)
"""A card's name or number in a game's events."""


def without(pool: tuple[Card, ...], cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return the pool without the cards; raise `ValueError` if one of them is missing."""
    for card in cards:
        at = pool.index(card)
        pool = pool[:at] + pool[at + 1 :]
    return pool


class ChanceOffer(msgspec.Struct, frozen=True, gc=False):
    """Base of an offer of chance that is too long to list: iteration gives one outcome."""

    by: ClassVar[None] = None
    chance: ClassVar[bool] = True

    def __iter__(self) -> Iterator[Event]:
        yield self.pick(lambda: 0.0)

    @abstractmethod
    def pick(self, luck: Luck) -> Event:
        """Return one outcome at random."""
        raise NotImplementedError


class Draw(ChanceOffer, Generic[Card], frozen=True, gc=False):
    """An offer of cards turned up by chance: `first` cards from one pool, then `second` cards from another.

    The two pools are the deck and the reshuffled pile that completes the draw when the deck runs out.
    """

    kind: type[Event]
    pool: tuple[Card, ...]
    first: int
    rest: tuple[Card, ...] = ()
    second: int = 0
    fields: tuple[object, ...] = ()
    """The event's fields before the cards, such as the seat that draws."""

    def __bool__(self) -> bool:
        return self.first <= len(self.pool) and self.second <= len(self.rest)

    def __contains__(self, event: object) -> bool:
        if type(event) is not self.kind:
            return False
        if self.fields and astuple(event)[:-1] != self.fields:
            return False
        cards: tuple[Card, ...] = event.cards  # type: ignore[attr-defined]
        if len(cards) != self.first + self.second:
            return False
        if len(cards) == 1:
            return cards[0] in (self.pool if self.first else self.rest)
        if not self.second:
            return drawable(self.pool, cards)
        return drawable(self.pool, cards[: self.first]) and drawable(self.rest, cards[self.first :])

    def __iter__(self) -> Iterator[Event]:
        """Yield every distinct outcome; for tests and small pools, because there are many."""
        for cards in arrangements(self.pool, self.first):
            for more in arrangements(self.rest, self.second):
                yield self.kind(*self.fields, cards + more)

    def pick(self, luck: Luck) -> Event:
        """Return one outcome, drawn at random."""
        if self.first == 1 and not self.second:
            return self.kind(*self.fields, (self.pool[int(luck() * len(self.pool))],))
        return self.kind(*self.fields, sample(self.pool, self.first, luck) + sample(self.rest, self.second, luck))


class NextCard(ChanceOffer, Generic[Card], frozen=True, gc=False):
    """An offer of one card turned up by chance, as events `kind(*fields, card)`."""

    kind: type[Event]
    pool: tuple[Card, ...]
    fields: tuple[object, ...] = ()
    """The event's fields before the card, such as the seat that receives it."""

    def __contains__(self, event: object) -> bool:
        if type(event) is not self.kind:
            return False
        values = astuple(event)
        return values[-1] in self.pool and values[:-1] == self.fields

    def __iter__(self) -> Iterator[Event]:
        return (self.kind(*self.fields, card) for card in self.pool)

    def pick(self, luck: Luck) -> Event:
        """Return one event, all equally likely."""
        return self.kind(*self.fields, self.pool[int(luck() * len(self.pool))])


class HandDeal(ChanceOffer, frozen=True, gc=False):
    """An offer of all hands at once by chance: each seat gets different cards of a pool."""

    kind: type[Event]
    """An event with one field, the hands."""
    pool: Pool
    players: int
    size: int

    def __bool__(self) -> bool:
        return self.players * self.size <= len(self.pool)

    def __contains__(self, event: object) -> bool:
        if type(event) is not self.kind:
            return False
        (hands,) = astuple(event)
        right = len(hands) == self.players and all([len(hand) == self.size for hand in hands])
        return right and drawable(self.pool, sum(hands, ()))

    def pick(self, luck: Luck) -> Event:
        """Return a random deal."""
        cards, size = shuffle(self.pool, luck), self.size
        return self.kind(tuple([cards[size * seat : size * (seat + 1)] for seat in range(self.players)]))


def arrangements(pool: tuple[Card, ...], count: int) -> Iterator[tuple[Card, ...]]:
    """Yield every distinct arrangement of `count` cards of the pool; there may be millions."""
    if not count:
        yield ()
        return
    for card in dict.fromkeys(pool):
        for more in arrangements(without(pool, (card,)), count - 1):
            yield (card, *more)


def drawable(pool: tuple[Card, ...], cards: tuple[Card, ...]) -> bool:
    """Return whether the pool contains all the cards."""
    different = set(cards)
    if len(different) == len(cards):
        return different.issubset(pool)
    left = list(pool)
    try:
        for card in cards:
            left.remove(card)
    except ValueError:
        return False
    return True


def sample(pool: tuple[Card, ...], count: int, luck: Luck) -> tuple[Card, ...]:
    """Return `count` random cards of the pool, drawn without replacement."""
    cards = list(pool)
    size = len(cards)
    for end in range(size - 1, size - 1 - count, -1):
        at = int(luck() * (end + 1))
        cards[at], cards[end] = cards[end], cards[at]
    return tuple(cards[size - count :][::-1]) if count else ()


def shuffle(pool: tuple[Card, ...], luck: Luck) -> tuple[Card, ...]:
    """Return the whole pool in a random order."""
    return sample(pool, len(pool), luck)
