"""The trial of the buttons counts edges and presses, tests the lamps, and works on simulated pins."""

from __future__ import annotations

import io
import time

from rich.console import Console

from companion.messages import HOST, MILLISECOND, SECOND, Press
from hardware.doctor.trial import (
    ALL_MS,
    BURST,
    STEP_MS,
    TONE_MS,
    BounceCount,
    PressTally,
    Trial,
    TrialView,
    lamp_test_at,
    press_line,
)
from hardware.pins.factory import Pins
from hardware.pins.simulated import Faults, simulated_factory
from hardware.wiring.wiring import WiredPart, Wiring

WIRING = Wiring((WiredPart(17, 18), WiredPart(27, 23)), host=26, buzzer=12)
NOW = 100 * SECOND


def bounced(*microseconds: int) -> BounceCount:
    """Return a contact that has closed and bounced at these offsets from its first edge."""
    found = BounceCount()
    for n, after in enumerate((0, *microseconds)):
        found.edge(NOW + after * 1000, n % 2 == 0)
    return found


def test_edges_in_quick_succession_are_one_bounce() -> None:
    """A bounce is reported with its number of edges, its duration and its longest pause."""
    found = bounced(300, 900, 1000, 2500)
    assert (found.edges, found.bounce, found.gap) == (5, 2_500_000, 1_500_000)
    assert found.closing == (5, 2_500_000)
    assert found.range() == (2_500_000, 2_500_000)


def test_the_shortest_and_longest_bounce_are_kept() -> None:
    """Each change of the contact counts, and one without a bounce counts as 0."""
    found = bounced(300, 1000)
    found.edge(NOW + SECOND, False)
    assert (found.edges, found.bounce) == (1, 0)
    assert found.range() == (0, 1_000_000)
    assert found.closing == (3, 1_000_000)


def test_edges_further_apart_are_no_bounce() -> None:
    """An edge that comes `BURST` or more after the last one begins a new bounce."""
    found = BounceCount()
    found.edge(NOW, True)
    found.edge(NOW + BURST, False)
    assert (found.edges, found.gap) == (1, 0)


def test_edges_out_of_order_do_not_shorten_a_bounce() -> None:
    """An edge that is delivered late does not change the measured duration of the bounce."""
    found = bounced(2000)
    found.edge(NOW + 1_000_000, True)
    assert found.bounce == 2_000_000


def test_presses_are_counted_and_silent_buttons_named() -> None:
    """The summary counts closings only, and names the buttons that nobody pressed."""
    tally = PressTally(WIRING)
    tally.press(Press(0, NOW))
    tally.press(Press(0, NOW + 1, "opened", NOW))
    assert (tally.contacts[0].presses, tally.contacts[0].last) == (1, NOW)
    assert tally.advice() == ["Never felt: seat 2, host."]


def test_a_bounce_with_long_pauses_asks_for_a_longer_bounce_ms() -> None:
    """If a pause within a bounce is longer than `bounce_ms`, the summary recommends a larger value."""
    tally = PressTally(WIRING)
    for seat in (0, 1, HOST):
        tally.press(Press(seat, NOW))
    assert tally.advice() == []
    tally.edge(0, NOW, True)
    tally.edge(0, NOW + 12_300_000, False)
    assert tally.advice() == ["Contacts bounce with pauses of up to 12.3 ms: set bounce_ms = 14."]


def test_the_lamp_test_lights_one_after_another_then_all_then_the_buzzer() -> None:
    """The lamp test switches on one lamp after another, then all of them, then the buzzer, and then ends."""
    after = 2 * STEP_MS
    moments = (0, STEP_MS, after, after + ALL_MS, after + ALL_MS + TONE_MS)
    assert [lamp_test_at(ms * MILLISECOND, 2) for ms in moments] == [
        TrialView((True, False)),
        TrialView((False, True)),
        TrialView((True, True)),
        TrialView((False, False), True),
        None,
    ]


def test_a_press_is_told_as_a_line() -> None:
    """A line reports each press, hold and release with its bounce."""
    found = bounced(300, 900)
    assert press_line(Press(0, NOW), found) == "seat 1  pressed"
    assert press_line(Press(HOST, NOW, "held", NOW), found) == "host    held"
    assert press_line(Press(0, NOW + 5 * MILLISECOND, "opened", NOW), found) == (
        "seat 1  let go after 5.0 ms; bounced: 3 edges in 0.9 ms"
    )


def test_a_trial_in_a_pipe_prints_presses_and_a_summary() -> None:
    """With simulated presses the summary lists each button and its bounce."""
    paper = io.StringIO()
    pins = Pins(simulated_factory(), "simulated", stamped=True)
    trial = Trial(WIRING, pins, Faults(bounce=3), Console(file=paper, width=120))
    trial.run(time.monotonic_ns() + SECOND)
    said = paper.getvalue()
    assert "seat 1  pressed\n" in said and "bounced: " in said
    rows = [line.split() for line in said.splitlines()]
    assert [row[:3] for row in rows if row[1:2] == ["17"] or row[2:3] == ["17"]] == [["seat", "1", "17"]]
    assert ["host", "26", "open"] in [row[:3] for row in rows]
    assert trial.tally.contacts[0].presses == 1
