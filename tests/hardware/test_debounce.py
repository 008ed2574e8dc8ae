"""Debouncing reports each real press once, at the time of its first contact, in spite of bounce and late delivery."""

from __future__ import annotations

import heapq
import itertools
from bisect import bisect_right
from collections.abc import Iterable

from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.messages import MICROSECOND, MILLISECOND, SECOND, Condition, Press
from hardware.debounce import LOST, MOST_PRESSES, QUIET, Debounce
from hardware.wiring.wiring import DEFAULT

MS = MILLISECOND
START = 5 * SECOND
BOUNCE, NOISE = DEFAULT.bounce_ms * MS, DEFAULT.noise_ms * MS
HOLD, STUCK = DEFAULT.hold_ms * MS, DEFAULT.stuck_s * SECOND

Edge = tuple[int, bool]


class World:
    """A contact with its edges and their delivery, ticked slightly late."""

    def __init__(self, edges: Iterable[Edge], late: Iterable[int] = (), slow: int = 0, closed: bool = False) -> None:
        """Take the delay of each edge's delivery (`late`) and of each tick (`slow`), both in nanoseconds."""
        self.edges = sorted(edges)
        self.closed = closed
        self.slow = slow
        delays = itertools.chain(late, itertools.repeat(0))
        self.mail = [(at + delay, n) for n, ((at, _), delay) in enumerate(zip(self.edges, delays, strict=False))]
        heapq.heapify(self.mail)
        self.button = Debounce(2, DEFAULT, 0, closed)
        self.conditions: list[tuple[int, Condition]] = []

    def level(self, now: int) -> bool:
        """Return whether the contact is closed at a time."""
        n = bisect_right([at for at, _ in self.edges], now)
        return self.edges[n - 1][1] if n else self.closed

    def run(self, until: int) -> list[Press]:
        """Deliver all edges and ticks until a time; return what the button reported."""
        told: list[Press] = []
        while True:
            due = self.button.due()
            tick = until if due is None else due + self.slow
            now = min(tick, self.mail[0][0] if self.mail else until, until)
            if self.mail and self.mail[0][0] <= now:
                told += self.button.edge(*self.edges[heapq.heappop(self.mail)[1]])
            else:
                told += self.button.tick(now, self.level(now))
            if not self.conditions or self.conditions[-1][1] != self.button.condition:
                self.conditions.append((now, self.button.condition))
            if now == until:
                return told


def facts(told: list[Press]) -> list[tuple[str, int]]:
    """Return the contact and the time of each report."""
    return [(press.contact, press.at) for press in told]


def square(start: int, *lengths: int) -> list[Edge]:
    """Return edges that close at a time and then alternate after each of the given durations."""
    moments = itertools.accumulate(lengths, initial=start)
    return [(at, n % 2 == 0) for n, at in enumerate(moments)]


# --- any press ------------------------------------------------------------------------------------


@st.composite
def chatter(draw: st.DrawFn, start: int, closed: bool) -> list[Edge]:
    """A contact that changes at a time and bounces for less than 10 ms."""
    count = 2 * draw(st.integers(0, 4))
    offsets = draw(st.lists(st.integers(1, BOUNCE - 1), min_size=count, max_size=count, unique=True))
    return [(start + offset, closed == (n % 2 == 0)) for n, offset in enumerate([0, *sorted(offsets)])]


@st.composite
def presses(draw: st.DrawFn) -> tuple[list[Edge], list[tuple[str, int]]]:
    """One real press with noise around it, and the reports that it must give."""
    closing = draw(chatter(START, True))
    solid = draw(st.integers(NOISE, 1500 * MS))
    opening = draw(chatter(closing[-1][0] + solid, False))
    spikes: list[Edge] = []
    for gap, length in draw(st.lists(st.tuples(st.integers(BOUNCE, 90 * MS), st.integers(1, NOISE - 1)), max_size=3)):
        before = spikes[0][0] if spikes else START
        spikes = [(before - gap - length, True), (before - gap, False), *spikes]
    end = opening[-1][0]
    for gap, length in draw(st.lists(st.tuples(st.integers(BOUNCE, 90 * MS), st.integers(1, NOISE - 1)), max_size=3)):
        spikes += [(end + gap, True), (end + gap + length, False)]
        end += gap + length
    held = [("held", START + HOLD)] if opening[-1][0] - START >= HOLD else []
    return [*closing, *opening, *spikes], [("closed", START), *held, ("opened", opening[-1][0])]


