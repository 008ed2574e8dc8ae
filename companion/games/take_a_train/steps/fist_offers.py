"""Offers of fists that belong to no single seat: the signal, and amounts that everybody at the table sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

import msgspec

from companion.engine import Event, Luck, Seat
from companion.games.take_a_train.catalogue import UNIT
from companion.games.take_a_train.events import BidsRevealed, FistCounted, RevealSignalled

Bounds = tuple[int, int]
"""The least and the most dollars that a seat can have shown."""


class Signalling(msgspec.Struct, frozen=True, gc=False):
    """Referee: the signal at which all closed fists open (R-32)."""

    by: ClassVar[None] = None
    chance: ClassVar[bool] = False

    def __contains__(self, event: object) -> bool:
        return type(event) is RevealSignalled

    def __iter__(self) -> Iterator[Event]:
        yield RevealSignalled()

    def pick(self, luck: Luck) -> Event:
        """Return the signal."""
        return RevealSignalled()


SIGNAL = Signalling()


class ByHand(msgspec.Struct, frozen=True, gc=False):
    """All fists opened by hand: an amount within its bounds for each seat taking part (R-32)."""

    seats: tuple[Seat, ...]
    bounds: tuple[Bounds, ...]
    """Those of each of `seats`."""
    players: int
    by: ClassVar[None] = None
    chance: ClassVar[bool] = False

    def __contains__(self, event: object) -> bool:
        if type(event) is not BidsRevealed or len(event.amounts) != self.players:
            return False
        bounds = dict(zip(self.seats, self.bounds, strict=True))
        for seat, amount in enumerate(event.amounts):
            if (amount is None) != (seat not in bounds):
                return False
            if amount is not None and not is_within(amount, bounds[Seat(seat)]):
                return False
        return True

    def __iter__(self) -> Iterator[Event]:
        yield self.filled(lambda least, most: least)
        yield self.filled(lambda least, most: most - most % UNIT)

    def filled(self, choose: Callable[[int, int], int]) -> BidsRevealed:
        """Return bids chosen by `choose` within each seat's bounds."""
        amounts: list[int | None] = [None] * self.players
        for seat, (least, most) in zip(self.seats, self.bounds, strict=True):
            amounts[seat] = choose(least, most)
        return BidsRevealed(tuple(amounts))

    def pick(self, luck: Luck) -> Event:
        """Return random bids."""
        return self.filled(lambda least, most: pick_within(luck, (least, most)))


class Counts(msgspec.Struct, frozen=True, gc=False):
    """What the camera counts of one open hand: any amount that the seat can have (R-32a)."""

    seats: tuple[Seat, ...]
    most: tuple[int, ...]
    by: ClassVar[None] = None
    chance: ClassVar[bool] = False

    def __contains__(self, event: object) -> bool:
        if type(event) is not FistCounted or event.seat not in self.seats:
            return False
        return is_within(event.amount, (0, self.most[self.seats.index(event.seat)]))

    def __iter__(self) -> Iterator[Event]:
        for seat, most in zip(self.seats, self.most, strict=True):
            yield FistCounted(seat, 0)
            yield FistCounted(seat, most - most % UNIT)

    def pick(self, luck: Luck) -> Event:
        """Return a random amount of one of the seats."""
        at = int(luck() * len(self.seats))
        return FistCounted(self.seats[at], pick_within(luck, (0, self.most[at])))


def is_within(amount: int, bounds: Bounds) -> bool:
    """Whether an amount can be laid down with tokens and lies within bounds."""
    return not amount % UNIT and bounds[0] <= amount <= bounds[1]


def pick_within(luck: Luck, bounds: Bounds) -> int:
    """Return a random amount within bounds, of which the least can be laid down with tokens."""
    least, most = bounds
    return least + int(luck() * ((most - least) // UNIT + 1)) * UNIT
