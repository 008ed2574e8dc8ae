"""Test the chart of a finished game: every score, even a negative one, is on its scale."""

from __future__ import annotations

from itertools import pairwise

from companion.engine import Player
from web.presenters.chart import APART, HEIGHT, apart, chart

PLAYERS = (Player("Jane", "red", "circle"), Player("Bill", "blue", "square"))
SIDES = ((0,), (1,))


def test_scores_below_nothing_have_their_place() -> None:
    """The scale begins at the line below the lowest score, and no point lies outside the drawing."""
    found = chart([(0, 0), (-20, 26), (10, 66)], PLAYERS, SIDES)
    assert found is not None
    assert [mark.amount for mark in found.marks] == [-25, 0, 25, 50, 75]
    heights = [float(point.split(",")[1]) for curve in found.curves for point in curve.points.split()]
    top, bottom = found.marks[-1].y * HEIGHT / 100, found.marks[0].y * HEIGHT / 100
    assert 0 < top <= min(heights) and max(heights) <= bottom < HEIGHT


def test_a_scale_begins_at_nothing_where_no_score_is_lower() -> None:
    """The scale begins at zero if no score is lower, even if nobody ever has a score."""
    for history, scale in (([(0, 0), (4, 7)], range(8)), ([(0, 0), (0, 0)], range(2))):
        found = chart(history, PLAYERS, SIDES)
        assert found is not None and [mark.amount for mark in found.marks] == list(scale)


def test_marks_at_the_end_never_cover_one_another() -> None:
    """Six equal scores at the end are stacked inside the picture; distant ones stay at their lines' ends."""
    together = apart([7.0] * 6)
    assert [round(low - high, 1) for high, low in pairwise(together)] == [APART] * 5
    assert apart([95.0] * 6)[0] > 0 and max(apart([95.0] * 6)) <= 100
    assert apart([80.0, 20.0]) == (80.0, 20.0)


def test_a_mark_that_gave_way_leads_back_to_its_line() -> None:
    """Of two equal scores the second mark is lower, and both lines end at the score."""
    found = chart([(0, 0), (14, 14)], PLAYERS, SIDES)
    assert found is not None
    first, second = found.curves
    assert first.last == second.last == float(first.points.split(",")[-1]) / 10
    assert first.ends[0][1] == first.last and second.ends[0][1] == first.last + APART


def test_the_decisive_move_stands_where_it_happened() -> None:
    """The line of the decisive move is placed in hundredths of the width, and there is none without such a move."""
    history = [(0, 0), (1, 0), (2, 0), (2, 1), (3, 1)]
    found, none = chart(history, PLAYERS, SIDES, 1), chart(history, PLAYERS, SIDES)
    assert found is not None and none is not None and (found.turn, none.turn) == (25.0, -1.0)
