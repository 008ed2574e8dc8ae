"""For another machine's clock the true moment lies within the bounds at every offset, drift and delay."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from companion.devices.bus import clock_sync
from companion.devices.bus.clock_sync import (
    DRIFT_PPM,
    KEPT,
    LOST,
    UNMEASURED,
    ClockQuestions,
    ForeignClock,
    to_our_clock,
    to_their_clock,
)
from companion.messages import MILLISECOND, SECOND, Count, Health, PinDriven, Press, Sighted

OFFSETS = st.integers(-(10**15), 10**15)
RATES = st.integers(-DRIFT_PPM, DRIFT_PPM)
DELAYS = st.integers(0, 400 * MILLISECOND)


class Skewed:
    """Another machine's clock with its initial offset (ns) and its drift (ppm)."""

    def __init__(self, offset: int, ppm: int) -> None:
        self.offset, self.ppm = offset, ppm

    def at(self, ours: int) -> int:
        """Return its reading (ns) at a moment of our clock (ns)."""
        return ours + self.offset + ours * self.ppm // 1_000_000


def exchange(clock: ForeignClock, true: Skewed, number: int, at: int, there: int, back: int) -> None:
    """Exchange a question and answer with the given delays (ns) in each direction."""
    clock.note_question(number, at)
    clock.note_answer(number, true.at(at + there), at + there + back)


@given(OFFSETS, RATES, st.lists(st.tuples(st.integers(1, 20 * SECOND), DELAYS, DELAYS), min_size=1, max_size=12),
       st.integers(0, 30 * SECOND), st.integers(0, 3 * SECOND))  # fmt: skip
def test_the_true_moment_is_within_what_is_said(
    offset: int, ppm: int, exchanges: list[tuple[int, int, int]], later: int, way: int
) -> None:
    """The bound holds even if the delays are unequal and the best exchange is old."""
    clock, true, now = ForeignClock(), Skewed(offset, ppm), 0
    for number, (pause, there, back) in enumerate(exchanges):
        now += pause
        exchange(clock, true, number, now, there, back)
        now += there + back
    pressed = now + later
    at, within = clock.to_ours(true.at(pressed), pressed + way)
    assert abs(at - pressed) <= within + 1
    assert at <= pressed + way


@given(OFFSETS, RATES, DELAYS, DELAYS, st.integers(0, 20 * SECOND), st.integers(0, 5 * SECOND))
def test_a_hold_belongs_to_its_contact_whatever_was_measured_between(
    offset: int, ppm: int, there: int, back: int, pause: int, held: int
) -> None:
    """A held press keeps its length and its moment of contact, even if the clock is measured in between."""
    clock, true = ForeignClock(), Skewed(offset, ppm)
    exchange(clock, true, 1, 0, there, back)
    closed = there + back + pause
    assume(true.at(closed))  # a reading of 0 means that there is no moment
    first = to_our_clock(Press(1, true.at(closed)), clock, closed + back)
    exchange(clock, true, 2, closed, back // 2, back // 3)
    opened = Press(1, true.at(closed) + held, "opened", true.at(closed))
    last = to_our_clock(opened, clock, closed + held + back + SECOND)
    again = to_our_clock(Press(1, true.at(closed)), clock, closed + 9 * SECOND)
    assert isinstance(first, Press) and isinstance(last, Press)
    assert again == first and last.since == first.at
    assert last.at - last.since == held
    assert last.within == first.within


def test_of_a_clock_that_was_never_measured_the_arrival_counts() -> None:
    """Without a measured clock the moment of arrival counts, and the bound is the stated maximum."""
    press = to_our_clock(Press(1, 77, within=5), ForeignClock(), 10 * SECOND)
    assert press == Press(1, 10 * SECOND, within=UNMEASURED + 5)
    held = to_our_clock(Press(1, 77 + SECOND, "held", 77), ForeignClock(), 10 * SECOND)
    assert held == Press(1, 10 * SECOND, "held", 9 * SECOND, within=UNMEASURED)


def test_the_shortest_round_trip_of_the_last_minute_counts() -> None:
    """A quick exchange beats a newer slow one, until drift has made its bound larger."""
    clock, true = ForeignClock(), Skewed(5 * SECOND, 0)
    exchange(clock, true, 1, 0, MILLISECOND, MILLISECOND)
    exchange(clock, true, 2, SECOND, 200 * MILLISECOND, 0)
    assert clock.to_ours(7 * SECOND, 3 * SECOND)[0] == 2 * SECOND
    exchange(clock, true, 3, 59 * SECOND, 2 * MILLISECOND, 2 * MILLISECOND)
    best = clock.best(60 * SECOND)
    assert best is not None and best.within == 2 * MILLISECOND


def test_a_clock_that_jumped_is_measured_anew() -> None:
    """If another machine's clock jumps, exchanges that contradict the new one are discarded."""
    clock = ForeignClock()
    for number in range(5):
        exchange(clock, Skewed(0, 0), number, number * SECOND, MILLISECOND, MILLISECOND)
    exchange(clock, Skewed(-30 * SECOND, 0), 9, 50 * SECOND, 40 * MILLISECOND, 40 * MILLISECOND)
    assert clock.measured == 1
    at, within = clock.to_ours(21 * SECOND, 52 * SECOND)
    assert abs(at - 51 * SECOND) <= within <= 41 * MILLISECOND


def test_answers_that_nobody_asked_for_and_late_ones_measure_nothing() -> None:
    """Unrequested, late and repeated answers are ignored, and the number of stored exchanges is limited."""
    clock = ForeignClock()
    clock.note_answer(1, 5, 6)
    clock.note_question(2, 0)
    clock.note_answer(2, 5, LOST + 1)
    clock.note_question(3, 10)
    clock.note_answer(3, 5, 20)
    clock.note_answer(3, 900, 30)
    assert clock.measured == 1
    for number in range(10, 10 + 2 * KEPT):
        exchange(clock, Skewed(0, 0), number, number, 0, 0)
    assert clock.measured == KEPT
    questions: ClockQuestions[int] = ClockQuestions()
    questions.note_question(1, 0)
    questions.forget()
    assert questions.take_question(1, 1) is None


def test_moments_are_converted_both_ways_and_nothing_else_is() -> None:
    """Moments are converted in messages in both directions, and other fields stay unchanged."""
    clock, true = ForeignClock(), Skewed(1000 * SECOND, 0)
    exchange(clock, true, 1, 0, MILLISECOND, MILLISECOND)
    now, theirs = 10 * SECOND, 1009 * SECOND
    assert to_our_clock(Sighted(theirs, 3), clock, now) == Sighted(9 * SECOND, 3)
    assert to_our_clock(Health("camera", theirs), clock, now) == Health("camera", 9 * SECOND)
    assert to_their_clock(Count(9 * SECOND, 2), clock, now) == Count(theirs, 2)
    assert to_their_clock(PinDriven(3, True, 9 * SECOND), clock, now) == PinDriven(3, True, theirs)
    assert to_their_clock(Count(0, 2), clock, now) == Count(0, 2)
    assert to_their_clock(Count(9 * SECOND, 2), ForeignClock(), now) == Count(0, 2)
    assert [clock_sync.has_moment(message) for message in (Count(1), Count(), PinDriven(3, True, 5), Press(1, 5))] == [
        True, False, True, False,
    ]  # fmt: skip


def test_this_machine_has_one_boot() -> None:
    """Every process on this machine reads the same boot id."""
    assert clock_sync.read_boot_id() == clock_sync.read_boot_id() != ""
