"""The parts of zones: single cards and who knows them, places of cards, and plans of draws."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Generic

import msgspec
from msgspec.structs import replace

from companion.engine import EngineError, Event
from companion.mechanics.pool import Card, Draw

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
    """An operation that cards in zones do not allow; the message explains it in one sentence."""


class ZoneCard(msgspec.Struct, Generic[Card], frozen=True, gc=False, array_like=True):
    """One card in a zone: its name and the seats that know it, or only the pool that it comes from."""

    name: Card | None = None
    """None for an unseen card: not even the companion knows its name."""
    pool: int = 0
    """The number of an unseen card's pool."""
    known: Audience = HIDDEN
    """The seats that know a named card."""
    barred: tuple[Card, ...] = ()
    """The names that an unseen card cannot have."""

    def may_be(self, name: Card, pools: Sequence[tuple[Card, ...]]) -> bool:
        """Return whether it is the card of this name, or an unseen one from a pool that contains the name."""
        if self.name is not None:
            return self.name == name
        return name in pools[self.pool] and name not in self.barred

    def shown_to(self, audience: Audience, zone: str) -> ZoneCard[Card]:
        """Return the card after it enters a zone whose audience then knows it; an unseen card stays unseen."""
        if self.name is not None:
            return ZoneCard(self.name, 0, self.known | audience)
        if audience == OPEN:
            raise ZoneError(f"{zone} lies open, so each card that comes there must be named.")
        return self

    def known_by(self, audience: Audience) -> bool:
        """Return whether all seats of the audience know it."""
        return self.known & audience == audience


class CardZone(msgspec.Struct, Generic[Card], frozen=True, gc=False):
    """A place of cards: the seats that learn cards there, and the cards, the top or right-hand one last."""

    audience: Audience = OPEN
    cards: tuple[ZoneCard[Card], ...] = ()

    def joining(self, pools: Collection[int], number: int) -> CardZone[Card]:
        """Return the zone with the unseen cards of these pools merged into one pool."""
        cards = [replace(c, pool=number) if c.name is None and c.pool in pools else c for c in self.cards]
        return CardZone(self.audience, tuple(cards))

    def taking(self, name: str, cards: Iterable[ZoneCard[Card]], at: int | None = None) -> CardZone[Card]:
        """Return the zone, called `name`, with more cards on top or at a position; its audience now knows them."""
        audience, there = self.audience, self.cards
        if at is not None and not 0 <= at <= len(there):
            raise ZoneError(f"{name} holds {counted(len(there))}: there is no position {at}.")
        came = [
            card if card.known & audience == audience and card.name is not None else card.shown_to(audience, name)
            for card in cards
        ]
        return CardZone(audience, (*there, *came) if at is None else (*there[:at], *came, *there[at:]))


class DrawPlan(msgspec.Struct, Generic[Card], frozen=True):
    """A plan of a draw: `first` cards off the pile, then `second` after the discard is shuffled into a new pile."""

    first: int
    second: int = 0
    reshuffled: bool = False
    """Whether the draw needs the discard, even if that is too short for the rest of the draw."""
    pools: tuple[tuple[tuple[Card, ...], int], ...] = ()
    """The cards that chance decides if the companion deals: a pool and a number of cards for each, in this order."""

    @property
    def count(self) -> int:
        """The number of cards to draw, fewer than requested if pile and discard run out."""
        return self.first + self.second

    def offer(self, kind: type[Event], *fields: object) -> Draw[Card]:
        """Return the offer of the cards that chance decides, as events `kind(*fields, cards)`, if the companion
        deals.
        """
        if len(self.pools) > 2:
            raise ZoneError("These cards come from more than two shuffled piles; draw them in several steps.")
        (pool, first), (rest, second) = (*self.pools, ((), 0), ((), 0))[:2]
        return Draw(kind, pool, first, rest, second, fields)


def listed(pools: Iterable[Iterable[Card]]) -> tuple[Card, ...]:
    """Return several lists of cards as one, in alphabetical or numerical order."""
    return tuple(sorted([card for pool in pools for card in pool]))


def put(pools: tuple[tuple[Card, ...], ...], number: int, pool: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    """Return the pools with a new one at a number, at most one beyond the end."""
    changed = list(pools)
    changed[number : number + 1] = (pool,)
    return tuple(changed)


def turn_up(
    pile: str,
    cards: tuple[ZoneCard[Card], ...],
    names: Sequence[Card],
    pools: tuple[tuple[Card, ...], ...],
    known: Audience = HIDDEN,
) -> tuple[tuple[ZoneCard[Card], ...], tuple[tuple[Card, ...], ...]]:
    """Return the cards with the unseen ones named in order and known to an audience, and the pools without them."""
    if len(cards) == len(names) == 1 and cards[0].name is None:
        return (ZoneCard(names[0], 0, known),), name_unseen(pile, cards[0].pool, names[0], pools)
    unseen = [card.pool for card in cards if card.name is None]
    check_count(names, len(unseen))
    if len(unseen) == len(cards) and unseen.count(unseen[0]) == len(unseen):
        left = put(pools, unseen[0], _without(pile, pools[unseen[0]], names))
        return tuple([ZoneCard(name, 0, known) for name in names]), left
    turned, given = [], iter(names)
    for card in cards:
        if card.name is None:
            name = next(given)
            pools = name_unseen(pile, card.pool, name, pools)
            card = ZoneCard(name, 0, known)
        turned.append(card)
    return tuple(turned), pools


def name_unseen(
    pile: str, number: int, name: Card, pools: tuple[tuple[Card, ...], ...]
) -> tuple[tuple[Card, ...], ...]:
    """Return the pools after one unseen card was named; raise `ZoneError` if it cannot have that name."""
    pool = pools[number]
    try:
        at = pool.index(name)
    except ValueError:
        raise ZoneError(f"{pile} cannot hold any {name}: all copies lie elsewhere.") from None
    left = pool[:at] + pool[at + 1 :]
    return (left,) if len(pools) == 1 else put(pools, number, left)


def _without(pile: str, pool: tuple[Card, ...], names: Sequence[Card]) -> tuple[Card, ...]:
    """Return a pool after unseen cards of it were named; raise `ZoneError` if they cannot have these names."""
    left = list(pool)
    for name in names:
        try:
            left.remove(name)
        except ValueError:
            raise ZoneError(f"{pile} cannot hold any {name}: all copies lie elsewhere.") from None
    return tuple(left)


def check_count(names: Sequence[object], unseen: int) -> None:
    """Raise `ZoneError` unless all unseen cards of a draw are named, or none of them."""
    if names and len(names) != unseen:
        raise ZoneError(f"This draw turns up {counted(unseen)} that nobody knows, but {len(names)} are named.")


def counted(count: int) -> str:
    """Return a number of cards for an error's sentence."""
    return "1 card" if count == 1 else f"{count} cards"
