"""The service on real lines of a real kernel, with gpiozero's own factories and our debouncing.

With lgpio the kernel stamps each edge. With RPi.GPIO (here rpi-lgpio, its replacement) an edge gets the time at which
Python heard of it: it may be late, and a slow machine may count a bouncing press twice.
"""

from __future__ import annotations

from typing import Any

import pytest

from hardware.buttons import UNSTAMPED

pytestmark = pytest.mark.kernel

TAKEN_SEAT = 2
SEATS = 6
HOLD = 700_000_000
LATE = 250_000_000
"""Nanoseconds by which the time of an edge without the kernel's stamp may be late on a busy machine."""


def closings(told: list[dict[str, Any]]) -> list[tuple[int, int]]:
    """Return seat and time of each reported press."""
    return [(press["seat"], press["at"]) for press in told if press["contact"] == "closed"]


def late(serving: dict[str, Any]) -> int:
    """Return by how much a time may be late, in nanoseconds."""
    return 0 if serving["health"]["stamped"] else LATE


def test_a_pi_is_found_and_says_whether_its_edges_are_stamped(serving: dict[str, Any]) -> None:
    """lgpio is chosen by default and stamps its edges; RPi.GPIO does not."""
    assert (serving["health"]["kind"], serving["health"]["stamped"]) in (("lgpio", True), ("rpigpio", False))
    withins = {press["within"] for press in serving["pressed"]["told"]}
    assert withins == ({0} if serving["health"]["stamped"] else {UNSTAMPED})


def test_a_pin_that_another_program_has_makes_its_button_missing(serving: dict[str, Any]) -> None:
    """A sentence names the taken pin, and the other buttons are open."""
    conditions = [button["condition"] for button in serving["health"]["buttons"]]
    assert conditions == ["missing" if seat == TAKEN_SEAT else "open" for seat in range(SEATS)] + ["open"]
    assert "The button of seat 3 cannot be reached at GPIO 22: 'GPIO busy'." in serving["health"]["said"]


def test_every_bouncing_press_is_told_once_and_stamped_while_it_lasted(serving: dict[str, Any]) -> None:
    """The time of a press lies between the first contact and the release. Without stamps the press carries its
    uncertainty."""
    found, done = closings(serving["pressed"]["told"]), serving["pressed"]["done"]
    assert len({seat for seat, _, _ in done}) == SEATS - 1
    for seat, begun, ended in done:
        if serving["health"]["stamped"]:
            assert [other for other, at in found if begun <= at < ended] == [seat]
        else:
            assert seat in [other for other, at in found if begun <= at < ended + LATE]
    assert any(press["bounces"] for press in serving["pressed"]["told"])


def test_a_button_is_held_at_the_holding_time_exactly_and_never_before_it(serving: dict[str, Any]) -> None:
    """A button that is held for 0.8 s is reported as held; others only if this machine was too slow to release them in
    time."""
    held = [press for press in serving["pressed"]["told"] if press["contact"] == "held"]
    assert {press["at"] - press["since"] for press in held} == {HOLD}
    for seat, begun, ended in serving["pressed"]["done"]:
        found = [press for press in held if press["seat"] == seat and begun <= press["since"] < ended + late(serving)]
        assert len(found) <= 1
        assert found == [] or ended - begun > HOLD - late(serving)
    assert any(begun <= press["since"] < ended for press in held for _, begun, ended in serving["pressed"]["done"])


def test_a_step_of_the_wall_clock_moves_no_press(serving: dict[str, Any]) -> None:
    """Moving the wall clock by an hour between two presses changes no time."""
    begun, ended = serving["clock"]["done"]
    closed, opened = serving["clock"]["told"]
    assert begun <= closed < opened
    assert closed < ended + late(serving)


def test_a_real_pin_is_not_driven_over_the_bus(serving: dict[str, Any]) -> None:
    """No web page can press a real contact."""
    assert serving["driven"] == 0


def test_a_reveal_lights_all_lamps_and_the_buzzer_sounds(serving: dict[str, Any]) -> None:
    """The lines show the reveal, and are low again afterwards."""
    dark = [False] * SEATS
    assert serving["lamps"] == {"before": dark, "while": [True] * (SEATS + 1), "after": dark}


def test_sigterm_ends_the_service_cleanly_with_all_lamps_out(serving: dict[str, Any]) -> None:
    """SIGTERM ends the service while two lamps blink, and leaves all lamps dark."""
    assert (serving["code"], serving["dark"]) == (0, [False] * SEATS)


def test_a_pi_5_plays_as_well(serving: dict[str, Any]) -> None:
    """The service works on a Pi 5, and the pin that was taken before is free."""
    begun, ended = serving["pi_5"]["done"]
    ((seat, at),) = closings(serving["pi_5"]["told"])
    assert seat == TAKEN_SEAT
    assert begun <= at < ended + late(serving)


def test_every_fresh_start_hears_every_press(deaf: dict[str, Any]) -> None:
    """A process that has just opened its pins hears each press."""
    assert set(deaf["cured"]) == {3}
