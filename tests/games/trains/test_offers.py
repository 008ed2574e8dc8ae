"""Test offers of several cards: the choices that a page lists, and which orders of cards are equivalent."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations

from companion.engine import Part
from companion.games.trains.events import CardsDiscarded, RevealedTaken
from companion.games.trains.steps.offers import TakeOne, from_hand
from companion.games.trains.table import hand_of
from companion.mechanics.zones import HIDDEN, Zones, only
from tests.games.trains.build import A

HAND = hand_of(A)


def test_each_card_of_a_hand_can_be_ticked() -> None:
    """A page lists each copy of a card, but at most as many as may be chosen."""
    zones = Zones.of({HAND: only(A)}, {HAND: ("waste", "lay_rails", "waste", "waste")})
    assert from_hand(zones, A, HAND, 2, 2).parts() == (Part("cards", ("lay_rails", "waste", "waste"), 2, 2, many=True),)


def test_revealed_cards_go_back_as_they_lay_unless_somebody_changes_it() -> None:
    """By default, revealed cards go back in their original order, with the first one on top."""
    offer = TakeOne(A, ("tunnel", "waste", "waste"))
    assert offer.parts() == (
        Part("card", ("tunnel", "waste"), least=0),
        Part("back", ("waste", "waste", "tunnel"), stacks="card"),
    )
    assert RevealedTaken(A, None, offer.parts()[1].values) in offer


def test_cards_of_the_hand_are_the_same_choice_in_any_order() -> None:
    """The order of the chosen cards makes no difference, even for real cards from two shuffled piles."""
    piles = {"old": ("lay_rails", "normal_train"), "new": ("normal_train", "waste")}
    zones = Zones.of({HAND: only(A), "old": HIDDEN, "new": HIDDEN}, piles)
    zones = zones.draw("old", HAND, 2).draw("new", HAND, 1)
    offer = from_hand(zones, A, HAND, 0, 3)
    for cards in combinations_with_replacement(("lay_rails", "normal_train", "waste"), 3):
        assert len({CardsDiscarded(A, order) in offer for order in permutations(cards)}) == 1, cards
    assert CardsDiscarded(A, ("waste", "normal_train", "lay_rails")) in offer
    assert CardsDiscarded(A, ("waste", "waste", "lay_rails")) not in offer
