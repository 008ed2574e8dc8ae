"""The service on real lines of a real kernel: gpiozero's own lgpio factory, our own debounce, the kernel's stamps."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.kernel

TAKEN_SEAT = 2
SEATS = 6
LONGEST = 4
"""Where a press that was done says how long the longest pause in its bounce was."""
BOUNCE = 8_000_000
"""Nanoseconds: a finger that paused for longer in its bounce, because the machine was busy, has let go."""


def closings(told: list[dict[str, Any]]) -> list[tuple[int, int]]:
    """Return seats and moments of the presses that were told."""
    return [(press["seat"], press["at"]) for press in told if press["contact"] == "closed"]


def test_a_pi_with_lgpio_is_found_and_its_edges_are_stamped(serving: dict[str, Any]) -> None:
    """Nobody had to say which pins there are."""
    assert (serving["health"]["kind"], serving["health"]["stamped"]) == ("lgpio", True)


def test_a_pin_that_another_program_has_makes_its_button_missing(serving: dict[str, Any]) -> None:
    """The others are open, and a sentence names the pin."""
    conditions = [button["condition"] for button in serving["health"]["buttons"]]
    assert conditions == ["missing" if seat == TAKEN_SEAT else "open" for seat in range(SEATS)] + ["open"]
    assert "The button of seat 3 cannot be reached at GPIO 22: 'GPIO busy'." in serving["health"]["said"]


def test_every_bouncing_press_is_told_once_and_stamped_while_it_lasted(serving: dict[str, Any]) -> None:
    """The moment is the kernel's: after the finger closed the contact, before it let go."""
    found = closings(serving["pressed"]["told"])
    fair = [press for press in serving["pressed"]["done"] if press[LONGEST] < BOUNCE]
    assert len(fair) >= SEATS
    for seat, _, begun, ended, _ in fair:
        assert [other for other, at in found if begun <= at < ended] == [seat]
    assert any(press["bounces"] for press in serving["pressed"]["told"])
    assert all(press["within"] == 0 for press in serving["pressed"]["told"])


def test_the_held_button_was_held_and_no_other(serving: dict[str, Any]) -> None:
    """Once, at the holding time after its contact."""
    held = [press for press in serving["pressed"]["told"] if press["contact"] == "held"]
    assert {(press["seat"], press["at"] - press["since"]) for press in held} == {(0, 700_000_000)}


def test_a_step_of_the_wall_clock_moves_no_press(serving: dict[str, Any]) -> None:
    """The clock was put forward by an hour between two presses."""
    _, begun, ended, _ = serving["clock"]["done"]
    closed, opened = serving["clock"]["told"]
    assert begun <= closed < opened
    assert closed < ended


def test_a_real_pin_is_not_driven_over_the_bus(serving: dict[str, Any]) -> None:
    """Nobody presses copper from a web page."""
    assert serving["driven"] == 0


def test_a_reveal_lights_all_lamps_and_the_buzzer_sounds(serving: dict[str, Any]) -> None:
    """Read back from the lines; afterwards all are dark again."""
    dark = [False] * SEATS
    assert serving["lamps"] == {"before": dark, "while": [True] * (SEATS + 1), "after": dark}


def test_sigterm_ends_the_service_cleanly_with_all_lamps_out(serving: dict[str, Any]) -> None:
    """Two lamps were blinking when it came."""
    assert (serving["code"], serving["dark"]) == (0, [False] * SEATS)


def test_a_pi_5_plays_as_well(serving: dict[str, Any]) -> None:
    """And the pin that was taken before is free again."""
    _, begun, ended, _ = serving["pi_5"]["done"]
    ((seat, at),) = closings(serving["pi_5"]["told"])
    assert seat == TAKEN_SEAT
    assert begun <= at < ended


def test_every_fresh_start_hears_every_press(deaf: dict[str, Any]) -> None:
    """A process that opened its pins a moment ago is not deaf, on a busy machine either."""
    assert set(deaf["cured"]) == {3}
