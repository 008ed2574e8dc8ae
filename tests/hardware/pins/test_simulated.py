"""Simulated pins deliver edges with any time stamp, and simulated presses have the faults of real ones."""

from __future__ import annotations

from typing import Any

import pytest
from gpiozero import LED, InputDevice

from companion.messages import MILLISECOND, SECOND
from hardware.pins.simulated import ContactSimulator, Faults, Finger, simulated_factory

MS = MILLISECOND
NOW = 7 * SECOND
BUTTON, LAMP = 17, 18


class Heard:
    """A button's pin with the edges that gpiozero reported for it: (ns, high)."""

    def __init__(self, factory: Any, pin: int = BUTTON) -> None:
        self.device = InputDevice(pin, pull_up=True, pin_factory=factory)
        self.edges: list[tuple[int, bool]] = []
        self.device.pin.edges = "both"
        self.device.pin.when_changed = self._changed

    def _changed(self, ticks: float, state: int) -> None:
        self.edges.append((round(ticks * SECOND), bool(state)))


def test_an_edge_carries_its_own_moment_to_the_nanosecond() -> None:
    """The time stamp is exact even days after the start."""
    factory = simulated_factory()
    heard = Heard(factory)
    at = 20 * 86_400 * SECOND + 123_456_789
    factory.pin(BUTTON).tell(False, at)
    assert heard.edges == [(at, False)]


def test_level_and_edge_are_told_apart() -> None:
    """The level changes at once, while the edge may be delivered later."""
    factory = simulated_factory()
    heard = Heard(factory)
    factory.pin(BUTTON).level(False)
    assert (heard.device.pin.state, heard.edges) == (False, [])


def test_an_output_is_not_driven_from_outside() -> None:
    """A simulated press has no effect on a lamp's pin."""
    factory = simulated_factory()
    with LED(LAMP, pin_factory=factory) as lamp:
        lamp.on()
        factory.pin(LAMP).level(False)
        assert lamp.value == 1


def test_a_finger_without_faults_makes_one_edge_each_way() -> None:
    """A press without faults makes one edge when it closes and one when it opens."""
    finger = Finger(Faults(), BUTTON)
    assert finger.motions(True, NOW) == [(NOW, True, NOW, NOW)]
    assert finger.motions(False, NOW + MS) == [(NOW + MS, False, NOW + MS, NOW + MS)]


def test_a_bouncing_finger_goes_to_and_fro_and_ends_where_it_was_going() -> None:
    """Three bounces make six further edges within 4 ms."""
    motions = Finger(Faults(bounce=3, bounce_ms=4), BUTTON).motions(True, NOW)
    assert [motion.closed for motion in motions] == [True, False, True, False, True, False, True]
    assert [motion.at for motion in motions] == sorted(motion.at for motion in motions)
    assert motions[0].at == NOW and motions[-1].at <= NOW + 4 * MS


def test_the_same_seed_presses_alike() -> None:
    """The same seed gives the same faults, so that a failure can be repeated."""
    faults = Faults(bounce=4, jitter_ms=1, late_ms=50, seed=3)
    assert Finger(faults, BUTTON).motions(True, NOW) == Finger(faults, BUTTON).motions(True, NOW)
    assert Finger(faults, BUTTON).motions(True, NOW) != Finger(faults, 27).motions(True, NOW)


def test_late_edges_keep_their_stamps_and_their_order() -> None:
    """Late edges of one button keep their order unless disorder is switched on."""
    late = [
        motion for n in range(20) for motion in Finger(Faults(late_ms=100, bounce=5, seed=n), BUTTON).motions(True, NOW)
    ]
    assert all(motion.stamp == motion.at and 0 <= motion.delivered - motion.at <= 100 * MS for motion in late)
    one = Finger(Faults(late_ms=100, bounce=5), BUTTON).motions(True, NOW)
    assert [motion.delivered for motion in one] == sorted(motion.delivered for motion in one)
    wild = Finger(Faults(late_ms=100, bounce=5, disorder=True), BUTTON).motions(True, NOW)
    assert [motion.delivered for motion in wild] != sorted(motion.delivered for motion in wild)


def test_a_stamp_that_jitters_is_late_never_early() -> None:
    """A time stamp is never earlier than the edge, as with a real kernel."""
    faults = [Finger(Faults(jitter_ms=2, seed=n), BUTTON).motions(True, NOW)[0].stamp - NOW for n in range(50)]
    assert min(faults) >= 0 and 0 < max(faults) <= 2 * MS


def test_a_stuck_button_stays_closed() -> None:
    """A stuck button closes and does not open."""
    finger = Finger(Faults(stuck=(BUTTON,)), BUTTON)
    assert (len(finger.motions(True, NOW)), finger.motions(False, NOW + SECOND)) == (1, [])


def test_copper_does_what_is_due_and_no_more() -> None:
    """The level changes when the contact does, and the edge follows when it is delivered, both in order of time."""
    factory = simulated_factory()
    heard = Heard(factory)
    copper = ContactSimulator(factory, Faults(late_ms=40, seed=2), clock=lambda: NOW)
    copper.drive(BUTTON, False)
    copper.drive(BUTTON, True, NOW + 100 * MS)
    copper.play(NOW)
    assert (heard.device.pin.state, heard.edges) == (False, [])
    copper.play(NOW + 99 * MS)
    assert heard.edges == [(NOW, False)]
    assert copper.due() == NOW + 100 * MS
    copper.play(NOW + 200 * MS)
    assert heard.edges == [(NOW, False), (NOW + 100 * MS, True)]
    assert (heard.device.pin.state, copper.due()) == (True, None)


def test_noise_makes_short_spikes_on_the_buttons_named() -> None:
    """Noise makes about the requested number of spikes, each shorter than a millisecond."""
    factory = simulated_factory()
    heard, other = Heard(factory), Heard(factory, 27)
    copper = ContactSimulator(factory, Faults(noise_per_s=10), noisy=(BUTTON,), clock=lambda: NOW)
    copper.play(NOW + 20 * SECOND)
    starts, ends = heard.edges[::2], heard.edges[1::2]
    assert 150 <= len(starts) <= 250 and other.edges == []
    assert all(0 < end[0] - start[0] < MS for start, end in zip(starts, ends, strict=True))


def test_a_closed_copper_moves_no_more() -> None:
    """After it has been closed, the simulation delivers nothing more, with or without a thread."""
    factory = simulated_factory()
    heard = Heard(factory)
    copper = ContactSimulator(factory)
    copper.start()
    copper.close()
    copper.drive(BUTTON, False)
    assert (copper.due(), heard.edges) == (None, [])


def test_a_pin_that_no_pi_has_is_refused() -> None:
    """Only the pins of a Pi 4 exist."""
    with pytest.raises(ValueError, match="99"):
        InputDevice(99, pull_up=True, pin_factory=simulated_factory())