@settings(max_examples=300)
@given(presses(), st.integers(0, 5 * MS))
def test_any_real_press_is_told_once_with_the_moment_of_its_first_contact(
    found: tuple[list[Edge], list[tuple[str, int]]], slow: int
) -> None:
    """Bounce at both ends and spikes do not change the report, however late the clock is read."""
    edges, wanted = found
    assert facts(World(edges, slow=slow).run(START + 10 * SECOND)) == wanted


@settings(max_examples=300)
@given(presses(), st.data())
def test_late_delivery_changes_nothing_of_what_is_told(
    found: tuple[list[Edge], list[tuple[str, int]]], data: st.DataObject
) -> None:
    """Edges that arrive in order but up to 100 ms late give the same press at the same time."""
    edges, wanted = found
    delays = data.draw(st.lists(st.integers(0, 100 * MS), min_size=len(edges), max_size=len(edges)))
    arrivals = itertools.accumulate((at + delay for (at, _), delay in zip(sorted(edges), delays, strict=True)), max)
    late = [arrival - at for arrival, (at, _) in zip(arrivals, sorted(edges), strict=True)]
    told = facts(World(edges, late).run(START + 10 * SECOND))
    assert told[0] == wanted[0]
    assert [contact for contact, _ in told] == [contact for contact, _ in wanted]


@example([(0, False), (0, False), (0, True), (10 * MS, False), (0, False)], [(0, None), (0, None), (700 * MS, None)])
@settings(max_examples=300)
@given(
    st.lists(st.tuples(st.integers(0, 3 * SECOND), st.booleans()), max_size=60),
    st.lists(st.tuples(st.integers(0, 3 * SECOND), st.none() | st.booleans()), max_size=60),
)
def test_whatever_comes_presses_are_told_in_turn(edges: list[Edge], ticks: list[tuple[int, bool | None]]) -> None:
    """With wrong, doubled or lost edges the reports still alternate and their times never go back."""
    button = Debounce(0, DEFAULT, 0)
    told: list[Press] = []
    for edge, tick in itertools.zip_longest(edges, ticks):
        told += button.edge(*edge) if edge else []
        told += button.tick(*tick) if tick else []
    assert [press.at for press in told] == sorted(press.at for press in told)
    before = {"closed": ("opened", "closed", "held", ""), "held": ("closed",), "opened": ("closed", "held")}
    last = Press(0, 0, "opened")
    for press in told:
        assert last.contact in before[press.contact]
        if press.contact != "closed":
            assert press.since == (last.at if last.contact == "closed" else last.since)
        last = press
    for moment in range(0, 30 * SECOND, 100 * MS):
        button.tick(3 * SECOND + moment, False)
    assert button.condition == "open"
    at = 40 * SECOND
    assert facts(button.edge(at, True) + button.tick(at + NOISE)) == [("closed", at)]


# --- single cases ---------------------------------------------------------------------------------


def test_a_clean_press_is_told_one_millisecond_after_its_contact() -> None:
    """A clean press is reported after one millisecond, without waiting for the end of the bounce."""
    button = Debounce(4, DEFAULT, 0)
    assert button.edge(START, True) == []
    assert button.due() == START + NOISE
    assert button.tick(START + NOISE - 1, True) == []
    assert button.tick(START + NOISE, True) == [Press(4, START)]
    assert button.condition == "closed"


