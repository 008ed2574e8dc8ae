"""A train on the table: what it consists of, and which cards it takes (R-07 to R-14)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.engine import Refusal
from companion.games.examples.express.profile import STARTERS, Card

Book = Mapping[str, Card]
WILD, CABOOSE, DIESEL = "wild", "caboose", "diesel"
BEFORE_LINK = 2
"""Identical cars that a wild card needs before it to lead over to other ones (R-13)."""


class Train(msgspec.Struct, frozen=True):
    """A train of a side. Its locomotive lies face down in a zone."""

    number: int
    """Its number on its side's table, from 1."""
    cars: tuple[str, ...]
    diesel: bool = False
    """Whether a Diesel was added; it is no car (R-11)."""
    fresh: int = 0
    """How many of the last cars were laid this turn (R-17)."""
    fresh_diesel: bool = False

    @property
    def closed(self) -> bool:
        """Whether a caboose closes and shields it (R-11)."""
        return self.cars[-1] == CABOOSE

    @property
    def is_new(self) -> bool:
        """Whether it was begun this turn."""
        return self.fresh == len(self.cars)


class Groups(msgspec.Struct, frozen=True):
    """A train's cars as they count: a group, and after a wild card of transition a second one (R-12, R-13)."""

    first: tuple[str, ...]
    link: bool = False
    second: tuple[str, ...] = ()


def group_of(book: Book, card: str) -> str:
    """Return what kind of card it is, empty for one that is not in this profile."""
    return book[card].group if card in book else ""


def belongs(book: Book, first: str, card: str) -> bool:
    """Whether a car fits a group that begins with another one: identical freight, or any passenger cars (R-09)."""
    return card == first or group_of(book, first) == group_of(book, card) == "passenger"


def groups(book: Book, cars: tuple[str, ...]) -> Groups:
    """Return a train's groups: a wild card before a car that does not fit is a transition (A-01)."""
    for at, car in enumerate(cars):
        if group_of(book, car) in STARTERS and not belongs(book, cars[0], car):
            return Groups(cars[: at - 1], True, cars[at:])
    return Groups(cars)


def starting_objection(book: Book, card: str) -> Refusal | None:
    """Return why a card cannot be the first car of a train (R-07, R-11, R-14, R-15)."""
    kind = group_of(book, card)
    if kind in STARTERS:
        return None
    if kind == "wild":
        return Refusal("R-14", "wild_alone", {})
    return joining_objection(book, card) or Refusal("R-11", "needs_car", {"card": card})


def joining_objection(book: Book, card: str) -> Refusal | None:
    """Return why a card belongs to no train at all (R-15, R-20)."""
    kind = group_of(book, card)
    if not kind:
        return Refusal("R-20", "not_in_profile", {"card": card})
    if kind == "maintenance":
        return Refusal("R-15", "joins_no_train", {"card": card})
    if kind in ("disaster", "turntable"):
        return Refusal("R-07", "no_car", {"card": card})
    return None


def adding_objection(book: Book, train: Train, card: str) -> Refusal | None:
    """Return why a card cannot be added to the end of a train (R-09, R-11, R-13)."""
    found = joining_objection(book, card)
    if found is not None:
        return found
    if card == DIESEL:
        return Refusal("R-11", "one_diesel", {"train": train.number}) if train.diesel else None
    if train.closed:
        return Refusal("R-11", "caboose_closes", {"train": train.number})
    if card in (WILD, CABOOSE):
        return None
    parts = groups(book, train.cars)
    if parts.link:
        fits = card == parts.second[0]
        return None if fits else Refusal("R-09", "cannot_add", {"car": parts.second[0], "card": card})
    if belongs(book, train.cars[0], card):
        return None
    if train.cars[-1] != WILD:
        return Refusal("R-09", "cannot_add", {"car": train.cars[0], "card": card})
    before = train.cars[:-1]
    alike = len(before) >= BEFORE_LINK and set(before) <= {train.cars[0], WILD}
    return None if alike else Refusal("R-13", "needs_two", {"card": card})
