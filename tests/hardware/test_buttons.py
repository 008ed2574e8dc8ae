"""Wired buttons and lamps on simulated pins, with a clock that only the test moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero import LED, InputDevice

from companion.messages import HOST, MILLISECOND, SECOND, ButtonState, Condition, LampState, Press
from hardware.buttons import REARM, UNSTAMPED, ButtonBoard
from hardware.pins.factory import Pins, open_pins
from hardware.pins.simulated import ContactSimulator, Faults
from hardware.wiring.wiring import WiredPart, Wiring

MS = MILLISECOND
WIRING = Wiring((WiredPart(17, 18), WiredPart(27, 23), WiredPart(22)), host=26, buzzer=12)


class Rig:
    """Buttons with their simulated contacts, and all that they reported."""

    def __init__(self, pins: Pins | None = None, faults: Faults | None = None) -> None:
        self.now = self.start = 1000 * SECOND
        self.pins = pins or open_pins("simulated")
        self.edges: list[tuple[int, int, bool]] = []
        self.presses: list[Press] = []
        self.conditions: list[tuple[int, Condition]] = []
        self.copper = ContactSimulator(self.pins.factory, faults, clock=lambda: self.now)
        self.buttons = ButtonBoard(
            WIRING,
            self.pins,
            on_edge=lambda seat, at, closed: self.edges.append((seat, at - self.start, closed)),
            on_press=self.presses.append,
            on_condition=lambda seat, condition: self.conditions.append((seat, condition)),
            clock=lambda: self.now,
        )

    def run(self, until: int) -> None:
        """Move the clock to a time after the start, stopping at each deadline of contacts and buttons."""
        until += self.start
        while True:
            moments = [due for due in (self.copper.due(), self.buttons.due(), until) if due is not None]
            self.now = max(self.now, min(moments))
            self.copper.play(self.now)
            self.buttons.wait(self.now)
            if self.now >= until:
                return

    def press(self, pin: int, after: int, length: int) -> None:
        """Simulate a press of a button."""
        self.copper.drive(pin, False, self.start + after)
        self.copper.drive(pin, True, self.start + after + length)


@pytest.fixture
def rig() -> Iterator[Rig]:
    """Yield buttons without faults."""
    found = Rig()
    yield found
    found.buttons.close()


def test_a_press_is_told_with_its_moment(rig: Rig) -> None:
    """The report has raw edges, debounced presses, and each change of a button's condition."""
    rig.press(27, 100 * MS, 50 * MS)
    rig.run(SECOND)
    at = rig.start + 100 * MS
    assert rig.edges == [(1, 100 * MS, True), (1, 150 * MS, False)]
    assert rig.presses == [Press(1, at), Press(1, at + 50 * MS, "opened", at)]
    assert rig.conditions == [(1, "closed"), (1, "open")]


def test_the_hosts_button_is_a_button_like_others(rig: Rig) -> None:
    """The host's button reports presses for the seat `HOST`."""
    rig.press(26, 100 * MS, 800 * MS)
    rig.run(2 * SECOND)
    assert [(press.seat, press.contact) for press in rig.presses] == [
        (HOST, "closed"),
        (HOST, "held"),
        (HOST, "opened"),
    ]


@pytest.mark.parametrize("seed", range(20))
def test_presses_as_bad_as_real_ones_are_told_once(seed: int) -> None:
    """Bounce, late edges and disorder between buttons change neither the number of presses nor their times."""
    rig = Rig(faults=Faults(bounce=5, bounce_ms=8, late_ms=100, seed=seed))
    moments = {17: 200 * MS, 27: 200 * MS + 1, 22: 203 * MS}
    for pin, after in moments.items():
        rig.press(pin, after, 300 * MS)
    rig.run(2 * SECOND)
    rig.buttons.close()
    closings = {(press.seat, press.at - rig.start) for press in rig.presses if press.contact == "closed"}
    assert closings == {(0, 200 * MS), (1, 200 * MS + 1), (2, 203 * MS)}
    assert len(rig.presses) == 6


def test_a_stuck_button_is_said_and_the_others_play(rig: Rig) -> None:
    """A stuck button is named in a sentence for as long as it is stuck, and the others still work."""
    rig.copper.drive(17, False, rig.start + MS)
    rig.press(27, 25 * SECOND, 50 * MS)
    rig.run(26 * SECOND)
    assert (rig.buttons.buttons()[0], rig.presses[-1].seat) == (ButtonState(0, 17, "stuck"), 1)
    said = rig.buttons.said
    assert said == (
        "The button of seat 1 has been closed for more than 20 seconds and is out of play until it has been open"
        " for a second.",
    )
    rig.copper.drive(17, True, rig.start + 27 * SECOND)
    rig.run(29 * SECOND)
    assert rig.buttons.said == ()