def test_a_bouncing_press_is_told_as_soon_as_it_is_closed_for_a_millisecond() -> None:
    """A bouncing press counts from its first closing, even if that one was short."""
    button = Debounce(0, DEFAULT, 0)
    for n in range(6):
        assert button.edge(START + n * 300 * MICROSECOND, n % 2 == 0) == []
    assert button.edge(START + 2 * MS, True) == []
    assert button.tick(START + 3 * MS, True) == [Press(0, START, bounces=6)]


def test_a_spike_is_no_press_and_is_counted() -> None:
    """A contact that is closed for less than a millisecond is noise."""
    world = World(square(START, 900 * MICROSECOND))
    assert world.run(START + SECOND) == []
    assert (world.button.noise, world.button.condition) == (1, "open")


def test_a_short_press_is_told_by_its_opening_where_nobody_ticked() -> None:
    """Without a tick the two time stamps prove that the contact was closed for long enough."""
    button = Debounce(0, DEFAULT, 0)
    button.edge(START, True)
    assert facts(button.edge(START + 30 * MS, False)) == [("closed", START)]
    assert button.tick(START + 40 * MS, False) == [Press(0, START + 30 * MS, "opened", START)]


def test_a_hold_is_told_once_at_the_holding_time_exactly() -> None:
    """A late tick does not change the time of a hold."""
    told = World(square(START, 2 * SECOND), slow=40 * MS).run(START + 3 * SECOND)
    assert told[1] == Press(2, START + HOLD, "held", START)
    assert facts(told) == [("closed", START), ("held", START + HOLD), ("opened", START + 2 * SECOND)]


def test_a_button_let_go_just_before_the_holding_time_is_not_held() -> None:
    """The level shows that the button was released in time, although its opening edge is delivered later."""
    world = World(square(START, HOLD - MS), late=[0, 50 * MS])
    assert facts(world.run(START + SECOND)) == [("closed", START), ("opened", START + HOLD - MS)]


def test_a_button_let_go_just_after_the_holding_time_was_held() -> None:
    """The time stamp of the late opening edge proves that the button was held."""
    world = World(square(START, HOLD + MS), late=[0, 50 * MS], slow=2 * MS)
    assert [contact for contact, _ in facts(world.run(START + SECOND))] == ["closed", "held", "opened"]


def test_a_lost_opening_is_made_up_for() -> None:
    """If the opening edge was lost, the level reveals it, and the press ends when it was last known to be closed."""
    world = World(square(START, 100 * MS))
    world.mail = world.mail[:1]
    told = world.run(START + SECOND + LOST)
    assert facts(told) == [("closed", START), ("opened", START + NOISE)]
    assert world.button.condition == "open"


def test_a_lost_opening_between_two_closings_leaves_two_presses() -> None:
    """If the level was open in between, a second closing edge is a second press."""
    button = Debounce(0, DEFAULT, 0)
    told = button.edge(START, True) + button.tick(START + NOISE, True)
    told += button.tick(START + HOLD, False)
    told += button.edge(START + SECOND, True) + button.tick(START + SECOND + NOISE, True)
    assert facts(told) == [("closed", START), ("opened", START + NOISE), ("closed", START + SECOND)]


def test_a_lost_closing_is_no_press() -> None:
    """After a lost closing edge the time of the press is unknown: nothing is reported until the contact has opened."""
    button = Debounce(0, DEFAULT, 0)
    assert button.tick(START, True) + button.tick(START + LOST, True) == []
    assert button.condition == "closed"
    assert button.edge(START + SECOND, False) + button.tick(START + SECOND + BOUNCE, False) == []
    again = START + 2 * SECOND
    assert button.edge(again, True) + button.tick(again + NOISE, True) == [Press(0, again)]


def test_doubled_edges_change_nothing() -> None:
    """The edges closed, closed, open, open make one press."""
    edges = [edge for edge in square(START, 100 * MS) for _ in range(2)]
    assert facts(World(edges).run(START + SECOND)) == [("closed", START), ("opened", START + 100 * MS)]


