"""Moments that pages show everybody: opened fists, a sale, income, a card turned over.

A game with moments of its own declares them. Pages show an event's moments at once, so they contain only public
information; its `sources`, where points or money came from, appear only at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from companion.engine import Effect, Seat, fields_of, name_of


class Sale(msgspec.Struct, frozen=True):
    """A seat bought a lot; without a price if nobody paid."""

    seat: Seat
    price: int | None = None
    card: str = ""


class FistReveal(msgspec.Struct, frozen=True):
    """All fists opened, with their amounts by seat. `tied` seats bid the same; without them and a sale nobody bought.

    `final` is off if more fists follow, or if the amounts only set an order.
    """

    amounts: tuple[int | None, ...]
    sale: Sale | None = None
    tied: tuple[Seat, ...] = ()
    final: bool = True


class IncomePart(NamedTuple):
    """One source's payment to a seat: `key` names it in the words of the game, with its fields."""

    seats: tuple[Seat, ...]
    amount: int
    key: str
    fields: Mapping[str, int] = {}


class Income(msgspec.Struct, frozen=True):
    """Several sources pay, one after another; `title` is a key of the game's words."""

    title: str
    parts: tuple[IncomePart, ...]


class CardTurned(msgspec.Struct, frozen=True):
    """A seat turned a card over: keys of its title and its text in the game's words, and what it pays."""

    seat: Seat
    title: str
    text: str
    amount: int


Moment = FistReveal | Sale | Income | CardTurned


def sales(effects: Iterable[Effect]) -> tuple[Sale, ...]:
    """Return the sale of an event: an effect `sold` names the seat, and perhaps price and card.

    Several sales at once are no moment: the page shows them together.
    """
    fields = [fields_of(effect) for effect in effects if name_of(effect) == "sold"]
    return (Sale(fields[0]["seat"], fields[0].get("price"), fields[0].get("card", "")),) if len(fields) == 1 else ()
