"""Test the moves that make a rendered table match a layout, and the cards that turn up."""

from __future__ import annotations

import random

import pytest

from companion.devices.camera_requests.table import LaidCard
from companion.engine import Layout, Place, Seat, Setup, Spot, State, follow, legal
from companion.games.take_a_train.rules import RULES
from companion.messages import CardLaid
from web.presenters.card_moves import cards_to_turn_up, compare_places, settling_moves, turning_moves

MARKET, ONE, TWO = Place("market", "spread", 4), Place("one", "row", 8, Seat(0)), Place("two", "row", 8, Seat(0))
PLACES = (MARKET, ONE, TWO, Place("deck", "pile"))
ALIKE = (("one", "two"),)


def settled(lain: list[LaidCard], said: Layout) -> tuple[CardLaid, ...]:
    """Return the moves that settle a table, and check that they do."""
    moves = settling_moves(compare_places(lain, said, PLACES), "back-any")
    there = list(lain)
    for each in moves:
        if each.source:
            there.remove(LaidCard(each.source, each.card, each.face))
        if each.place:
            there.append(LaidCard(each.place, each.card, each.face))
    for stead in compare_places(there, said, PLACES):
        assert not stead.extra and not stead.missing and not stead.upended, stead
    return moves


def test_what_lies_right_stays() -> None:
    """Only missing cards are laid and extra ones removed; piles and other places stay as they are."""
    said = Layout({"market": Spot(("a", "b"))})
    lain = [LaidCard("market", "c"), LaidCard("market", "a"), LaidCard("one", "x"), LaidCard("deck", "y")]
    assert settled(lain, said) == (CardLaid("c", "", "market"), CardLaid("b", "market"))


def test_two_of_a_kind_are_two() -> None:
    """A card that lies once but belongs there twice is laid a second time."""
    assert settled([LaidCard("market", "a")], Layout({"market": Spot(("a", "a"))})) == (CardLaid("a", "market"),)


def test_a_row_keeps_its_first_card() -> None:
    """New wagons go behind the first card; a row that starts with a wagon is laid again from its first card."""
    said = Layout({"one": Spot(("loco", "v", "w"))})
    assert settled([LaidCard("one", "loco"), LaidCard("one", "w")], said) == (CardLaid("v", "one"),)
    anew = settled([LaidCard("one", "w"), LaidCard("one", "loco")], said)
    assert anew[2:] == (CardLaid("loco", "one"), CardLaid("v", "one"), CardLaid("w", "one"))


def test_face_down_any_back_will_do() -> None:
    """Any face-down card is right, and a missing one is replaced by a back."""
    said = Layout({"one": Spot(("w",), 1)})
    assert settled([LaidCard("one", "back-other", "down"), LaidCard("one", "w")], said) == ()
    assert settled([], said) == (CardLaid("back-any", "one", face="down"), CardLaid("w", "one"))


def test_trains_may_lie_in_any_order() -> None:
    """A seat's trains may lie in another order, and a missing card goes to its own train."""
    said = Layout({"one": Spot(("a", "v")), "two": Spot(("b",))}, ALIKE)
    assert settled([LaidCard("one", "b"), LaidCard("two", "a")], said) == (CardLaid("v", "two"),)


@pytest.mark.parametrize("seed", range(6))
def test_what_turns_up_is_what_may(seed: int) -> None:
    """Throughout a game, the rules accept the cards that turn up at their places."""
    luck = random.Random(seed)
    state: State[object] = RULES.begin(Setup(RULES.name, 3))  # type: ignore[assignment]
    turned = 0
    while not state.over:
        offers = legal(RULES, state)  # type: ignore[arg-type]
        before = random.Random(seed).random
        cards = cards_to_turn_up(RULES, state, before)
        offer = offers[0] if offers[0].chance else luck.choice(offers)
        event = offer.pick(random.Random(seed).random if offer.chance else luck.random)
        if cards and offer.chance:
            turned += 1
            after = RULES.layout(follow(RULES, state, event))  # type: ignore[arg-type]
            for place, new in cards.items():
                assert set(new) <= {*after.spots[place].up, *after.lingering.get(place, ())}
            found = compare_places([], RULES.layout(state), RULES.places(3))  # type: ignore[arg-type]
            assert [(each.card, each.place) for each in turning_moves(found, cards)] == [
                (card, place) for place, new in cards.items() for card in new
            ]
        state = follow(RULES, state, event)  # type: ignore[arg-type]
    assert turned > 5
