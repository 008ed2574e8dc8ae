"""The parts of zones: single cards and who knows them, places of cards, and what a draw will take."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec

from companion.engine import EngineError, Event
from companion.mechanics.pool import Draw, Pool, without

Audience = int
"""The seats that know a card, as bits: bit s stands for seat s. Write it as `OPEN`, `HIDDEN` or `only(seat, …)`."""
OPEN: Audience = -1
"""Everybody knows it: all seats and the public table."""
HIDDEN: Audience = 0
"""No seat knows it."""


def only(*seats: int) -> Audience:
    """Return the audience of these seats alone."""
    audience = HIDDEN
    for seat in seats:
        audience |= 1 << seat
    return audience


class ZoneError(EngineError, ValueError):
    """Something that cards in zones cannot do; the message says what and why, in one sentence."""


class ZoneCard(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One card in a zone: its name and the seats that know it, or only the pool that it comes from."""

    name: str | None = None
    """None for an unseen card: not even the machine knows which one it is."""
    pool: int = 0
    """For an unseen card, the number of its pool."""
    known: Audience = HIDDEN
    """Who knows a named card."""

    def may_be(self, name: str, pools: Sequence[Pool]) -> bool:
        """Whether it is the card of this name, or an unseen one of a pool that contains it."""
        return self.name == name if self.name is not None else name in pools[self.pool]

    def known_by(self, audience: Audience) -> bool:
        """Whether all seats of the audience know it."""
        return self.known & audience == audience


class CardZone(msgspec.Struct, frozen=True):
    """A place of cards: who knows the cards that come there, and the cards, the top or right-hand one last."""

    audience: Audience = OPEN
    cards: tuple[ZoneCard, ...] = ()

    def joining(self, pools: Collection[int], number: int) -> CardZone:
        """Return the zone with the unseen cards of these pools in a single one."""
        one = ZoneCard(None, number)
        cards = tuple([one if card.name is None and card.pool in pools else card for card in self.cards])
        return CardZone(self.audience, cards)


class DrawPlan(msgspec.Struct, frozen=True):
    """What a draw takes: `first` cards off the pile, then `second` after the discard is shuffled into a new pile."""

    first: int
    second: int = 0
    reshuffled: bool = False
    """Whether the draw needs the discard (which may be shorter than the rest of the draw)."""
    pools: tuple[tuple[Pool, int], ...] = ()
    """What chance decides where the companion deals: so many cards from each pool, in this order."""

    @property
    def count(self) -> int:
        """How many cards will be drawn; fewer than asked for when pile and discard run out."""
        return self.first + self.second

    def offer(self, kind: type[Event]) -> Draw:
        """Return the offer of the cards that chance decides, as events `kind(cards)`, where the companion deals."""
        if len(self.pools) > 2:
            raise ZoneError("These cards come from more than two shuffled piles; draw them in several steps.")
        (pool, first), (rest, second) = (*self.pools, ((), 0), ((), 0))[:2]
        return Draw(kind, pool, first, rest, second)


def listed(pools: Iterable[Iterable[str]]) -> Pool:
    """Return several lists of cards as one, in alphabetical order."""
    return tuple(sorted([card for pool in pools for card in pool]))


def put(pools: tuple[Pool, ...], number: int, pool: Pool) -> tuple[Pool, ...]:
    """Return the pools with another one at a number, at most one beyond the end."""
    return (*pools[:number], pool, *pools[number + 1 :])


def top(cards: tuple[ZoneCard, ...], count: int) -> tuple[ZoneCard, ...]:
    """Return the topmost cards of a zone, the top one first."""
    return cards[len(cards) - count :][::-1]


def turn_up(
    pile: str, cards: Iterable[ZoneCard], names: Iterable[str], pools: tuple[Pool, ...]
) -> tuple[tuple[ZoneCard, ...], tuple[Pool, ...]]:
    """Return the cards with the unseen ones named in order, and the pools without them."""
    named, given = [], iter(names)
    for card in cards:
        if card.name is None:
            name, pool = next(given), pools[card.pool]
            if name not in pool:
                raise ZoneError(f"{pile} cannot hold any {name}: all copies lie elsewhere.")
            pools = put(pools, card.pool, without(pool, (name,)))
            card = ZoneCard(name)
        named.append(card)
    return tuple(named), pools


def counted(count: int) -> str:
    """Return a number of cards as part of an error's sentence."""
    return "1 card" if count == 1 else f"{count} cards"
