"""Test pictures of verdicts: the judged press in plain words and at its position on the line."""

from __future__ import annotations

from itertools import pairwise

import pytest

from companion.referee.verdict import Judged, PressMark
from web.presenters.press_timeline import PressTimeline, format_span, last_case, timeline

LOT = "1 steam-4"
BILL_LEADS = Judged("raise", LOT, (PressMark(1, 0, "leads", 350),))
ONE = Judged("count", LOT, (PressMark(1, 0, "counted", 1),))
TWO = Judged("count", LOT, (PressMark(1, 0, "counted", 2),))
TRAIL = (
    PressMark(0, -4_000_000, "leads", 300),
    PressMark(1, -3_000_000, "leads", 350),
    PressMark(1, -2_000_000, "counted", 1),
    PressMark(1, -1_000_000, "counted", 2),
    PressMark(1, 0, "counted", 3),
)
SOLD = Judged("sold", LOT, TRAIL)


def drawn(*verdicts: Judged) -> PressTimeline:
    """Return the picture of a series of verdicts."""
    case = last_case(verdicts)
    assert case is not None
    return timeline(case, True)


def late(at: int, outcome: str = "too_late", lot: str = LOT, within: int = 0) -> Judged:
    """Return Jane's unsuccessful press."""
    return Judged("missed", lot, (PressMark(0, at, outcome, within=within),))  # type: ignore[arg-type]


def test_a_sale_shows_every_press_at_its_place() -> None:
    """Each seat has a lane, presses are in order on the line, and the third count is at the decisive moment."""
    found = drawn(BILL_LEADS, ONE, TWO, SOLD)
    assert (found.kind, found.title, found.seats) == ("sold", "counted", (1,))
    assert [(lane.seat, len(lane.spots)) for lane in found.lanes] == [(0, 1), (1, 4)]
    places = [spot.x for spot in found.lanes[1].spots]
    assert places == sorted(places) and len(set(places)) == 4
    assert found.lanes[1].spots[-1].x == found.zero


def test_a_press_too_late_belongs_to_the_sale() -> None:
    """The sale names the nearest of several late presses, and none of another lot."""
    found = drawn(SOLD, late(1_000), late(90_000), late(500, lot="1 diesel-1"))
    assert (found.title, found.seats, found.time) == ("too_late", (0,), 1_000)
    spots = found.lanes[0].spots
    assert [spot.outcome for spot in spots] == ["leads", "too_late", "too_late"]
    assert found.zero < spots[1].x < spots[2].x


def test_a_press_that_was_heard_too_late_stands_before_three() -> None:
    """A press whose message was late appears at its true time."""
    found = drawn(SOLD, late(-7_000, "undelivered"))
    assert (found.title, found.time) == ("undelivered", -7_000)
    assert found.lanes[0].spots[-1].x < found.zero


def test_a_raise_just_before_three() -> None:
    """If Bill's third count was 12 ms after Jane's raise, the title says which count it would have been."""
    jane = Judged("raise", LOT, (PressMark(0, 0, "leads", 400),))
    outbid = Judged("missed", LOT, (PressMark(1, 12_000, "outbid"),))
    found = drawn(BILL_LEADS, ONE, TWO, jane, outbid)
    assert (found.kind, found.title, found.seats, found.time) == ("outbid", "outbid_3", (0, 1), 12_000)
    assert drawn(BILL_LEADS, ONE, jane, outbid).title == "outbid_2"


def test_the_same_moment() -> None:
    """For two raises at nearly the same time, the title says which was later, and by how much."""
    found = drawn(BILL_LEADS, Judged("missed", LOT, (PressMark(2, 4_000, "same_moment", 350),)))
    assert (found.title, found.seats, found.time) == ("same_moment", (2, 1), 4_000)
    tied = drawn(Judged("raise", LOT, (PressMark(0, 0, "tied", 350), PressMark(2, 0, "tied", 350))))
    assert (tied.title, tied.seats) == ("tied", (0, 2))


@pytest.mark.parametrize(("within", "unsure"), [(0, False), (900, False), (1_000, True), (8_000, True)])
def test_what_cannot_be_told_for_sure_is_marked(within: int, unsure: bool) -> None:
    """A press is marked if its uncertainty is at least as large as the decisive difference."""
    assert drawn(SOLD, late(1_000, within=within)).lanes[0].spots[-1].unsure is unsure


def test_fists_that_opened() -> None:
    """The picture shows when each seat was ready, and which was last."""
    marks = (PressMark(2, -9_000_000, "ready"), PressMark(0, -4_000_000, "ready"), PressMark(1, -3_300_000, "ready"))
    found = drawn(SOLD, Judged("reveal", "1 x", marks))
    assert (found.kind, found.title, found.seats) == ("reveal", "reveal", (1,))
    assert [lane.seat for lane in found.lanes] == [2, 0, 1]


@pytest.mark.parametrize("verdicts", [(), (BILL_LEADS, ONE), (late(1_000, "not_accepted"),), (late(1_000),)])
def test_what_is_not_worth_a_picture(verdicts: tuple[Judged, ...]) -> None:
    """Plain raises and counts, and misses without their sale, have no picture."""
    assert last_case(verdicts) is None


def test_labels_never_touch() -> None:
    """Labels keep their distance however many presses a lane has, and the important one is always shown."""
    marks = tuple(PressMark(0, -at * 1_000, "leads", at) for at in range(1, 200, 9))
    found = drawn(Judged("sold", LOT, (*marks, PressMark(1, 0, "counted", 3))), late(2_000))
    places = sorted(spot.x for spot in found.lanes[0].spots if spot.label)
    assert all(b - a >= 15 for a, b in pairwise(places))
    assert found.lanes[0].spots[-1].label
    for lane in found.lanes:
        assert all(0 <= spot.x <= 100 for spot in lane.spots)


@pytest.mark.parametrize(
    ("micro", "lang", "text"),
    [
        (-12_000, "en", "−12\u202fms"),
        (1_000, "en", "+1\u202fms"),
        (301, "fr", "+0,4\u202fms"),
        (11_001, "en", "+12\u202fms"),
        (-1_230_000, "en", "−1.3\u202fs"),
        (0, "en", "0\u202fms"),
    ],
)
def test_times_are_read_as_people_say_them(micro: int, lang: str, text: str) -> None:
    """Times have thousandths near the moment and whole seconds further away, and are never rounded towards it."""
    assert format_span(micro, lang) == text
