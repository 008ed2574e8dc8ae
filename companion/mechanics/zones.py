"""Zones: the places of a game's cards, and what the machine and each seat know about the cards there.

A zone is open, known to some seats, or hidden. Each card in it is *named*, with the seats that know it, or *unseen*:
not even the machine knows which one it is. Unseen cards that were shuffled together form a pool. The machine knows
which cards a pool consists of, but not which of them lies where, so every one of its unseen cards may be any of them.

The same operations serve cards that the companion deals and real ones. The companion names every card that it deals;
of real cards, only those are named that somebody saw, at once or later. Chance never acts here: an event brings it.

Twelve cards, two seats, real cards: each seat draws two that nobody enters, then seat 0 plays one of them.

>>> PILE, DISCARD = "pile", "discard"
>>> zones = Zones.of({PILE: HIDDEN, DISCARD: OPEN, "hand.0": only(0), "hand.1": only(1)},
...                  {PILE: ("coach",) * 8 + ("diner",) * 3 + ("caboose",)})
>>> zones = zones.draw(PILE, "hand.0", 2).draw(PILE, "hand.1", 2)
>>> zones.possible("hand.0", "caboose")
True
>>> zones = zones.move("hand.0", DISCARD, "caboose")  # it can be there: now everybody has seen it
>>> zones.possible("hand.1", "caboose")
False
>>> zones.move("hand.1", DISCARD, "caboose")
Traceback (most recent call last):
...
companion.mechanics.zone_cards.ZoneError: hand.1 cannot hold any caboose: all copies lie elsewhere.
>>> zones = zones.reveal("hand.1", "diner", at=1)  # of its two cards, the second becomes public
>>> zones.view_of("hand.1", None)
(None, 'diner')

Where the companion deals, the same lines hold; the event of chance brings the names:

>>> plan = zones.plan(PILE, 9, DISCARD)  # eight cards left, then the caboose from the discard
>>> (plan.first, plan.second, plan.reshuffled)
(8, 1, True)
>>> event_cards = zones.remaining(PILE)[:2]  # made by `plan.offer(CardsDrawn)` and chance
>>> zones = zones.draw(PILE, "hand.0", 2, event_cards)
>>> zones.view_of("hand.0", 0), zones.view_of("hand.0", 1)
((None, 'coach', 'coach'), (None, None, None))

To discard, gain or trash a card is to `move` it. A seat that looks at a card `reveal`s it `to=only(seat)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby

import msgspec
from msgspec.structs import replace

from companion.mechanics.pool import Pool, without
from companion.mechanics.zone_cards import (
    HIDDEN,
    OPEN,
    Audience,
    CardZone,
    DrawPlan,
    ZoneCard,
    ZoneError,
    counted,
    listed,
    only,
    put,
    top,
    turn_up,
)

__all__ = ["HIDDEN", "OPEN", "Audience", "CardZone", "DrawPlan", "ZoneCard", "ZoneError", "Zones", "only"]


class Zones(msgspec.Struct, frozen=True):
    """All zones of a game by name, and the pools of their unseen cards. Every operation returns new zones."""

    zones: dict[str, CardZone]
    pools: tuple[Pool, ...] = ()
    """The cards of each pool, in alphabetical order: as many as there are unseen cards of it."""

    @classmethod
    def of(cls, audiences: Mapping[str, Audience], cards: Mapping[str, Sequence[str]]) -> Zones:
        """Return zones with their first cards, the top one last; in hidden zones they form a shuffled pile."""
        zones = cls({name: CardZone(audience) for name, audience in audiences.items()})
        for name, given in cards.items():
            zones = zones._added(name, [ZoneCard(card) for card in given])
            if audiences[name] == HIDDEN:
                zones = zones.shuffle(name)
        return zones

    # --- what is there ----------------------------------------------------------------------------

    def count(self, zone: str) -> int:
        """Return how many cards a zone has."""
        return len(self._at(zone).cards)

    def named(self, zone: str) -> Pool:
        """Return the cards of a zone that the machine knows, in order: all cards of an open zone."""
        return tuple([card.name for card in self._at(zone).cards if card.name is not None])

    def view_of(self, zone: str, seat: int | None) -> tuple[str | None, ...]:
        """Return what the seat, or everybody for None, may know of a zone: a name or None for each card, in order."""
        cards = self._at(zone).cards
        if seat is None:
            return tuple([card.name if card.known == OPEN else None for card in cards])
        bit = only(seat)
        return tuple([card.name if card.known & bit else None for card in cards])

    def possible(self, zone: str, card: str) -> bool:
        """Whether a card of this name may lie in the zone, by all that the machine knows, secrets too."""
        return any([each.may_be(card, self.pools) for each in self._at(zone).cards])

    def remaining(self, zone: str) -> Pool:
        """Return the cards that the unseen cards of a zone may be, also those that may lie elsewhere unseen."""
        return listed([self.pools[pool] for pool in self._unseen(zone)])

    def must_hold(self, zone: str) -> Pool:
        """Return the cards that certainly lie in a zone: the named ones, and those with no other place to be."""
        certain = Counter(self.named(zone))
        for pool, here in self._unseen(zone).items():
            elsewhere = len(self.pools[pool]) - here
            for card, copies in Counter(self.pools[pool]).items():
                certain[card] += max(0, copies - elsewhere)
        return tuple(sorted(certain.elements()))

    def unknown_to(self, seat: int | None) -> Pool:
        """Return all cards whose places the seat, or the public for None, does not know, in a deck that all know."""
        bit = 0 if seat is None else only(seat)
        lying = [card for zone in self.zones.values() for card in zone.cards if card.known != OPEN]
        return listed([*self.pools, tuple([card.name for card in lying if card.name and not card.known & bit])])

    # --- what happens -----------------------------------------------------------------------------

    def add(self, zone: str, audience: Audience = OPEN) -> Zones:
        """Return the zones with one more, empty, such as a new meld."""
        if zone in self.zones:
            raise ZoneError(f"There is a zone {zone} already.")
        return Zones({**self.zones, zone: CardZone(audience)}, self.pools)

    def plan(self, pile: str, count: int, discard: str | None = None) -> DrawPlan:
        """Return what a draw of `count` cards takes. Once the pile runs out, the discard is shuffled into a new one."""
        lying = self._at(pile).cards
        if count < 0:
            raise ZoneError(f"{count} cards cannot be drawn.")
        first = min(count, len(lying))
        shuffled = self.count(discard) if discard is not None and first < count else 0
        second = min(count - first, shuffled)
        unseen = [card.pool for card in top(lying, first) if card.name is None]
        chance = [(self.pools[pool], len(list(same))) for pool, same in groupby(unseen)]
        if second and discard is not None:
            chance.append((listed([self.named(discard), self.remaining(discard)]), second))
        return DrawPlan(first, second, bool(shuffled), tuple(chance))

    def draw(self, pile: str, to: str, count: int, cards: Sequence[str] = (), discard: str | None = None) -> Zones:
        """Return the zones after a draw off the top of a pile; with a discard, of as many cards as there are.

        Where the companion deals, `cards` names the unseen cards in the order drawn (`plan` counts and offers them);
        real cards that nobody entered are not named.
        """
        plan = self.plan(pile, count, discard)
        if discard is None and plan.count < count:
            raise ZoneError(f"{pile} holds {counted(plan.count)}, so {count} cannot be drawn.")
        unseen = [number for _, number in plan.pools]
        if cards and len(cards) != sum(unseen):
            raise ZoneError(f"This draw turns up {counted(sum(unseen))} that nobody knows, but {len(cards)} are named.")
        split = sum(unseen[:-1] if plan.second else unseen)
        zones = self._taken(pile, to, plan.first, cards[:split])
        if plan.reshuffled and discard is not None:
            zones = zones.shuffle(discard, pile)._taken(pile, to, plan.second, cards[split:])
        return zones

    def move(self, source: str, to: str, *cards: str | int, at: int | None = None) -> Zones:
        """Return the zones after cards moved, each picked by its name or by its number in the source, from 0.

        A name is checked against what is possible; of equal cards, the one that most seats know moves. The cards come
        on top, the last one topmost, or to the position `at` (0: the bottom, or the left-hand end).
        """
        zones, picked = self, [self._checked(source, card) for card in cards if isinstance(card, int)]
        order: list[int] = []
        for card in cards:
            if isinstance(card, str):
                zones, number = zones._find(source, card, picked)
                picked.append(number)
            else:
                number = card
            order.append(number)
        if len(set(order)) < len(order):
            raise ZoneError(f"A card of {source} cannot move twice at once.")
        lying = zones._at(source).cards
        left = tuple([card for number, card in enumerate(lying) if number not in order])
        return zones._with(source, left)._added(to, [lying[number] for number in order], at)

    def enter(self, zone: str, *cards: str) -> Zones:
        """Return the zones after cards came from elsewhere, such as a supply, where everybody saw which ones."""
        return self._added(zone, [ZoneCard(card, 0, OPEN) for card in cards])

    def leave(self, zone: str, card: str) -> Zones:
        """Return the zones after a card left them for good; of equal ones the best known, as with `move`."""
        zones, number = self._find(zone, card, ())
        lying = zones._at(zone).cards
        return zones._with(zone, (*lying[:number], *lying[number + 1 :]))

    def reveal(self, zone: str, card: str | None = None, *, at: int | None = None, to: Audience = OPEN) -> Zones:
        """Return the zones after one more card became known `to` seats: by name, by its number from 0, or by both."""
        if at is not None:
            zones, number = self._called(zone, self._checked(zone, at), card), at
        elif card is not None:
            known = [number for number, each in enumerate(self._at(zone).cards) if each.known_by(to)]
            zones, number = self._find(zone, card, known)
        else:
            raise ZoneError(f"To reveal a card of {zone}, say which one.")
        lying = zones._at(zone).cards
        shown = replace(lying[number], known=lying[number].known | to)
        return zones._with(zone, (*lying[:number], shown, *lying[number + 1 :]))

    def conceal(self, zone: str) -> Zones:
        """Return the zones after the cards of one were mixed out of sight: only its own audience still knows them."""
        audience, lying = self._at(zone).audience, self._at(zone).cards
        return self._with(zone, tuple([replace(card, known=card.known & audience) for card in lying]))

    def shuffle(self, zone: str, to: str | None = None) -> Zones:
        """Return the zones after all cards of a zone were shuffled, into those of the hidden zone `to` if given."""
        to = to or zone
        if self._at(to).audience != HIDDEN:
            raise ZoneError(f"{to} is not hidden, so no shuffled cards can lie there.")
        lying = self._at(zone).cards + (self._at(to).cards if to != zone else ())
        if not lying:
            return self
        mixed = {card.pool for card in lying if card.name is None}
        zones, pool = self._joined(mixed or {self.pools.index(()) if () in self.pools else len(self.pools)})
        cards = listed([*zones.pools[pool : pool + 1], [card.name for card in lying if card.name is not None]])
        zones = zones._with(zone, ())._with(to, (ZoneCard(None, pool),) * len(lying))
        return replace(zones, pools=put(zones.pools, pool, cards))

    # --- how it is done ---------------------------------------------------------------------------

    def _at(self, zone: str) -> CardZone:
        found = self.zones.get(zone)
        if found is None:
            raise ZoneError(f"There is no zone {zone}.")
        return found

    def _checked(self, zone: str, number: int) -> int:
        """Return the number of a card in a zone; raise `ZoneError` if the zone has no such card."""
        if not 0 <= number < self.count(zone):
            raise ZoneError(f"{zone} holds {counted(self.count(zone))}: there is no card number {number}.")
        return number

    def _unseen(self, zone: str) -> Counter[int]:
        """Return how many unseen cards of each pool a zone has."""
        return Counter([card.pool for card in self._at(zone).cards if card.name is None])

    def _with(self, zone: str, cards: tuple[ZoneCard, ...]) -> Zones:
        """Return the zones with other cards in one of them."""
        return Zones({**self.zones, zone: CardZone(self._at(zone).audience, cards)}, self.pools)

    def _added(self, zone: str, cards: Sequence[ZoneCard], at: int | None = None) -> Zones:
        """Return the zones with more cards in one of them, which its audience knows from now on."""
        there = self._at(zone)
        if there.audience == OPEN and any([card.name is None for card in cards]):
            raise ZoneError(f"{zone} lies open, so each card that comes there must be named.")
        if at is not None and not 0 <= at <= len(there.cards):
            raise ZoneError(f"{zone} holds {counted(len(there.cards))}: there is no position {at}.")
        at = len(there.cards) if at is None else at
        known = [card if card.name is None else ZoneCard(card.name, 0, card.known | there.audience) for card in cards]
        return self._with(zone, (*there.cards[:at], *known, *there.cards[at:]))

    def _taken(self, pile: str, to: str, count: int, names: Sequence[str]) -> Zones:
        """Return the zones after cards were taken off the top of a pile, the unseen ones named if names are given."""
        lying, pools = self._at(pile).cards, self.pools
        taken = top(lying, count)
        if names:
            taken, pools = turn_up(pile, taken, names, pools)
        return replace(self, pools=pools)._with(pile, lying[: len(lying) - count])._added(to, taken)

    def _find(self, zone: str, name: str, besides: Sequence[int]) -> tuple[Zones, int]:
        """Return the zones in which a card with this name, the best known one, is named; and its number."""
        cards = [(number, card) for number, card in enumerate(self._at(zone).cards) if number not in besides]
        named = [(card.known == OPEN, card.known.bit_count(), number) for number, card in cards if card.name == name]
        if named:
            return self, max(named)[-1]
        fitting = [(number, card.pool) for number, card in cards if card.may_be(name, self.pools)]
        if not fitting:
            more = "other " if name in self.named(zone) else ""
            if not self._unseen(zone):
                raise ZoneError(f"{zone} holds no {more}{name}.")
            raise ZoneError(f"{zone} cannot hold any {more}{name}: all copies lie elsewhere.")
        zones, _ = self._joined({pool for _, pool in fitting})
        number = fitting[-1][0]
        return zones._called(zone, number, name), number

    def _called(self, zone: str, number: int, name: str | None) -> Zones:
        """Return the zones with one card named; raise `ZoneError` if it cannot be that one."""
        there = self._at(zone)
        card = there.cards[number]
        if card.name is not None and name in (None, card.name):
            return self
        if name is None:
            raise ZoneError(f"Nobody has seen card number {number} of {zone}: say which one it is.")
        if not card.may_be(name, self.pools):
            raise ZoneError(f"Card number {number} of {zone} cannot be {name}.")
        pools = put(self.pools, card.pool, without(self.pools[card.pool], (name,)))
        found = ZoneCard(name, 0, there.audience)
        return replace(self, pools=pools)._with(zone, (*there.cards[:number], found, *there.cards[number + 1 :]))

    def _joined(self, pools: set[int]) -> tuple[Zones, int]:
        """Return the zones with pools made one, as their cards cannot be told apart any more, and its number."""
        first = min(pools)
        if len(pools) == 1:
            return self, first
        left = tuple([() if number in pools else pool for number, pool in enumerate(self.pools)])
        zones = {name: zone.joining(pools, first) for name, zone in self.zones.items()}
        return Zones(zones, put(left, first, listed([self.pools[pool] for pool in pools]))), first