def test_a_doubled_opening_shows_that_the_contact_is_not_at_rest_yet() -> None:
    """Two openings in a row mean that a closing was lost, so release and rest are measured from the last edge."""
    button = Debounce(0, DEFAULT, 0)
    opened = START + 100 * MS
    for at, closed in ((START, True), (opened, False), (opened + 5 * MS, False)):
        button.edge(at, closed)
    assert button.tick(opened + BOUNCE, False) == []
    assert facts(button.tick(opened + 5 * MS + BOUNCE, False)) == [("opened", opened)]
    world = World([*square(START, STUCK + SECOND), (START + STUCK + SECOND + QUIET // 2, False)])
    world.run(START + STUCK + 5 * SECOND)
    assert world.conditions[-1] == (START + STUCK + SECOND + QUIET // 2 + QUIET, "open")


def test_an_edge_that_was_overtaken_is_read_where_it_belongs() -> None:
    """If the opening edge is delivered before the closing one, the time stamps give one press at its own time."""
    world = World(square(START, 100 * MS), late=[150 * MS, 0])
    assert facts(world.run(START + SECOND)) == [("closed", START), ("opened", START + 100 * MS)]


def test_a_button_closed_at_the_start_is_no_press_and_plays_after_it_was_open() -> None:
    """A button that is closed at the start is not pressed; it works once it has opened."""
    world = World([(START, False), *square(START + SECOND, 100 * MS)], closed=True)
    assert world.button.condition == "closed"
    assert facts(world.run(START + 2 * SECOND)) == [
        ("closed", START + SECOND),
        ("opened", START + SECOND + 100 * MS),
    ]


def test_a_button_closed_since_the_start_is_stuck_after_twenty_seconds() -> None:
    """A button that has been closed since the start is reported as stuck after twenty seconds."""
    world = World([], closed=True)
    assert world.run(STUCK + SECOND) == []
    assert world.conditions == [(STUCK, "stuck")]


def test_a_button_held_for_too_long_is_stuck_until_it_was_quietly_open_for_a_second() -> None:
    """A button held too long is out of play until it has been open for a second."""
    opened = START + STUCK + 5 * SECOND
    edges = [
        *square(START, opened - START),
        *square(opened + QUIET // 2, 50 * MS),
        *square(opened + 3 * SECOND, 50 * MS),
    ]
    world = World(edges)
    told = world.run(opened + 5 * SECOND)
    again = opened + 3 * SECOND
    assert facts(told) == [("closed", START), ("held", START + HOLD), ("closed", again), ("opened", again + 50 * MS)]
    assert (START + STUCK, "stuck") in world.conditions
    assert (opened + QUIET // 2 + 50 * MS + QUIET, "open") in world.conditions


def test_a_burst_without_end_is_chattering() -> None:
    """A burst without an end gives one press, and then the button is out of play."""
    world = World(square(START, *[4 * MS] * 201))
    told = world.run(START + 5 * SECOND)
    assert facts(told) == [("closed", START)]
    assert [condition for _, condition in world.conditions] == ["open", "closed", "chattering", "open"]


def test_more_than_twelve_presses_in_two_seconds_are_chattering() -> None:
    """The thirteenth press within two seconds is not reported, because no finger presses so often."""
    world = World(square(START, *[50 * MS] * 59))
    told = world.run(START + 10 * SECOND)
    assert [press.contact for press in told].count("closed") == MOST_PRESSES
    assert [condition for _, condition in world.conditions][-2:] == ["chattering", "open"]


def test_twelve_presses_in_two_seconds_are_an_eager_finger() -> None:
    """Twelve presses within two seconds are reported, and the button stays in play."""
    world = World(square(START, *[80 * MS] * (2 * MOST_PRESSES - 1)))
    told = world.run(START + 10 * SECOND)
    assert [press.contact for press in told].count("closed") == MOST_PRESSES
    assert "chattering" not in [condition for _, condition in world.conditions]


def test_how_far_a_moment_may_be_off_is_said() -> None:
    """Without the kernel's time stamps each press carries its uncertainty."""
    button = Debounce(0, DEFAULT, 0, within=7)
    assert button.edge(START, True) + button.tick(START + NOISE, True) == [Press(0, START, within=7)]
