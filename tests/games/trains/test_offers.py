"""Offers of several cards at once: what people tick, and what counts as the same choice."""

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
    """Equal cards are several ticks; no card can be ticked more often than cards may be discarded."""
    zones = Zones.of({HAND: only(A)}, {HAND: ("waste", "lay_rails", "waste", "waste")})
    assert from_hand(zones, A, HAND, 2, 2).parts() == (Part("cards", ("lay_rails", "waste", "waste"), 2, 2, many=True),)


def test_revealed_cards_go_back_as_they_lay_unless_somebody_changes_it() -> None:
    """The first one that was revealed lay on top; one of them or none is taken."""
    offer = TakeOne(A, ("tunnel", "waste", "waste"))
    assert offer.parts() == (
        Part("card", ("tunnel", "waste"), least=0),
        Part("back", ("waste", "waste", "tunnel"), stacks="card"),
    )
    assert RevealedTaken(A, None, offer.parts()[1].values) in offer


def test_cards_of_the_hand_are_the_same_choice_in_any_order() -> None:
    """Real cards of two shuffled piles in one hand: what may be discarded does not depend on the order of the taps."""
    piles = {"old": ("lay_rails", "normal_train"), "new": ("normal_train", "waste")}
    zones = Zones.of({HAND: only(A), "old": HIDDEN, "new": HIDDEN}, piles)
    zones = zones.draw("old", HAND, 2).draw("new", HAND, 1)
    offer = from_hand(zones, A, HAND, 0, 3)
    for cards in combinations_with_replacement(("lay_rails", "normal_train", "waste"), 3):
        assert len({CardsDiscarded(A, order) in offer for order in permutations(cards)}) == 1, cards
    assert CardsDiscarded(A, ("waste", "normal_train", "lay_rails")) in offer
    assert CardsDiscarded(A, ("waste", "waste", "lay_rails")) not in offer
