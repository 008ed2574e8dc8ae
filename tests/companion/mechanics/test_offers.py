"""Shared offers: events without a seat, sets, orders, pairs, and hands dealt at once."""

from __future__ import annotations

import random
from typing import ClassVar

from companion.engine import Event, Seat, SeatEvent
from companion.mechanics.offers import FromHand, Orders, Pairs, Sets, TableOffer
from companion.mechanics.pool import HandDeal
from companion.mechanics.zones import Zones, only

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


class Moved(SeatEvent, frozen=True):
    """A seat moved something from a place to another one."""

    place: int
    to: int | None


class Moves(Pairs, frozen=True, gc=False):
    """Possible moves of a seat."""

    moves: tuple[tuple[int, int | None], ...]
    kind: ClassVar = Moved

    def pairs(self) -> tuple[tuple[int, int | None], ...]:
        """Return the pairs of places."""
        return self.moves


class Discards(FromHand, frozen=True, gc=False):
    """Possible discards of a seat."""

    kind: ClassVar = Turned


def test_what_belongs_to_no_seat_is_legal_if_it_fits() -> None:
    """A table offer contains every fitting event of its kind, and lists or draws examples."""
    even = TableOffer(Read, lambda event: event.figure % 2 == 0, (Read(2), Read(4)))
    assert Read(6) in even and Read(3) not in even and Turned(A, ()) not in even
    assert list(even) == [Read(2), Read(4)] and even.pick(lambda: 0.9) == Read(2)
    assert even.by is None and not even.chance
    drawn = TableOffer(Read, even.fits, even.examples, lambda luck: Read(2 * int(luck() * 10)), chance=True)
    assert drawn.pick(lambda: 0.5) == Read(10) and drawn.chance


def test_a_set_may_be_named_in_any_order() -> None:
    """A set of cards can be named in any order, by its seat alone."""
    offer = Sets(A, Turned, ((), ("a", "b")))
    assert Turned(A, ("b", "a")) in offer and Turned(A, ()) in offer
    assert Turned(A, ("a",)) not in offer and Turned(A, ("a", "a")) not in offer and Turned(B, ()) not in offer
    assert Ordered(A, ()) not in offer
    assert list(offer) == [Turned(A, ()), Turned(A, ("a", "b"))] and offer.pick(lambda: 0.9) == Turned(A, ("a", "b"))


def test_an_order_names_everything_once() -> None:
    """Every order of the seats is in the offer and can be picked."""
    offer = Orders(A, Ordered, (0, 1, 2))
    assert Ordered(A, (2, 0, 1)) in offer and Ordered(A, (0, 1)) not in offer and Ordered(A, (0, 1, 1)) not in offer
    assert Ordered(B, (0, 1, 2)) not in offer and len(set(offer)) == 6
    luck = random.Random(1).random
    assert {offer.pick(luck) for _ in range(100)} == set(offer)


def test_hands_are_dealt_at_once() -> None:
    """A deal gives each seat its number of cards, each card once, and is empty if the pool is too small."""
    deal = HandDeal(Dealt, ("a", "b", "c", "d", "e"), 2, 2)
    assert Dealt((("a", "e"), ("c", "b"))) in deal and deal and deal.pick(random.Random(1).random) in deal
    for hands in ((("a", "b"),), (("a",), ("b", "c")), (("a", "b"), ("b", "c")), (("a", "b"), ("c", "x"))):
        assert Dealt(hands) not in deal
    assert Read(1) not in deal and not HandDeal(Dealt, ("a", "b", "c"), 2, 2)


def test_two_choices_go_together() -> None:
    """An offer of pairs contains only its pairs, and picks each with the same probability."""
    offer = Moves(A, ((0, None), (2, 1)))
    assert Moved(A, 2, 1) in offer and Moved(A, 0, None) in offer
    assert Moved(A, 2, None) not in offer and Moved(B, 2, 1) not in offer and Turned(A, ()) not in offer
    assert list(offer) == [Moved(A, 0, None), Moved(A, 2, 1)] and offer.pick(lambda: 0.5) == Moved(A, 2, 1)


def test_cards_of_a_hand_are_named_together() -> None:
    """A discard names the wanted number of cards, each at most as often as the hand may hold it."""
    zones = Zones.of({"hand": only(A)}, {"hand": ("coal", "oil", "oil")})
    offer = Discards(A, zones, "hand", 2, 2)
    assert set(offer) == {Turned(A, ("coal", "oil")), Turned(A, ("oil", "oil"))}
    assert Turned(A, ("oil", "coal")) in offer and Turned(A, ("coal", "coal")) not in offer
    assert Turned(A, ("oil",)) not in offer and Turned(B, ("coal", "oil")) not in offer and Ordered(A, ()) not in offer
    assert offer.pick(lambda: 0.0) in offer
