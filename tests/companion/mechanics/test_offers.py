"""Shared offers: what belongs to no seat, sets, orders, and hands dealt at once."""

from __future__ import annotations

import random

from companion.engine import Effect, Event, Seat, SeatEvent
from companion.mechanics.offers import Orders, Sets, TableOffer
from companion.mechanics.pool import HandDeal

A, B = Seat(0), Seat(1)


class Read(Event, frozen=True):
    """A figure was read."""

    figure: int


class Turned(SeatEvent, frozen=True):
    """A seat turned cards down."""

    cards: tuple[str, ...]


class Ordered(SeatEvent, frozen=True):
    """A seat put seats in order."""

    order: tuple[int, ...]


class Dealt(Event, frozen=True):
    """Hands were dealt."""

    hands: tuple[tuple[str, ...], ...]


class Followed(Effect, frozen=True):
    """Something followed."""


def test_what_belongs_to_no_seat_is_legal_if_it_fits() -> None:
    """Of its kind, it is in the offer where it fits; examples stand for all, the first one where nothing is drawn."""
    even = TableOffer(Read, lambda event: event.figure % 2 == 0, (Read(2), Read(4)))
    assert Read(6) in even and Read(3) not in even and Turned(A, ()) not in even
    assert list(even) == [Read(2), Read(4)] and even.pick(lambda: 0.9) == Read(2)
    assert even.by is None and not even.chance
    drawn = TableOffer(Read, even.fits, even.examples, lambda luck: Read(2 * int(luck() * 10)), chance=True)
    assert drawn.pick(lambda: 0.5) == Read(10) and drawn.chance


def test_a_set_may_be_named_in_any_order() -> None:
    """The cards of one of the sets, no others, by the seat alone."""
    offer = Sets(A, Turned, ((), ("a", "b")))
    assert Turned(A, ("b", "a")) in offer and Turned(A, ()) in offer
    assert Turned(A, ("a",)) not in offer and Turned(A, ("a", "a")) not in offer and Turned(B, ()) not in offer
    assert Ordered(A, ()) not in offer
    assert list(offer) == [Turned(A, ()), Turned(A, ("a", "b"))] and offer.pick(lambda: 0.9) == Turned(A, ("a", "b"))


def test_an_order_names_everything_once() -> None:
    """Each order is there, and each can be picked."""
    offer = Orders(A, Ordered, (0, 1, 2))
    assert Ordered(A, (2, 0, 1)) in offer and Ordered(A, (0, 1)) not in offer and Ordered(A, (0, 1, 1)) not in offer
    assert Ordered(B, (0, 1, 2)) not in offer and len(set(offer)) == 6
    luck = random.Random(1).random
    assert {offer.pick(luck) for _ in range(100)} == set(offer)


def test_hands_are_dealt_at_once() -> None:
    """So many cards for each seat, every card once; there is no deal where the pool is too small."""
    deal = HandDeal(Dealt, ("a", "b", "c", "d", "e"), 2, 2)
    assert Dealt((("a", "e"), ("c", "b"))) in deal and deal and deal.pick(random.Random(1).random) in deal
    for hands in ((("a", "b"),), (("a",), ("b", "c")), (("a", "b"), ("b", "c")), (("a", "b"), ("c", "x"))):
        assert Dealt(hands) not in deal
    assert Read(1) not in deal and not HandDeal(Dealt, ("a", "b", "c"), 2, 2)
