"""Test the scores of trains, bonuses, going out and hands (S-01 to S-08)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.express.events import HandScored
from companion.games.express.scoring import TrainScore, train_score
from companion.games.express.steps.endings import hand_scores
from tests.games.express.build import A, B, book, fixed_for, laid, train
from tests.games.proofs import proves

BOOK = book()


def points(cars: str, mode: str = "set_of_three", diesel: bool = False) -> int:
    """Return the points of a train."""
    return train_score(BOOK, train(1, cars, diesel=diesel), mode).points


@proves("S-01", "S-02", "S-03", "S-04", "R-12", "T-12", "T-13", "T-14", "T-15", "T-16", "scoring=set_of_three")
@pytest.mark.parametrize(
    ("cars", "expected"),
    [
        ("hopper hopper hopper", 3),
        ("hopper hopper hopper hopper hopper", 9),
        ("hopper hopper wild", 3),
        ("hopper hopper wild gondola", 3 + 3 + 0 + 2),
        ("hopper hopper hopper wild gondola gondola", 3 + 0 + 4),
        ("hopper hopper wild wild gondola", 3 + 0 + 2),
        ("hopper hopper wild gondola wild caboose", 6 + 0 + 2 + 2 + 2),
        ("hopper hopper caboose", 3),
        ("hopper hopper", 0),
        ("hopper wild", 0),
        ("hopper caboose", 0),
    ],
)
def test_freight(cars: str, expected: int) -> None:
    """The first three cars score their value once, each further car scores it again, and a transition scores 0."""
    assert points(cars) == expected


@proves("S-02", "T-12", "scoring=sum")
def test_the_other_reading_adds_every_car() -> None:
    """Each car scores its value, and a train of fewer than three scores nothing."""
    assert points("hopper hopper hopper", "sum") == 9
    assert points("hopper hopper hopper hopper hopper", "sum") == 15
    assert points("hopper hopper wild gondola", "sum") == 3 + 3 + 0 + 2
    assert points("hopper hopper", "sum") == 0


@proves("S-05", "S-06", "T-17")
def test_bonuses_double() -> None:
    """Each bonus doubles the score: two bonuses turn a base of 8 into 32, four into 128."""
    eight = book(coach=replace(BOOK["coach"], value=8, count=3))
    ordered = train_score(eight, train(1, "coach coach coach"), "set_of_three")
    assert ordered == TrainScore(32, 3, 8, ("in_order", "all_coaches"), ("coach",) * 3)
    small = book(
        coach=replace(BOOK["coach"], count=1, value=0),
        mail_baggage=replace(BOOK["mail_baggage"], value=8),
        sleeper=replace(BOOK["sleeper"], value=0),
        observation=replace(BOOK["observation"], value=0),
        dome=replace(BOOK["dome"], value=0),
    )
    whole = train(1, "mail_baggage coach dome sleeper observation", diesel=True)
    found = train_score(small, whole, "set_of_three")
    assert (found.base, found.points, len(found.bonuses)) == (8, 128, 4)


@proves("S-05", "S-06", "A-10")
def test_each_bonus_by_itself() -> None:
    """Each passenger bonus doubles the score by itself, and trains with freight cars get no bonus."""
    assert points("coach coach dome sleeper") == (3 + 5) * 2, "in order"
    assert points("dome coach sleeper") == 5, "neither in order nor whole"
    assert points("dome coach sleeper", diesel=True) == 5 * 2
    assert points("observation sleeper dome coach mail_baggage") == (4 + 3 + 4) * 2, "one of each"
    assert points("hopper hopper hopper", diesel=True) == 3, "a freight train has no bonus"
    assert points("coach coach wild hopper", diesel=True) == 3 + 3 + 3, "a train with a transition neither"


@proves("R-14", "S-06", "T-18")
def test_a_wild_stands_for_the_sixth_coach() -> None:
    """A wild behind five Coaches counts as the sixth."""
    found = train_score(BOOK, train(1, "coach coach coach coach coach wild"), "set_of_three")
    assert found.bonuses == ("in_order", "all_coaches")
    assert found.stands_for == ("coach",) * 6
    assert found.points == (3 + 3 * 3) * 4


@proves("S-07", "S-08")
def test_a_hand_is_scored() -> None:
    """A hand scores trains, 5 per maintenance card and 10 for going out, less the cards left in the side's hands."""
    state = laid({0: "", 1: "reefer hopper"}, {0: ["hopper hopper hopper"]}, maintenance={0: "boom office"})
    assert [score.count for score in hand_scores(state.table, A)] == [3 + 10 + 10, -7]
    assert hand_scores(state.table, None) == (HandScored((A,), 13, 3, 10), HandScored((B,), -7, left=7))
    partners = laid({0: "", 2: "reefer"}, {0: ["hopper hopper hopper"]}, players=4)
    assert [score.count for score in hand_scores(partners.table, A)] == [3 + 5 - 4, 0]


@proves("S-08")
def test_what_going_out_and_hands_bring_follows_the_profile() -> None:
    """Going out scores 10, or 5 for two pairs. A profile may set a fixed cost for each card left in hand."""
    pairs, fixed, cards = fixed_for(4), fixed_for(2), ("reefer", "wild", "wreck")
    alone = fixed_for(4, partners="alone")
    assert [each.out_bonus for each in (fixed, pairs, alone, fixed_for(6))] == [10, 5, 10, 10]
    assert fixed.hand_cost(cards) == 4
    assert replace(fixed, profile=replace(fixed.profile, hand_cost=2)).hand_cost(cards) == 6
