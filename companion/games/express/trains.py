"""A train on the table: its cars, and the cards that can join it (R-07 to R-14)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.engine import Refusal
from companion.games.express import refusals
from companion.games.express.profile import STARTERS, Card

Book = Mapping[str, Card]
WILD, CABOOSE, DIESEL = "wild", "caboose", "diesel"
BEFORE_LINK = 2
"""Identical cars required before a wild card that links to other ones (R-13)."""


class Train(msgspec.Struct, frozen=True):
    """A train of a side. Its locomotive lies face down in a zone."""

    number: int
    """Its number on its side's table, from 1."""
    cars: tuple[str, ...]
    diesel: bool = False
    """Whether a Diesel was added; it is no car (R-11)."""
    fresh: int = 0
    """The number of the last cars that were laid this turn (R-17)."""
    fresh_diesel: bool = False

    @property
    def closed(self) -> bool:
        """Whether a caboose closes and shields it (R-11)."""
        return self.cars[-1] == CABOOSE

    @property
    def old_cars(self) -> tuple[str, ...]:
        """The cars laid before this turn; none in a new train."""
        return self.cars[: len(self.cars) - self.fresh]

    @property
    def fresh_cards(self) -> tuple[str, ...]:
        """The cards laid this turn."""
        return self.cars[len(self.cars) - self.fresh :] + (DIESEL,) * self.fresh_diesel

    def settled(self) -> Train:
        """Return the train with none of its cards marked as new."""
        fresh = self.fresh or self.fresh_diesel
        return msgspec.structs.replace(self, fresh=0, fresh_diesel=False) if fresh else self


def group_of(book: Book, card: str) -> str:
    """Return the group of a card, empty for one missing from this profile."""
    return book[card].group if card in book else ""


def belongs(book: Book, first: str, card: str) -> bool:
    """Return whether a car fits a group with a given first car: identical freight, or any passenger cars (R-09)."""
    return card == first or group_of(book, first) == group_of(book, card) == "passenger"


def groups(book: Book, cars: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a train's scoring groups: one, and after a wild card of transition a second one (R-12, R-13).

    A wild card before a car that does not fit is a transition (A-01).
    """
    for at, car in enumerate(cars):
        if group_of(book, car) in STARTERS and not belongs(book, cars[0], car):
            return cars[: at - 1], cars[at:]
    return cars, ()


def starting_objection(book: Book, card: str) -> Refusal | None:
    """Return why a card cannot be the first car of a train (R-07, R-11, R-14, R-15)."""
    kind = group_of(book, card)
    if kind in STARTERS:
        return None
    if kind == "wild":
        return refusals.WILD_ALONE()
    return joining_objection(book, card) or refusals.NEEDS_CAR(card=card)


def joining_objection(book: Book, card: str) -> Refusal | None:
    """Return why a card can join no train at all (R-15, R-20)."""
    kind = group_of(book, card)
    if not kind:
        return refusals.NOT_IN_PROFILE(card=card)
    if kind == "maintenance":
        return refusals.JOINS_NO_TRAIN(card=card)
    if kind in ("disaster", "turntable"):
        return refusals.NO_CAR(card=card)
    return None


def joins(book: Book, train: Train, card: str) -> bool:
    """Return whether a card that can join trains fits the end of this one (R-09 to R-13)."""
    if card == DIESEL:
        return not train.diesel
    if train.closed or card in (WILD, CABOOSE):
        return not train.closed
    _, second = groups(book, train.cars)
    if second:
        return card == second[0]
    first, (*before, last) = train.cars[0], train.cars
    leads_over = last == WILD and len(before) >= BEFORE_LINK and set(before) <= {first, WILD}
    return leads_over or belongs(book, first, card)


def added(train: Train, card: str) -> Train:
    """Return a train after a card joined its end this turn; a Diesel is not a car (R-11)."""
    if card == DIESEL:
        return msgspec.structs.replace(train, diesel=True, fresh_diesel=True)
    return msgspec.structs.replace(train, cars=(*train.cars, card), fresh=train.fresh + 1)


def adding_objection(book: Book, train: Train, card: str) -> Refusal | None:
    """Return why a card cannot be added to the end of a train (R-09, R-11, R-13)."""
    found, (first, second) = joining_objection(book, card), groups(book, train.cars)
    if found is not None or joins(book, train, card):
        return found
    if card == DIESEL:
        return refusals.ONE_DIESEL(train=train.number)
    if train.closed:
        return refusals.CABOOSE_CLOSES(train=train.number)
    if train.cars[-1] == WILD and not second:
        return refusals.NEEDS_TWO(card=card)
    return refusals.CANNOT_ADD(car=(second or first)[0], card=card)
