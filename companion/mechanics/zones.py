"""Zones: the places of a game's cards, and the knowledge of the companion and each seat about the cards there.

A zone is open, known to some seats, or hidden. Each card in it is *named*, with the seats that know it, or *unseen*:
not even the companion knows which one it is. Unseen cards that were shuffled together form a pool. The companion knows
the cards of a pool but not their positions, so each of its unseen cards may be any of them. Cards have texts or whole
numbers as names.

The same operations serve dealt and real cards. The companion names every card that it deals, and real cards once
somebody has seen them. Chance never acts here: an event supplies its outcome.

Twelve real cards and two seats: each seat draws two that nobody enters, then seat 0 plays one of them.

>>> PILE, DISCARD = "pile", "discard"
>>> zones = Zones.of({PILE: HIDDEN, DISCARD: OPEN, "hand.0": only(0), "hand.1": only(1)},
...                  {PILE: ("coach",) * 8 + ("diner",) * 3 + ("caboose",)})
>>> zones = zones.deal(PILE, {"hand.0": 2, "hand.1": 2})
>>> zones.possible("hand.0", "caboose")
True
>>> zones = zones.move("hand.0", DISCARD, "caboose")  # it is possible, and now everybody has seen it
>>> zones.possible("hand.1", "caboose")
False
>>> zones.move("hand.1", DISCARD, "caboose")
Traceback (most recent call last):
...
companion.mechanics.zone_cards.ZoneError: hand.1 cannot hold any caboose: all copies lie elsewhere.
>>> zones = zones.reveal("hand.1", "diner", at=1)  # of its two cards, the second becomes public
>>> zones.view_of("hand.1", None)
(None, 'diner')

If the companion deals, the same lines apply; the event of chance supplies the names:

>>> plan = zones.plan(PILE, 9, DISCARD)  # eight cards left, then the caboose from the discard
>>> (plan.first, plan.second, plan.reshuffled)
(8, 1, True)
>>> event_cards = zones.candidates(PILE)[:2]  # made by `plan.offer(CardsDrawn)` and chance
>>> zones = zones.draw(PILE, "hand.0", 2, event_cards)
>>> zones.view_of("hand.0", 0), zones.view_of("hand.0", 1)
((None, 'coach', 'coach'), (None, None, None))

Use `move` to discard, gain or trash a card. A seat that looks at a card `reveal`s it `to=only(seat)`. Open cards that a
game stores in its own form, such as a line with gaps, leave the zones to None, and return with `put`:

>>> line = [*event_cards, None, "diner"]
>>> zones.move("hand.0", None, *event_cards).put(DISCARD, line.pop()).named(DISCARD)
('caboose', 'diner')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Generic

import msgspec
from msgspec.structs import replace

from companion.mechanics.pool import Card, without
from companion.mechanics.zone_cards import (
    HIDDEN,
    OPEN,
    Audience,
    CardZone,
    DrawPlan,
    ZoneCard,
    ZoneError,
    check_count,
    counted,
    listed,
    only,
    put,
    turn_up,
)

__all__ = ["HIDDEN", "OPEN", "Audience", "CardZone", "DrawPlan", "ZoneCard", "ZoneError", "Zones", "only"]


class Zones(msgspec.Struct, Generic[Card], frozen=True, gc=False):
    """All zones of a game by name, and the pools of their unseen cards. Every operation returns new zones."""

    zones: dict[str, CardZone[Card]]
    pools: tuple[tuple[Card, ...], ...] = ()
    """The cards of each pool, in alphabetical or numerical order: one for each of its unseen cards."""

    @classmethod
    def of(cls, audiences: Mapping[str, Audience], cards: Mapping[str, Sequence[Card]]) -> Zones[Card]:
        """Return zones with their first cards, the top one last; in hidden zones they form a shuffled pile."""
        zones = cls({name: CardZone(audience) for name, audience in audiences.items()})
        for name, given in cards.items():
            zones = zones.put(name, *given, known=HIDDEN)
            if audiences[name] == HIDDEN:
                zones = zones.shuffle(name)
        return zones

    # --- contents ---------------------------------------------------------------------------------

    def count(self, zone: str) -> int:
        """Return how many cards a zone has."""
        try:
            return len(self.zones[zone].cards)
        except KeyError:
            raise _missing(zone) from None

    def named(self, zone: str) -> tuple[Card, ...]:
        """Return the cards of a zone that the companion knows, in order: all cards of an open zone."""
        return tuple([card.name for card in self._at(zone).cards if card.name is not None])

    def view_of(self, zone: str, seat: int | None) -> tuple[Card | None, ...]:
        """Return the view of a zone for a seat, or for everybody (None): a name or None for each card, in order."""
        cards = self._at(zone).cards
        if seat is None:
            return tuple([card.name if card.known == OPEN else None for card in cards])
        bit = 1 << seat
        return tuple([card.name if card.known & bit else None for card in cards])

    def top_of(self, zone: str) -> Card | None:
        """Return the top card of a zone if everybody knows it; None if not, or if the zone is empty."""
        cards = self._at(zone).cards
        return cards[-1].name if cards and cards[-1].known == OPEN else None

    def possible(self, zone: str, card: Card) -> bool:
        """Return whether a card of this name may lie in the zone, given all that the companion knows, including
        secrets."""
        return any([each.may_be(card, self.pools) for each in self._at(zone).cards])

    def possible_together(self, zone: str, cards: Sequence[Card]) -> bool:
        """Return whether cards of these names may all lie in the zone together, in any order."""
        left = self
        try:
            for card in sorted(cards):
                left = left.move(zone, None, card)
        except ZoneError:
            return False
        return True

    def candidates(self, zone: str) -> tuple[Card, ...]:
        """Return all cards that may lie in a zone: the named ones in order, then the candidates for its unseen ones."""
        return self.named(zone) + self.remaining(zone)

    def kinds(self, zone: str) -> tuple[Card, ...]:
        """Return every card that may lie in a zone, each name once, in alphabetical or numerical order."""
        lying = self._at(zone).cards
        found: set[Any] = {card.name for card in lying}
        if None in found:
            found.remove(None)
            for pool, barred in {(card.pool, card.barred) for card in lying if card.name is None}:
                found.update([name for name in self.pools[pool] if name not in barred] if barred else self.pools[pool])
        return tuple(sorted(found))

    def bounds(self, zone: str, card: Card) -> tuple[int, int]:
        """Return the least and the greatest number of cards of one name that a zone can hold."""
        names = [each.name for each in self._at(zone).cards]
        least = most = names.count(card)
        if None not in names:
            return least, most
        for number, here in self._unseen(zone).items():
            pool = self.pools[number]
            copies = pool.count(card)
            fitting = here - len([1 for each in self._at(zone).cards if each.pool == number and card in each.barred])
            least, most = least + max(0, copies + here - len(pool)), most + min(copies, fitting)
        return least, most

    def next_candidates(self, pile: str) -> tuple[Card, ...]:
        """Return the candidates for the top card of a pile: none if the pile is empty, one if the card is known."""
        cards = self._at(pile).cards
        if not cards:
            return ()
        top = cards[-1]
        if top.name is not None:
            return (top.name,)
        pool = self.pools[top.pool]
        return tuple([name for name in pool if name not in top.barred]) if top.barred else pool

    def remaining(self, zone: str) -> tuple[Card, ...]:
        """Return the candidates for the unseen cards of a zone, including those that may lie unseen elsewhere."""
        never: dict[int, set[Card]] = {}
        for card in self._at(zone).cards:
            if card.name is None:
                never[card.pool] = never.get(card.pool, set(card.barred)).intersection(card.barred)
        return listed([[name for name in self.pools[pool] if name not in barred] for pool, barred in never.items()])

    def must_hold(self, zone: str) -> tuple[Card, ...]:
        """Return the cards that certainly lie in a zone: the named ones, and those that fit nowhere else."""
        certain = Counter(self.named(zone))
        for pool, here in self._unseen(zone).items():
            elsewhere = len(self.pools[pool]) - here
            for card, copies in Counter(self.pools[pool]).items():
                certain[card] += max(0, copies - elsewhere)
        return listed([certain.elements()])

    def unknown_to(self, seat: int | None) -> tuple[Card, ...]:
        """Return all cards whose places a seat, or the public (None), does not know, if everybody knows the deck."""
        bit = 0 if seat is None else only(seat)
        lying = [card for zone in self.zones.values() for card in zone.cards if card.known != OPEN]
        return listed([*self.pools, [card.name for card in lying if card.name is not None and not card.known & bit]])

    def alone(self, zone: str) -> Zones[Card]:
        """Return one zone alone, with the pools of its unseen cards, for an offer that must reveal nothing else."""
        there = self._at(zone)
        own = {card.pool for card in there.cards if card.name is None}
        pools = [pool if at in own else () for at, pool in enumerate(self.pools)] if own else []
        return Zones({zone: there}, tuple(pools))

    # --- operations ----------------------------------------------------------------------------------

    def add(self, zone: str, audience: Audience = OPEN) -> Zones[Card]:
        """Return the zones with another, empty one, such as a new meld."""
        if zone in self.zones:
            raise ZoneError(f"There is a zone {zone} already.")
        return Zones({**self.zones, zone: CardZone(audience)}, self.pools)

    def remove(self, zone: str) -> Zones[Card]:
        """Return the zones without an empty one."""
        if self.count(zone):
            raise ZoneError(f"{zone} holds {counted(self.count(zone))}, so it cannot be removed.")
        zones = self.zones.copy()
        del zones[zone]
        return Zones(zones, self.pools)

    def put(self, zone: str, *cards: Card, known: Audience = OPEN) -> Zones[Card]:
        """Return the zones after cards from outside were put on top of one, seen by these seats."""
        there = self._at(zone)
        known |= there.audience
        zones = self.zones.copy()
        zones[zone] = CardZone(there.audience, (*there.cards, *[ZoneCard(card, 0, known) for card in cards]))
        return Zones(zones, self.pools)

    def plan(self, pile: str, count: int, discard: str | None = None) -> DrawPlan[Card]:
        """Return the plan of a draw of `count` cards. Once the pile runs out, the discard is shuffled into a new
        one.
        """
        lying = self._at(pile).cards
        if count < 0:
            raise ZoneError(f"{count} cards cannot be drawn.")
        first = min(count, len(lying))
        shuffled = self.count(discard) if discard is not None and first < count else 0
        second = min(count - first, shuffled)
        unseen = [card.pool for card in lying[len(lying) - first :][::-1] if card.name is None]
        if unseen and unseen.count(unseen[0]) == len(unseen):
            chance = [(self.pools[unseen[0]], len(unseen))]
        else:
            chance = [(self.pools[pool], len(list(same))) for pool, same in groupby(unseen)]
        if second and discard is not None:
            chance.append((listed([self.candidates(discard)]), second))
        return DrawPlan(first, second, bool(shuffled), tuple(chance))

    def draw(
        self, pile: str, to: str | None, count: int, cards: Sequence[Card] = (), discard: str | None = None
    ) -> Zones[Card]:
        """Return the zones after a draw off the top of a pile; with a discard, the draw may be shorter than `count`.

        If the companion deals, `cards` names the unseen cards in the order drawn (`plan` counts and offers them); real
        cards that nobody entered stay unnamed.
        """
        there = self._at(pile)
        left = len(there.cards) - count
        if left < 0:
            return self._drawn_through(pile, to, count, cards, discard)
        if count < 0:
            raise ZoneError(f"{count} cards cannot be drawn.")
        taken, pools = there.cards[left:][::-1], self.pools
        if cards:
            known = HIDDEN if to is None else self._at(to).audience
            taken, pools = turn_up(pile, taken, cards, pools, known)
        return _passed(self.zones, pools, pile, there.cards[:left], to, taken)

    def deal(self, pile: str, counts: Mapping[str, int], cards: Sequence[Card] = ()) -> Zones[Card]:
        """Return the zones after a deal of the given counts to each zone in turn; `cards` names all of them, or
        none.
        """
        zones, dealt = self, 0
        for to, count in counts.items():
            zones = zones.draw(pile, to, count, cards[dealt : dealt + count])
            dealt += count
        return zones

    def move(self, source: str, to: str | None, *cards: Card, at: int | None = None) -> Zones[Card]:
        """Return the zones after named cards moved; raise `ZoneError` if the source cannot hold them.

        Of equal cards, the one that most seats know moves. The cards go on top, the last one topmost, or to the
        position `at` (0: the bottom, or the left-hand end).
        """
        if len(cards) == 1:
            zones, number = self._find(source, cards[0])
            lying = zones.zones[source].cards
            left = lying[:number] + lying[number + 1 :]
            return _passed(zones.zones, zones.pools, source, left, to, (lying[number],), at)
        zones, numbers = self, list[int]()
        for card in cards:
            zones, number = zones._find(source, card, numbers)
            numbers.append(number)
        return zones._moved(source, to, numbers, at)

    def move_numbers(self, source: str, to: str | None, *numbers: int, at: int | None = None) -> Zones[Card]:
        """Return the zones after cards moved by their numbers in the source, from 0, unchanged."""
        numbers = tuple([self._checked(source, number) for number in numbers])
        if len(set(numbers)) < len(numbers):
            raise ZoneError(f"A card of {source} cannot move twice at once.")
        return self._moved(source, to, numbers, at)

    def move_all(self, source: str, to: str | None) -> Zones[Card]:
        """Return the zones after all cards of one moved, unchanged and in order."""
        return _passed(self.zones, self.pools, source, (), to, self._at(source).cards)

    def gather(self, to: str, *sources: str) -> Zones[Card]:
        """Return the zones after all cards of several moved to another one, unchanged and in order."""
        zones, cards = self.zones.copy(), list[ZoneCard[Card]]()
        for source in sources:
            there = self._at(source)
            if there.cards:
                cards += there.cards
                zones[source] = CardZone(there.audience)
        zones[to] = zones[to].taking(to, cards)
        return Zones(zones, self.pools)

    def reveal(self, zone: str, card: Card | None = None, *, at: int | None = None, to: Audience = OPEN) -> Zones[Card]:
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

    def rule_out(self, zone: str, card: Card, *, at: int | None = None) -> Zones[Card]:
        """Return the zones after people ruled out a name for all unseen cards of one, or for the card at a number."""
        lying = list(self._at(zone).cards)
        for number in range(len(lying)) if at is None else (self._checked(zone, at),):
            each = lying[number]
            if each.name is None and card not in each.barred:
                lying[number] = replace(each, barred=(*each.barred, card))
        return self._with(zone, tuple(lying))

    def conceal(self, zone: str) -> Zones[Card]:
        """Return the zones after the cards of one were mixed out of sight: only its own audience still knows them."""
        audience, lying = self._at(zone).audience, self._at(zone).cards
        if not any([card.known & ~audience for card in lying]):
            return self
        return self._with(zone, tuple([replace(card, known=card.known & audience) for card in lying]))

    def shuffle(self, zone: str, to: str | None = None) -> Zones[Card]:
        """Return the zones after all cards of one were shuffled, into those of the hidden zone `to` if given."""
        to = to or zone
        if self._at(to).audience != HIDDEN:
            raise ZoneError(f"{to} is not hidden, so no shuffled cards can lie there.")
        lying = self._at(zone).cards + (self._at(to).cards if to != zone else ())
        if not lying:
            return self
        mixed = {card.pool for card in lying if card.name is None}
        joined, pool = self._joined(mixed or {self.pools.index(()) if () in self.pools else len(self.pools)})
        cards = listed([*joined.pools[pool : pool + 1], [card.name for card in lying if card.name is not None]])
        zones = joined.zones.copy()
        zones[zone] = CardZone(zones[zone].audience)
        zones[to] = CardZone(HIDDEN, (ZoneCard(None, pool),) * len(lying))
        return Zones(zones, put(joined.pools, pool, cards))

    # --- implementation ------------------------------------------------------------------------------

    def _at(self, zone: str) -> CardZone[Card]:
        try:
            return self.zones[zone]
        except KeyError:
            raise _missing(zone) from None

    def _checked(self, zone: str, number: int) -> int:
        """Return the number of a card in a zone; raise `ZoneError` if the zone has no such card."""
        if not 0 <= number < self.count(zone):
            raise ZoneError(f"{zone} holds {counted(self.count(zone))}: there is no card number {number}.")
        return number

    def _unseen(self, zone: str) -> Counter[int]:
        """Return the number of unseen cards of each pool in a zone."""
        return Counter([card.pool for card in self._at(zone).cards if card.name is None])

    def _with(self, zone: str, cards: tuple[ZoneCard[Card], ...]) -> Zones[Card]:
        return Zones({**self.zones, zone: CardZone(self._at(zone).audience, cards)}, self.pools)

    def _drawn_through(
        self, pile: str, to: str | None, count: int, cards: Sequence[Card], discard: str | None
    ) -> Zones[Card]:
        """Return the zones after a draw that exceeds the pile, so that the discard is shuffled during it."""
        lying = self._at(pile).cards
        if discard is None:
            raise ZoneError(f"{pile} holds {counted(len(lying))}, so {count} cannot be drawn.")
        more, unseen = min(count - len(lying), self.count(discard)), [card.name for card in lying].count(None)
        check_count(cards, unseen + more)
        zones = self.draw(pile, to, len(lying), cards[:unseen]) if lying else self
        return zones.shuffle(discard, pile).draw(pile, to, more, cards[unseen:]) if more else zones

    def _moved(self, source: str, to: str | None, numbers: Sequence[int], at: int | None = None) -> Zones[Card]:
        """Return the zones after the cards with these numbers moved."""
        lying = self._at(source).cards
        left = tuple([card for number, card in enumerate(lying) if number not in numbers])
        return _passed(self.zones, self.pools, source, left, to, [lying[number] for number in numbers], at)

    def _find(self, zone: str, name: Card, besides: Sequence[int] = ()) -> tuple[Zones[Card], int]:
        """Return the zones with the best-known card of this name identified, and its number."""
        lying = self._at(zone).cards
        best, known = -1, HIDDEN
        for number, card in enumerate(lying):
            if card.name == name and number not in besides and (best < 0 or _as_well_known(card.known, known)):
                best, known = number, card.known
        if best >= 0:
            return self, best
        fitting = [
            (len(card.barred), number, card.pool)
            for number, card in enumerate(lying)
            if card.name is None and number not in besides and card.may_be(name, self.pools)
        ]
        if not fitting:
            more = "other " if name in self.named(zone) else ""
            if not self._unseen(zone):
                raise ZoneError(f"{zone} holds no {more}{name}.")
            raise ZoneError(f"{zone} cannot hold any {more}{name}: all copies lie elsewhere.")
        zones, _ = self._joined({pool for _, _, pool in fitting})
        _, number, _ = max(fitting)  # the card with the fewest possible names: the others stay more open
        return zones._called(zone, number, name), number

    def _called(self, zone: str, number: int, name: Card | None) -> Zones[Card]:
        """Return the zones with one card named; raise `ZoneError` if it cannot have that name."""
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
        return Zones(self.zones, pools)._with(zone, (*there.cards[:number], found, *there.cards[number + 1 :]))

    def _joined(self, pools: set[int]) -> tuple[Zones[Card], int]:
        """Return the zones with pools merged, because their cards are no longer distinguishable, and the merged pool's
        number.
        """
        first = min(pools)
        if len(pools) == 1:
            return self, first
        left = tuple([() if number in pools else pool for number, pool in enumerate(self.pools)])
        zones = {name: zone.joining(pools, first) for name, zone in self.zones.items()}
        return Zones(zones, put(left, first, listed([self.pools[pool] for pool in pools]))), first


def _missing(zone: str) -> ZoneError:
    return ZoneError(f"There is no zone {zone}.")


def _as_well_known(one: Audience, other: Audience) -> bool:
    """Return whether at least as many seats know a card of one audience as one of the other."""
    return one == other or (one == OPEN, one.bit_count()) >= (other == OPEN, other.bit_count())


def _passed(
    zones: dict[str, CardZone[Card]],
    pools: tuple[tuple[Card, ...], ...],
    source: str,
    left: tuple[ZoneCard[Card], ...],
    to: str | None,
    cards: Sequence[ZoneCard[Card]],
    at: int | None = None,
) -> Zones[Card]:
    """Return the zones after cards left one, which keeps the rest, for another or for outside the zones."""
    zones = zones.copy()
    zones[source] = CardZone(zones[source].audience, left)
    if to is None:
        for card in cards:
            if card.name is None:
                raise ZoneError(f"A card of {source} must be named before it leaves the zones.")
    elif to in zones:
        zones[to] = zones[to].taking(to, cards, at)
    else:
        raise ZoneError(f"There is no zone {to}.")
    return Zones(zones, pools)
