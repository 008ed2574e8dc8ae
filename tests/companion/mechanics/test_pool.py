"""Pools are sets of cards in unknown order."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.engine import Event
from companion.mechanics.pool import Draw, NextCard, arrangements, shuffle, without


class Turned(Event, frozen=True):
    """Cards turned up."""

    cards: tuple[str, ...]


class Dealt(Event, frozen=True):
    """A card came to a seat."""

    seat: int
    card: int


def test_cards_are_taken_out_one_for_one() -> None:
    """Each card is removed once per request, and a missing card raises ValueError."""
    assert without(("a", "b", "a"), ("a",)) == ("b", "a")
    with pytest.raises(ValueError, match="not in tuple"):
        without(("a", "b"), ("c",))


def test_a_draw_contains_what_can_turn_up() -> None:
    """A draw contains every combination of cards that the pool allows, in any order."""
    draw = Draw(Turned, ("a", "a", "b"), 2)
    assert [Turned(cards) in draw for cards in (("a", "a"), ("b", "a"))] == [True, True]
    assert [Turned(cards) in draw for cards in (("b", "b"), ("a",), ("a", "c"))] == [False] * 3
    assert Turned(("a",)) in Draw(Turned, ("a",), 1)
    assert Turned(("b",)) not in Draw(Turned, ("a",), 1)
    assert Turned(("b",)) in Draw(Turned, ("a",), 0, ("b",), 1)


def test_the_next_card_is_any_of_its_pool() -> None:
    """The next card can be any of its pool, with the fixed fields before it."""
    offer = NextCard(Dealt, (4, 7), (1,))
    assert list(offer) == [Dealt(1, 4), Dealt(1, 7)]
    assert [event in offer for event in (Dealt(1, 7), Dealt(0, 7), Dealt(1, 5), Turned(("a",)))] == [True] + [False] * 3
    assert [offer.pick(lambda at=at: at) for at in (0.0, 0.99)] == [Dealt(1, 4), Dealt(1, 7)]


def test_the_deck_comes_before_the_reshuffled_pile() -> None:
    """The first cards of a draw come from the deck, and the others from the reshuffled pile."""
    draw = Draw(Turned, ("a",), 1, ("b", "c"), 1)
    assert Turned(("a", "c")) in draw
    assert Turned(("c", "a")) not in draw
    assert [e.cards for e in draw] == [("a", "b"), ("a", "c")]  # type: ignore[attr-defined]


def test_a_draw_lists_every_outcome_once() -> None:
    """Each distinct outcome is listed once, and listing starts at once even for many outcomes."""
    assert list(arrangements(("a", "a", "b"), 2)) == [("a", "a"), ("a", "b"), ("b", "a")]
    many = arrangements(tuple(str(n) for n in range(87)), 5)
    assert next(many) == ("0", "1", "2", "3", "4")


def test_picking_is_fair() -> None:
    """Each card is drawn about equally often, and never twice in one draw."""
    luck = random.Random(7)
    draw = Draw(Turned, ("a", "b", "c", "d"), 2)
    seen: Counter[str] = Counter()
    for _ in range(4000):
        event = draw.pick(luck.random)
        assert event in draw
        seen.update(event.cards)  # type: ignore[attr-defined]
    assert all(abs(count - 2000) < 150 for count in seen.values())


def test_shuffling_keeps_every_card() -> None:
    """Shuffling keeps all cards and depends only on the random source."""
    cards = tuple("abcdefgh")
    once, again = (shuffle(cards, random.Random(3).random) for _ in range(2))
    assert sorted(once) == sorted(cards)
    assert once == again != cards
