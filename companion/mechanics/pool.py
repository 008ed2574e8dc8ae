"""Pools: cards of which the order is unknown even to the machine. Knows no game.

A pool is a tuple of cards (names or numbers), repeated where a deck holds several alike. A real deck's order is never
known, so a draw names the cards that turned up and takes them out of the pool they can have come from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar, TypeVar

import msgspec

from companion.engine.event import Event
from companion.engine.offer import Luck

Pool = tuple[str, ...]
Card = TypeVar("Card", str, int)


def without(pool: tuple[Card, ...], cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return the pool less the cards; raise `ValueError` when one of them is not in it."""
    for card in cards:
        at = pool.index(card)
        pool = pool[:at] + pool[at + 1 :]
    return pool


class Draw(msgspec.Struct, frozen=True, gc=False):
    """Cards turned up by chance: `first` of them from one pool, then `second` of them from another.

    The two pools are the deck, and the reshuffled pile that completes the draw when the deck runs out.
    """

    kind: type[Event]
    pool: Pool
    first: int
    rest: Pool = ()
    second: int = 0
    by: ClassVar[None] = None
    chance: ClassVar[bool] = True

    def __contains__(self, event: object) -> bool:
        if type(event) is not self.kind:
            return False
        cards: tuple[str, ...] = event.cards  # type: ignore[attr-defined]
        if len(cards) != self.first + self.second:
            return False
        if len(cards) == 1:
            return cards[0] in (self.pool if self.first else self.rest)
        return _drawable(self.pool, cards[: self.first]) and _drawable(self.rest, cards[self.first :])

    def __iter__(self) -> Iterator[Event]:
        """Yield every different outcome. Many: meant for tests and small pools."""
        make: Callable[[Pool], Event] = self.kind
        for cards in arrangements(self.pool, self.first):
            for more in arrangements(self.rest, self.second):
                yield make(cards + more)

    def pick(self, luck: Luck) -> Event:
        """Return one outcome, drawn as from shuffled cards."""
        make: Callable[[Pool], Event] = self.kind
        if self.first == 1 and not self.second:
            return make((self.pool[int(luck() * len(self.pool))],))
        return make(sample(self.pool, self.first, luck) + sample(self.rest, self.second, luck))


def arrangements(pool: Pool, count: int) -> Iterator[Pool]:
    """Yield every different way to lay out `count` cards of the pool, one at a time: there may be millions."""
    if not count:
        yield ()
        return
    for card in dict.fromkeys(pool):
        for more in arrangements(without(pool, (card,)), count - 1):
            yield (card, *more)


def _drawable(pool: Pool, cards: tuple[str, ...]) -> bool:
    """Whether the cards can come out of the pool together."""
    for card in cards:
        if card not in pool:
            return False
    if len(set(cards)) < len(cards):
        return all(pool.count(card) >= cards.count(card) for card in set(cards))
    return True


def sample(pool: tuple[Card, ...], count: int, luck: Luck) -> tuple[Card, ...]:
    """Return `count` cards of the pool without putting any back, by swapping from the end."""
    cards = list(pool)
    size = len(cards)
    for end in range(size - 1, size - 1 - count, -1):
        at = int(luck() * (end + 1))
        cards[at], cards[end] = cards[end], cards[at]
    return tuple(cards[size - count :][::-1]) if count else ()


def shuffled(pool: tuple[Card, ...], luck: Luck) -> tuple[Card, ...]:
    """Return the whole pool in a random order."""
    return sample(pool, len(pool), luck)