def test_a_pin_that_is_taken_makes_its_button_missing_and_the_others_play() -> None:
    """A sentence names pin and seat of a taken button; a taken lamp or buzzer is left out."""
    pins = open_pins("simulated")
    taken: list[Any] = [InputDevice(17, pull_up=True, pin_factory=pins.factory)]
    taken += [LED(pin, pin_factory=pins.factory) for pin in (18, 12)]
    rig = Rig(pins)
    rig.press(27, 100 * MS, 50 * MS)
    rig.run(SECOND)
    assert rig.buttons.buttons() == (
        ButtonState(0, 17, "missing"),
        ButtonState(1, 27),
        ButtonState(2, 22),
        ButtonState(HOST, 26),
    )
    assert [said.split(":")[0] for said in rig.buttons.said] == [
        "The button of seat 1 cannot be reached at GPIO 17",
        "The lamp of seat 1 cannot be reached at GPIO 18",
        "The buzzer cannot be reached at GPIO 12",
    ]
    rig.buttons.show((True, True, True), buzzer=True)
    assert rig.buttons.lamps() == (LampState(1, 23, True),)
    assert [press.seat for press in rig.presses] == [1, 1]
    rig.buttons.close()


def test_lamps_and_buzzer_show_what_they_are_told(rig: Rig) -> None:
    """Lamps are set by seat: a seat without a lamp is skipped, and a lamp that is not mentioned is dark."""
    rig.buttons.show((False, True, True), buzzer=True)
    assert rig.buttons.lamps() == (LampState(0, 18), LampState(1, 23, True), LampState(HOST, 12, True))
    assert [rig.pins.factory.pin(pin).state for pin in (18, 23, 12)] == [False, True, True]
    rig.buttons.show((True,))
    assert rig.buttons.lamps() == (LampState(0, 18, True), LampState(1, 23), LampState(HOST, 12))


def test_at_the_end_all_lamps_are_out_and_all_pins_free() -> None:
    """After the end other programs can use the pins, and a second close does nothing."""
    rig = Rig()
    rig.buttons.show((True, True), buzzer=True)
    outputs = [rig.pins.factory.pin(pin) for pin in (18, 23, 12)]
    rig.buttons.close()
    assert [(pin.function, pin.state) for pin in outputs] == [("input", False)] * 3
    again = Rig(rig.pins)
    assert again.buttons.said == ()
    again.buttons.close()
    again.buttons.close()


def test_a_button_closed_at_the_start_is_no_press() -> None:
    """A button that is closed at the start works once it has opened."""
    pins = open_pins("simulated")
    pins.factory.pin(17).level(False)
    rig = Rig(pins)
    assert rig.buttons.buttons()[0].condition == "closed"
    rig.copper.drive(17, True, rig.start + 100 * MS)
    rig.press(17, 500 * MS, 50 * MS)
    rig.run(SECOND)
    rig.buttons.close()
    assert [press.at - rig.start for press in rig.presses] == [500 * MS, 550 * MS]


def test_pins_are_armed_anew_soon_after_the_start(rig: Rig) -> None:
    """The pins are armed once more soon after the start, in case the library missed its first wake-up."""
    pin = rig.pins.factory.pin(17)
    pin.edges = "rising"
    rig.run(REARM - 1)
    assert pin.edges == "rising"
    rig.run(REARM)
    assert (pin.edges, rig.buttons.due()) == ("both", None)


def test_moments_that_no_kernel_took_are_said_to_be_uncertain() -> None:
    """Without the kernel's time stamps the edge gets the time at which Python heard of it."""
    rig = Rig(open_pins("simulated")._replace(stamped=False))
    rig.buttons._contacts[0]._on_change(0.0, 0)
    rig.buttons.wait(rig.now)
    rig.now += 2 * MS
    rig.buttons._contacts[0]._on_change(0.0, 1)
    rig.buttons.wait(rig.now)
    rig.buttons.close()
    assert rig.presses == [Press(0, rig.start, within=UNSTAMPED)]


def test_a_stamp_of_another_clock_is_not_believed(rig: Rig) -> None:
    """A time stamp of the wall clock, as old kernels give it, is not used."""
    rig.buttons._contacts[0]._on_change(1.7e9, 0)
    rig.buttons.wait(rig.now)
    assert rig.edges == [(0, 0, True)]


def test_an_edge_that_was_lost_is_noticed_when_all_are_checked(rig: Rig) -> None:
    """The regular check of levels finds an edge that was lost."""
    rig.pins.factory.pin(17).level(False)
    rig.buttons.check()
    rig.run(300 * MS)
    assert (rig.presses, rig.buttons.buttons()[0].condition) == ([], "closed")


def test_calls_of_other_threads_are_made_within_wait(rig: Rig) -> None:
    """Calls from other threads are made in order during `wait`."""
    made: list[int] = []
    for n in range(3):
        rig.buttons.later(lambda n=n: made.append(n))  # type: ignore[misc]
    assert made == []
    rig.buttons.wait(rig.now)
    assert made == [0, 1, 2]


def test_noise_is_counted_by_seat(rig: Rig) -> None:
    """A spike counts as noise, not as a press."""
    rig.press(17, 100 * MS, MS // 2)
    rig.run(SECOND)
    assert (rig.buttons.noise(0), rig.buttons.noise(1), rig.presses) == (1, 0, [])
