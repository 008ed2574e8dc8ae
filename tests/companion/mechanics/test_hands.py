"""Matches of several hands: totals, dealers and the end."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import Seat
from companion.mechanics.hands import HandsError, SeveralHands
from companion.mechanics.sides import Sides

PAIRS = Sides.alternating(4, 2)


def after(*scores: tuple[int, ...], **fields: int) -> SeveralHands:
    """Return a match of four seats in two sides after some hands."""
    hands = SeveralHands(4, 2, fields.pop("most", 20), Seat(2), **fields)  # type: ignore[arg-type]
    for each in scores:
        hands = hands.next_hand(each)
    return hands


def test_totals_run_and_the_dealer_moves() -> None:
    """Totals add up over the hands, and the deal moves clockwise."""
    assert (after().number, after().dealer, after().totals, after().leaders()) == (1, 2, (0, 0), (0, 1))
    hands = after((30, 10), (0, 45), (-5, 0))
    assert (hands.number, hands.played, hands.dealer, hands.totals) == (4, 3, 1, (25, 55))
    assert hands.course == ((0, 0), (30, 10), (30, 55), (25, 55))
    assert (hands.leaders(), hands.leaders(lowest=True)) == ((1,), (0,))
    assert PAIRS.ranking(hands.totals) == ((1, 3), (0, 2))


def test_a_match_ends_at_its_target() -> None:
    """A match ends when one side leads at the target, or at a tie if the victory is shared."""
    assert after((104, 101)).finished(100)
    assert not after((103, 103)).finished(100)
    assert after((103, 103)).finished(100, shared=True)
    assert after((103, 103), (0, 5)).finished(100)
    assert not after((99, 0)).finished(100)
    assert not after((104, 101)).finished()
    assert not after().finished(0)


def test_the_lowest_may_lead() -> None:
    """With `lowest` the side with the fewest points wins when another reaches the target."""
    assert after((104, 20)).finished(100, lowest=True)
    assert after((104, 20)).leaders(lowest=True) == (1,)


def test_a_match_has_a_last_hand() -> None:
    """After the last hand the match is over, even if tied, and no further hand can be scored."""
    hands = after((5, 5), (0, 0), most=2)
    assert hands.finished()
    assert hands.finished(100)
    assert (hands.number, hands.dealer) == (2, 3)
    with pytest.raises(HandsError, match="The last hand, number 2, is over"):
        hands.next_hand((1, 1))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ((4, 2, 20, 4), "Seat 5 cannot deal among 4 players."),
        ((4, 0, 20), "4 players cannot form 0 sides."),
        ((2, 3, 20), "2 players cannot form 3 sides."),
        ((4, 2, 0), "A match has at least one hand."),
        ((4, 2, 9, 0, ((1, 2, 3),)), "A hand has a score for each of the 2 sides, not 3 scores."),
    ],
)
def test_what_is_no_match_is_refused(fields: tuple[object, ...], sentence: str) -> None:
    """Impossible fields are refused with a sentence."""
    with pytest.raises(HandsError) as caught:
        SeveralHands(*fields)  # type: ignore[arg-type]
    assert str(caught.value) == sentence


@given(st.data())
def test_hands_add_up(data: st.DataObject) -> None:
    """Totals are the sums of the scores, each seat deals in turn, and a match survives JSON."""
    players = data.draw(st.integers(1, 6))
    sides, most = data.draw(st.integers(1, players)), data.draw(st.integers(1, 12))
    first = Seat(data.draw(st.integers(0, players - 1)))
    scores = data.draw(st.lists(st.tuples(*[st.integers(-50, 50)] * sides), max_size=most))
    hands = SeveralHands(players, sides, most, first)
    for played, each in enumerate(scores):
        assert hands.dealer == (first + played) % players
        assert hands.number == played + 1
        before, hands = hands, hands.next_hand(each)
        assert hands.totals == tuple([one + more for one, more in zip(before.totals, each, strict=True)])
        assert before.history == hands.history[:-1]
    assert hands.totals == tuple([sum(each[side] for each in scores) for side in range(sides)])
    assert len(hands.course) == len(scores) + 1
    assert hands.finished() == (len(scores) == most)
    assert set(hands.leaders()) <= set(range(sides))
    assert {hands.totals[side] for side in hands.leaders()} == {max(hands.totals)}
    assert msgspec.json.decode(msgspec.json.encode(hands), type=SeveralHands) == hands
