"""Pools: the cards that a shuffled deck may contain, in unknown order.

A pool is a tuple of cards (names or numbers), with repeats for equal cards. The order of a real deck is never known, so
a draw names the cards that turned up and removes them from the pool.
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
    """Return the pool without the cards; raise `ValueError` if one of them is not in it."""
    for card in cards:
        at = pool.index(card)
        pool = pool[:at] + pool[at + 1 :]
    return pool


class Draw(msgspec.Struct, frozen=True, gc=False):
    """An offer of cards turned up by chance: `first` cards from one pool, then `second` cards from another.

    The two pools are the deck and the reshuffled pile that completes the draw when the deck runs out.
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
        """Yield every distinct outcome; for tests and small pools, as there are many."""
        make: Callable[[Pool], Event] = self.kind
        for cards in arrangements(self.pool, self.first):
            for more in arrangements(self.rest, self.second):
                yield make(cards + more)

    def pick(self, luck: Luck) -> Event:
        """Return one outcome, drawn at random."""
        make: Callable[[Pool], Event] = self.kind
        if self.first == 1 and not self.second:
            return make((self.pool[int(luck() * len(self.pool))],))
        return make(sample(self.pool, self.first, luck) + sample(self.rest, self.second, luck))


def arrangements(pool: Pool, count: int) -> Iterator[Pool]:
    """Yield every distinct arrangement of `count` cards of the pool; there may be millions."""
    if not count:
        yield ()
        return
    for card in dict.fromkeys(pool):
        for more in arrangements(without(pool, (card,)), count - 1):
            yield (card, *more)


def _drawable(pool: Pool, cards: tuple[str, ...]) -> bool:
    """Whether the pool contains all the cards."""
    for card in cards:
        if card not in pool:
            return False
    if len(set(cards)) < len(cards):
        return all(pool.count(card) >= cards.count(card) for card in set(cards))
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
