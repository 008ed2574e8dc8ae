"""The chart of a finished game: every score lies on its scale, those below nothing too."""

from __future__ import annotations

from companion.engine import Player
from web.presenters.chart import HEIGHT, chart

PLAYERS = (Player("Jane", "red", "circle"), Player("Bill", "blue", "square"))
SIDES = ((0,), (1,))


def test_scores_below_nothing_have_their_place() -> None:
    """The scale begins at the line below the lowest score, and no point lies outside the drawing."""
    found = chart([(0, 0), (-20, 26), (10, 66)], PLAYERS, SIDES)
    assert found is not None
    assert [mark.amount for mark in found.marks] == [-25, 0, 25, 50, 75]
    heights = [float(point.split(",")[1]) for curve in found.curves for point in curve.points.split()]
    assert min(mark.y for mark in found.marks) <= min(heights) and max(heights) <= found.marks[0].y < HEIGHT


def test_a_scale_begins_at_nothing_where_no_score_is_lower() -> None:
    """With scores, and where nobody ever has one."""
    for history, scale in (([(0, 0), (4, 7)], range(8)), ([(0, 0), (0, 0)], range(2))):
        found = chart(history, PLAYERS, SIDES)
        assert found is not None and [mark.amount for mark in found.marks] == list(scale)
