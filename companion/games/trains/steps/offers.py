"""Offers of several cards at once: cards of a hand, and the order of revealed ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import ClassVar

import msgspec

from companion.engine import Event, Luck, Part, Seat
from companion.games.trains.events import CardsDiscarded, RevealedTaken
from companion.mechanics import offers
from companion.mechanics.pool import sample, without
from companion.mechanics.zones import Zones


class FromHand(offers.FromHand, frozen=True, gc=False):
    """Cards of a hand that a seat discards."""

    kind: ClassVar = CardsDiscarded


def from_hand(zones: Zones[str], seat: Seat, hand: str, least: int, most: int) -> FromHand:
    """Return the offer of between `least` and `most` cards of a seat's hand."""
    return FromHand(seat, zones.alone(hand), hand, least, most)


class TakeOne(msgspec.Struct, frozen=True, gc=False):
    """A seat's choices with revealed cards: take one or none, and put the others back in any order (K06)."""

    by: Seat
    cards: tuple[str, ...]
    chance: ClassVar[bool] = False
    kind: ClassVar[type[Event]] = RevealedTaken

    def parts(self) -> tuple[Part, ...]:
        """Return the card to take, and the pile of the others, initially in the order on the deck."""
        return Part("card", tuple(dict.fromkeys(self.cards)), least=0), Part("back", self.cards[::-1], stacks="card")

    def __contains__(self, event: object) -> bool:
        if type(event) is not RevealedTaken or event.seat != self.by:
            return False
        taken = () if event.card is None else (event.card,)
        return Counter((*taken, *event.back)) == Counter(self.cards)

    def __iter__(self) -> Iterator[Event]:
        for card in (None, *dict.fromkeys(self.cards)):
            rest = self.cards if card is None else without(self.cards, (card,))
            for back in dict.fromkeys(permutations(rest)):
                yield RevealedTaken(self.by, card, back)

    def pick(self, luck: Luck) -> Event:
        order = sample(self.cards, len(self.cards), luck)
        if order and luck() < 0.5:
            return RevealedTaken(self.by, order[0], order[1:])
        return RevealedTaken(self.by, None, order)
