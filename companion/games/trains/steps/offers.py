"""Offers of several cards at once: cards of a hand, and the order of revealed ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import ClassVar

import msgspec

from companion.engine import Event, Luck, Part, Seat
from companion.games.trains.events import CardsDiscarded, RevealedTaken
from companion.mechanics.pool import sample, without
from companion.mechanics.zones import Zones


class FromHand(msgspec.Struct, frozen=True, gc=False):
    """Cards of a hand that a seat discards: between `least` and `most` of them, each one possible."""

    by: Seat
    zones: Zones[str]
    """The hand alone: an offer is a part of its seat's view."""
    hand: str
    least: int
    most: int
    chance: ClassVar[bool] = False
    kind: ClassVar[type[Event]] = CardsDiscarded

    def parts(self) -> tuple[Part, ...]:
        """Return the cards to choose from, none more often than it can be chosen."""
        counts = Counter(self._candidates())
        values = tuple([card for card, count in counts.items() for _ in range(min(count, self.most))])
        return (Part("cards", values, self.least, self.most, many=True),)

    def __contains__(self, event: object) -> bool:
        if type(event) is not CardsDiscarded or event.seat != self.by:
            return False
        return self.least <= len(event.cards) <= self.most and self.zones.possible_together(self.hand, event.cards)

    def __iter__(self) -> Iterator[Event]:
        """Yield every choice once: the order of its cards makes no difference."""
        cards = self._candidates()
        for count in range(self.least, self.most + 1):
            for chosen in dict.fromkeys(combinations(cards, count)):
                if self.zones.possible_together(self.hand, chosen):
                    yield CardsDiscarded(self.by, chosen)

    def pick(self, luck: Luck) -> Event:
        """Return one of them."""
        count = self.least + int(luck() * (self.most - self.least + 1))
        chosen: tuple[str, ...] = ()
        for card in sample(self._candidates(), len(self._candidates()), luck):
            if len(chosen) < count and self.zones.possible_together(self.hand, (*chosen, card)):
                chosen += (card,)
        return CardsDiscarded(self.by, tuple(sorted(chosen)))

    def _candidates(self) -> tuple[str, ...]:
        """Return every card that may be in the hand, as often as it may be there."""
        return tuple(sorted(self.zones.candidates(self.hand)))


def from_hand(zones: Zones[str], seat: Seat, hand: str, least: int, most: int) -> FromHand:
    """Return the offer of between `least` and `most` cards of a seat's hand."""
    return FromHand(seat, zones.alone(hand), hand, least, most)


class TakeOne(msgspec.Struct, frozen=True, gc=False):
    """What a seat does with revealed cards: takes one or none, and puts the others back in any order (K06)."""

    by: Seat
    cards: tuple[str, ...]
    chance: ClassVar[bool] = False
    kind: ClassVar[type[Event]] = RevealedTaken

    def parts(self) -> tuple[Part, ...]:
        """Return the card to take, and the pile of the others: at first as they lay on the deck."""
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
        """Return one of them."""
        order = sample(self.cards, len(self.cards), luck)
        if order and luck() < 0.5:
            return RevealedTaken(self.by, order[0], order[1:])
        return RevealedTaken(self.by, None, order)
