"""Cards that wait to be cleared away ("ghosts") are recognised as long as they lie on the table."""

from __future__ import annotations

import pytest

from companion.engine import Layout, Spot
from companion.messages import Sighted, Sighting
from companion.sight.ghosts import MOST_NEW, remaining_ghosts, unexpected_ghosts, without_some


def food(at: int) -> Sighting:
    """Return a sighting of a card in the market, at a position in the row."""
    x = at * 70.0
    return Sighting("market", "food-150", at, corners=((x, 0), (x + 60, 0), (x + 60, 90), (x, 90)))


def test_of_two_cards_alike_people_take_either() -> None:
    """Of two equal cards either can be the ghost that is cleared away."""
    before = Sighted(1, 1, (food(0), food(1)))
    for left in (food(0), food(1)):
        assert remaining_ghosts([food(0)], Sighted(2, 2, (left,)), before) == []
    assert remaining_ghosts([food(0)], Sighted(2, 2, before.sightings), before) == [food(0)]


def test_a_card_under_a_hand_still_lies_there() -> None:
    """A card at a covered place still counts as lying there."""
    before = Sighted(1, 1, (food(0), food(1)))
    assert remaining_ghosts([food(0)], Sighted(2, 2, (), ("market",)), before) == [food(0)]


def test_a_card_that_the_rules_expect_by_now_need_not_be_cleared_away() -> None:
    """A ghost that the rules now expect at its place is no longer a ghost."""
    said = Layout({"market": Spot(("food-150", "oil-100"))})
    assert unexpected_ghosts([food(0), food(1)], said, Layout({"market": Spot(("oil-100",))})) == [food(1)]


@pytest.mark.parametrize(
    "seen",
    [Layout({}), Layout({"market": Spot(("oil-100",), unnamed=1)}), Layout({"market": Spot(("food-150", "oil-100"))})],
)
def test_a_card_to_be_cleared_away_stays_one_where_the_expected_one_may_lie(seen: Layout) -> None:
    """A ghost stays one while the expected card may be covered, unnamed or beside it."""
    assert unexpected_ghosts([food(0)], Layout({"market": Spot(("food-150", "oil-100"))}), seen) == [food(0)]


def test_as_few_cards_as_possible_are_thought_to_be_new() -> None:
    """Combinations of ghosts that may be new cards begin with single cards of the given places."""
    other = Sighting("pool", "oil-100")
    assert list(without_some([food(0), other, food(1)], {"market"})) == [[other, food(1)], [food(0), other], [other]]


def test_of_many_cards_to_be_cleared_away_none_is_thought_to_be_new() -> None:
    """With too many ghosts none is considered new, because the search would take too long."""
    assert list(without_some([food(at) for at in range(MOST_NEW + 1)], {"market"})) == []
