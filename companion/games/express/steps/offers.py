"""Offers of several choices at once: a new train, and the real cards left in a hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar

import msgspec

from companion.engine import Event, Luck, Part, Seat
from companion.games.express.events import HandShown, LocomotiveExchanged, TrainBegun
from companion.mechanics.pool import sample
from companion.mechanics.zones import Zones


class NewTrain(msgspec.Struct, frozen=True, gc=False):
    """A new train of a dealt hand: its first car, and any other card as its locomotive (R-07, R-08)."""

    by: Seat
    starters: tuple[str, ...]
    cards: tuple[str, ...]
    """The whole hand."""
    chance: ClassVar[bool] = False
    kind: ClassVar[type[Event]] = TrainBegun

    def parts(self) -> tuple[Part, ...]:
        """Return the car and the locomotive."""
        return Part("card", self.starters), Part("locomotive", tuple(dict.fromkeys(self.cards)))

    def __contains__(self, event: object) -> bool:
        if type(event) is not TrainBegun or event.seat != self.by or event.card not in self.starters:
            return False
        return not Counter([event.card, event.locomotive]) - Counter(self.cards)

    def __iter__(self) -> Iterator[Event]:
        for card in self.starters:
            for locomotive in dict.fromkeys(self.cards):
                event = TrainBegun(self.by, card, locomotive)
                if event in self:
                    yield event

    def pick(self, luck: Luck) -> Event:
        """Return one of them."""
        card = self.starters[int(luck() * len(self.starters))]
        others = list(self.cards)
        others.remove(card)
        return TrainBegun(self.by, card, others[int(luck() * len(others))])


class LocomotiveExchange(msgspec.Struct, frozen=True, gc=False):
    """Dealt locomotives of a side, each of which may be exchanged for another card of the hand (R-16)."""

    by: Seat
    locomotives: tuple[tuple[int, str], ...]
    """The numbers of the trains, and what lies before them."""
    cards: tuple[str, ...]
    """The hand, each kind once."""
    chance: ClassVar[bool] = False
    kind: ClassVar[type[Event]] = LocomotiveExchanged

    def parts(self) -> tuple[Part, ...]:
        """Return the train and its new locomotive."""
        return Part("train", tuple([str(number) for number, _ in self.locomotives])), Part("card", self.cards)

    def __contains__(self, event: object) -> bool:
        if type(event) is not LocomotiveExchanged or event.seat != self.by or event.card not in self.cards:
            return False
        return dict(self.locomotives).get(event.train, event.card) != event.card

    def __iter__(self) -> Iterator[Event]:
        for number, there in self.locomotives:
            for card in self.cards:
                if card != there:
                    yield LocomotiveExchanged(self.by, number, card)

    def pick(self, luck: Luck) -> Event:
        """Return one of them."""
        events = tuple(self)
        return events[int(luck() * len(events))]


class ShownHand(msgspec.Struct, frozen=True, gc=False):
    """All real cards left in a hand, as its seat shows them (S-08)."""

    by: Seat
    zones: Zones[str]
    """The hand alone."""
    hand: str
    chance: ClassVar[bool] = False
    kind: ClassVar[type[Event]] = HandShown

    @property
    def count(self) -> int:
        """How many cards there are."""
        return self.zones.count(self.hand)

    def parts(self) -> tuple[Part, ...]:
        """Return the cards to choose from."""
        counts = Counter(self.zones.candidates(self.hand))
        values = tuple([card for card in sorted(counts) for _ in range(min(counts[card], self.count))])
        return (Part("cards", values, self.count, self.count, many=True),)

    def __contains__(self, event: object) -> bool:
        if type(event) is not HandShown or event.seat != self.by or len(event.cards) != self.count:
            return False
        return self.zones.possible_together(self.hand, event.cards)

    def __iter__(self) -> Iterator[Event]:
        cards = sorted(self.zones.candidates(self.hand))
        for chosen in dict.fromkeys(combinations(cards, self.count)):
            if self.zones.possible_together(self.hand, chosen):
                yield HandShown(self.by, chosen)

    def pick(self, luck: Luck) -> Event:
        """Return one of them."""
        chosen: tuple[str, ...] = self.zones.must_hold(self.hand)[: self.count]
        cards = sorted(self.zones.candidates(self.hand))
        for card in sample(tuple(cards), len(cards), luck):
            if len(chosen) < self.count and self.zones.possible_together(self.hand, (*chosen, card)):
                chosen += (card,)
        return HandShown(self.by, tuple(sorted(chosen)))
