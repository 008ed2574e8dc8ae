"""Test how far the table trusts a page's time of a press: no further back than its longest measured round trip."""

from __future__ import annotations

import pytest

from companion.messages import MILLISECOND, Press
from web.live.clocks import FARTHEST, PAGES, STALE, TRIPS, PageClocks, ScreenPress, press_time, seat_key

ARRIVED = 10**13
MS = MILLISECOND


@pytest.mark.parametrize(
    ("ago", "trips", "expected", "within"),
    [
        (5, (20, 8), 5, 4),  # accepted: shorter than the longest trip
        (20, (20, 8), 20, 4),
        (21, (20, 8), 20, 4),  # rejected: no trip was that long
        (5000, (20, 8), 20, 4),
        (5000, (900,), 400, 200),  # a slow page gains no more than the cap
        (-3, (20, 8), 0, 4),  # nobody can press in the future
    ],
)
def test_a_stamp_is_believed_within_the_measured_way(
    ago: int, trips: tuple[int, ...], expected: int, within: int
) -> None:
    """A page's time counts if it is within the longest round trip before the arrival; half the shortest one is the
    uncertainty."""
    at, unsure = press_time(ARRIVED - ago * MS, ARRIVED, [trip * MS for trip in trips])
    assert (ARRIVED - at, unsure) == (expected * MS, within * MS)


@pytest.mark.parametrize(("stamp", "trips"), [(None, (20,)), (ARRIVED - MS, ())])
def test_without_a_measurement_a_press_was_when_it_arrived(stamp: int | None, trips: tuple[int, ...]) -> None:
    """Without a measured clock or round trip, a press counts from its arrival, with the largest uncertainty."""
    assert press_time(stamp, ARRIVED, trips) == (ARRIVED, FARTHEST)


class Ticking:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = ARRIVED

    def __call__(self) -> int:
        """Return the current time."""
        return self.now


def asked(clocks: PageClocks, clock: Ticking, ways: list[int], page: str = "p", seat: str = "s") -> str:
    """Let a page ask once, and then after each of these round trips in milliseconds; return the last nonce."""
    _, nonce = clocks.answer(seat, page, "")
    for way in ways:
        clock.now += way * MS
        _, nonce = clocks.answer(seat, page, nonce)
    return nonce


def test_the_server_measures_whole_round_trips() -> None:
    """A round trip lasts from the server's answer to the request with its nonce, and the last few are kept."""
    clock = Ticking()
    clocks = PageClocks(clock)
    asked(clocks, clock, [5, 9, 7])
    assert clocks.trips("s", "p") == (5 * MS, 9 * MS, 7 * MS)
    asked(clocks, clock, list(range(10, 10 + TRIPS)))
    assert clocks.trips("s", "p") == tuple(way * MS for way in range(10, 10 + TRIPS))


@pytest.mark.parametrize("nonce", ["", "guessed"])
def test_who_does_not_bring_the_nonce_back_has_measured_nothing(nonce: str) -> None:
    """A request without the last answer's nonce measures nothing, and neither does one after a long sleep."""
    clock = Ticking()
    clocks = PageClocks(clock)
    clocks.answer("s", "p", "")
    clock.now += MS
    clocks.answer("s", "p", nonce)
    assert clocks.trips("s", "p") == ()
    _, fresh = clocks.answer("s", "p", "")
    clock.now += STALE
    clocks.answer("s", "p", fresh)
    assert clocks.trips("s", "p") == ()


def test_a_nonce_counts_once() -> None:
    """A nonce that returns twice is measured once."""
    clock = Ticking()
    clocks = PageClocks(clock)
    _, nonce = clocks.answer("s", "p", "")
    clock.now += MS
    clocks.answer("s", "p", nonce)
    clocks.answer("s", "p", nonce)
    assert clocks.trips("s", "p") == (MS,)


def test_a_seat_s_pages_are_forgotten_in_time() -> None:
    """The server remembers only the latest pages of a seat."""
    clock = Ticking()
    clocks = PageClocks(clock)
    asked(clocks, clock, [5], "first")
    for page in range(PAGES):
        clocks.answer("s", str(page), "")
    assert clocks.trips("s", "first") == ()


def test_no_page_pushes_another_seat_s_clock_out() -> None:
    """However many pages one seat opens, another seat's press is judged by that seat's own round trips."""
    clock = Ticking()
    clocks = PageClocks(clock)
    asked(clocks, clock, [30, 30], "page", seat_key("m", 1))
    for page in range(1000):
        clocks.answer(seat_key("m", 0), str(page), "")
        clocks.press("m", 0, str(page), ScreenPress("closed", "", "", clock.now))
    early = clock.now - 20 * MS
    press = clocks.press("m", 1, "page", ScreenPress("closed", str(early), "", clock.now))
    assert press is not None and press.at == early


def test_a_hold_belongs_to_its_closing() -> None:
    """A held press has the judged time of the press that began it; one from another page is ignored."""
    clock = Ticking()
    clocks = PageClocks(clock)
    asked(clocks, clock, [10], seat=seat_key("m", 2))
    early = clock.now - 900 * MS
    closed = clocks.press("m", 2, "p", ScreenPress("closed", str(early), "", clock.now))
    assert closed == Press(2, clock.now - 10 * MS, source="screen", within=5 * MS)
    clock.now += 700 * MS
    held = clocks.press("m", 2, "p", ScreenPress("held", str(clock.now), str(early), clock.now))
    assert held == Press(2, clock.now, "held", closed.at, "screen", 5 * MS)
    assert clocks.press("m", 2, "p", ScreenPress("held", str(clock.now), "123", clock.now)) is None
    assert clocks.press("m", 2, "other", ScreenPress("held", str(clock.now), str(early), clock.now)) is None
