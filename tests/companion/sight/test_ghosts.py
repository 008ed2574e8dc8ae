"""Cards that have still to be cleared away: which of them still lie there."""

from __future__ import annotations

from companion.messages import Sighted, Sighting
from companion.sight.ghosts import remaining_ghosts


def food(at: int) -> Sighting:
    """Return a card of the market, side by side with others like it."""
    x = at * 70.0
    return Sighting("market", "food-150", at, corners=((x, 0), (x + 60, 0), (x + 60, 90), (x, 90)))


def test_of_two_cards_alike_people_take_either() -> None:
    """One was taken by a tap and has to be moved: whichever of the two goes, the other one is the market's."""
    before = Sighted(1, 1, (food(0), food(1)))
    for left in (food(0), food(1)):
        assert remaining_ghosts([food(0)], Sighted(2, 2, (left,)), before) == []
    assert remaining_ghosts([food(0)], Sighted(2, 2, before.sightings), before) == [food(0)]


def test_a_card_under_a_hand_still_lies_there() -> None:
    """What is covered is not gone."""
    before = Sighted(1, 1, (food(0), food(1)))
    assert remaining_ghosts([food(0)], Sighted(2, 2, (), ("market",)), before) == [food(0)]
