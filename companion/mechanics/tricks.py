"""Tricks: who wins one, and which cards a seat can play to it, dealt or real.

A card is named by its suit and its rank, such as `oil-7`. Seats must follow suit; a trump beats the suit that was led.
Of real cards, the companion knows only those that were seen, and that a seat which did not follow has none of the suit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from typing import ClassVar, NamedTuple, Self

from msgspec.structs import replace

from companion.engine import Reason, Refusal, Seat
from companion.mechanics.seating import clockwise
from companion.mechanics.zones import OPEN
from companion.mechanics.zones_game import ZonesTable, hand_of

TRICK = "trick"
"""The zone of the present trick."""


class Objections(NamedTuple):
    """A game's reasons against a card, each with its fields."""

    must_follow: Reason
    """The seat can follow: `card` (led) and `seat`."""
    already_played: Reason
    """Everybody has seen it played: `card`."""
    in_another_hand: Reason
    """`card` and `seat`."""
    did_not_follow: Reason
    """The seat has none of the suit: `card` and `seat`."""


def suit_of(card: str) -> str:
    """Return a card's suit."""
    return card.partition("-")[0]


def rank_of(card: str) -> int:
    """Return a card's rank."""
    return int(card.partition("-")[2])


def best_of(trick: Sequence[str], trump: str) -> int:
    """Return which card of a trick wins, from 0: the highest trump, or else the highest of the suit led."""
    led = suit_of(trick[0])
    order = {suit: at for at, suit in enumerate((led, trump))}
    return max(range(len(trick)), key=lambda at: (order.get(suit_of(trick[at]), -1), rank_of(trick[at])))


class TrickTable(ZonesTable, frozen=True, dict=True):
    """A table with a trick: the zones are `TRICK`, a hand for each seat (`hand_of`), and the game's own."""

    leader: Seat
    """The seat that led or will lead to the present trick."""
    voids: tuple[tuple[str, ...], ...]
    """The suits that each seat has shown to lack."""
    last: tuple[str, ...] = ()
    """The cards of the last trick by seat, until the next one is led."""
    deck: ClassVar[tuple[str, ...]]
    """All cards, in the order of offers."""
    objections: ClassVar[Objections]

    @cached_property
    def trick(self) -> tuple[str, ...]:
        """The cards of the present trick, in the order played."""
        return self.zones.named(TRICK)

    @cached_property
    def turn(self) -> Seat:
        """The seat that plays next."""
        return Seat((self.leader + len(self.trick)) % len(self.voids))

    @property
    def lying(self) -> tuple[str, ...]:
        """The card that each seat has played to the present trick; empty for none."""
        laid = dict(zip(clockwise(self.leader, len(self.voids)), self.trick, strict=False))
        return tuple([laid.get(Seat(seat), "") for seat in range(len(self.voids))])

    @cached_property
    def played(self) -> frozenset[str]:
        """The cards of this hand that everybody has seen played."""
        return frozenset([c.name for zone in self.zones.zones.values() if zone.audience == OPEN for c in zone.cards])  # type: ignore[misc]

    @cached_property
    def playable(self) -> tuple[str, ...]:
        """The cards that the seat on turn may play; of a suit's unseen cards either all are possible or none."""
        hand = hand_of(self.turn)
        named, held = self.zones.named(hand), set(self.zones.kinds(hand))
        kinds: dict[tuple[str, bool], bool] = {}
        for card in (cards := [card for card in self.deck if card in held and self.objection(card) is None]):
            kind = (suit_of(card), card in named)
            if kind not in kinds:
                kinds[kind] = self.dealt or self.can_be(card)
        return tuple([card for card in cards if kinds[suit_of(card), card in named]])

    def objection(self, card: str) -> Refusal | None:
        """Return the fact that rules out a card of the seat on turn; None if only a combination of facts does."""
        seat, hand = self.turn, hand_of(self.turn)
        own = seat if self.dealt else None
        if card in self.played:
            return self.objections.already_played(card=card)
        if not self.zones.possible(hand, card):
            return self.objections.in_another_hand.to(own, card=card, seat=seat)
        if suit_of(card) in self.voids[seat]:
            return self.objections.did_not_follow(card=card, seat=seat)
        led = self.trick[0] if self.trick else card
        if suit_of(card) != suit_of(led) and suit_of(led) in map(suit_of, self.zones.named(hand)):
            return self.objections.must_follow.to(own, card=led, seat=seat)
        return None

    def can_be(self, card: str) -> bool:
        """Return whether the unseen cards still fit into the hands after this card, given the suits that seats lack.

        They do if, for any suits, the seats that may hold one of them have room for all their cards (Hall's theorem).
        """
        after, hands = self.laid(card), [hand_of(seat) for seat in range(len(self.voids))]
        zones = after.zones
        unseen = Counter([suit_of(card) for card in max([zones.remaining(hand) for hand in hands], key=len)])
        room = [zones.count(hand) - len(zones.named(hand)) for hand in hands]
        return all(
            sum([unseen[suit] for suit in suits])
            <= sum([room[seat] for seat, voids in enumerate(after.voids) if not set(suits) <= set(voids)])
            for count in range(1, len(unseen) + 1)
            for suits in combinations(unseen, count)
        )

    def laid(self, card: str) -> Self:
        """Return the table after the seat on turn has laid a card; a seat that does not follow has none of the suit."""
        seat, voids = self.turn, list(self.voids)
        led = suit_of(self.trick[0]) if self.trick else suit_of(card)
        if suit_of(card) != led and led not in voids[seat]:
            voids[seat] += (led,)
        return replace(self, zones=self.zones.move(hand_of(seat), TRICK, card), voids=tuple(voids), last=())

    def winner(self, trump: str) -> Seat:
        """Return the seat that takes the trick."""
        return Seat((self.leader + best_of(self.trick, trump)) % len(self.voids))

    def taken(self, winner: Seat, zone: str) -> Self:
        """Return the table after a seat took the trick to a zone; it leads to the next one."""
        return replace(self, zones=self.zones.move_all(TRICK, zone), leader=winner, last=self.lying)
