"""The buttons service on a real bus and simulated pins: it reports presses, shows cues, and ends with dark lamps."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from gpiozero import InputDevice

from companion.devices.bus import SocketAddress, serve
from companion.findings import findings_of
from companion.messages import (
    MILLISECOND,
    SECOND,
    Answered,
    AnyMessage,
    Asked,
    Cue,
    Health,
    Message,
    PinDriven,
    Press,
    Reveal,
    Trouble,
    YourTurn,
)
from hardware import buttons_service
from hardware.buttons_service import ALONE, HEALTH_EVERY, ButtonsService, ButtonsSetup, hurrying
from hardware.pins.factory import Pins, PinsError, open_pins
from hardware.pins.simulated import Faults
from hardware.wiring.wiring import DEFAULT, WiredPart, Wiring

PATIENCE = 10.0
WIRING = Wiring((WiredPart(17, 18), WiredPart(27, 23)), host=26, buzzer=12)
LAMPS = {18, 23}
M = TypeVar("M", bound=Message)


class Table:
    """The table's end of the bus."""

    def __init__(self, path: Path, *standing: Cue) -> None:
        self.heard: list[AnyMessage] = []
        self.peers: list[Any] = []
        self._standing = standing
        self._news = threading.Condition()
        self.bus = serve(SocketAddress(path), lambda peer, message: self._hear(message), self._joined)

    def _hear(self, message: AnyMessage) -> None:
        with self._news:
            self.heard.append(message)
            self._news.notify_all()

    def _joined(self, peer: Any) -> None:
        self.peers.append(peer)
        for cue in self._standing:
            peer.send(cue)

    def of(self, kind: type[M]) -> list[M]:
        """Return all received messages of a kind."""
        return [message for message in self.heard if isinstance(message, kind)]

    def until(self, kind: type[M], wanted: Callable[[M], bool] = lambda message: True, count: int = 1) -> list[M]:
        """Wait for a number of matching messages and return them."""
        with self._news:
            assert self._news.wait_for(lambda: sum(map(wanted, self.of(kind))) >= count, PATIENCE), self.heard
        return [message for message in self.of(kind) if wanted(message)]


class Running:
    """A service that runs in a thread of its own."""

    def __init__(
        self, path: Path, pins: Pins | None = None, faults: Faults | None = None, wiring: Wiring = WIRING
    ) -> None:
        self.pins = pins or open_pins("simulated")
        self.service = ButtonsService(ButtonsSetup(wiring, faults=faults), self.pins, SocketAddress(path))
        self._thread = threading.Thread(target=self.service.run)
        self._thread.start()

    def end(self) -> None:
        """Stop the service and wait for its end."""
        self.service.stop()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the bus's address."""
    return tmp_path / "bus"


@pytest.fixture
def table(path: Path) -> Iterator[Table]:
    """Yield a table that listens."""
    found = Table(path)
    yield found
    found.bus.close()


@pytest.fixture
def running(path: Path, table: Table) -> Iterator[Running]:
    """Yield a service that has reported to the table."""
    found = Running(path)
    table.until(Health)
    yield found
    found.end()


def lit(message: PinDriven) -> bool:
    """Return whether a lamp went on."""
    return message.high and message.pin in LAMPS


def shines(pin: Any) -> threading.Event:
    """Return an event that is set when a lamp next goes on."""
    on = threading.Event()
    change = pin._change_state

    def changed(value: bool) -> Any:
        if value:
            on.set()
        return change(value)

    pin._change_state = changed
    return on


# --- out ------------------------------------------------------------------------------------------


def test_a_pin_driven_over_the_bus_becomes_a_press_with_its_moment(table: Table, running: Running) -> None:
    """Driving a pin low closes the contact at exactly the requested nanosecond."""
    at = table.of(Health)[-1].at + 200 * MILLISECOND
    table.bus.send(PinDriven(27, False, at))
    table.bus.send(PinDriven(27, True, at + 50 * MILLISECOND))
    table.until(Press, count=2)
    assert table.of(Press) == [Press(1, at), Press(1, at + 50 * MILLISECOND, "opened", at)]


def test_bounce_on_the_pin_is_one_press_on_the_bus(path: Path, table: Table) -> None:
    """Simulated bounce passes through the same code as real bounce. The limits are wide, because a busy machine delays
    edges."""
    wide = msgspec.structs.replace(WIRING, bounce_ms=150, noise_ms=100, hold_ms=5000)
    running = Running(path, faults=Faults(bounce=5, bounce_ms=8, noise_per_s=5), wiring=wide)
    at = table.until(Health)[0].at + 200 * MILLISECOND
    for n in range(2):
        table.bus.send(PinDriven(17, False, at + n * 900 * MILLISECOND))
        table.bus.send(PinDriven(17, True, at + (n * 900 + 400) * MILLISECOND))
    table.until(Press, lambda press: press.contact == "opened", count=2)
    running.end()
    assert [press.contact for press in table.of(Press)] == ["closed", "opened"] * 2
    found = [press.at for press in table.of(Press) if press.contact == "closed"]
    assert found == [at + n * 900 * MILLISECOND for n in range(2)]


def test_a_press_is_felt_at_its_own_lamp(table: Table, running: Running) -> None:
    """A press flashes the seat's own lamp without waiting for the table."""
    table.bus.send(PinDriven(17, False))
    table.until(PinDriven, lambda driven: not driven.high)
    assert [(driven.pin, driven.high) for driven in table.of(PinDriven)] == [(18, True), (18, False)]


def test_health_says_how_everything_is_and_comes_again_and_again(table: Table, running: Running) -> None:
    """The service reports its health at least twice a second."""
    first, second, third = table.until(Health, count=3)[:3]
    assert (first.service, first.kind, first.stamped, first.said) == ("buttons", "simulated", True, "")
    assert [(state.seat, state.pin, state.condition) for state in first.buttons] == [
        (0, 17, "open"),
        (1, 27, "open"),
        (-1, 26, "open"),
    ]
    assert [(state.seat, state.pin, state.on) for state in first.lamps] == [
        (0, 18, False),
        (1, 23, False),
        (-1, 12, False),
    ]
    assert first.at < second.at < third.at
    assert HEALTH_EVERY < SECOND // 2


def test_health_tells_a_change_of_condition(table: Table, running: Running) -> None:
    """A sentence reports that a chattering button is out of play."""
    start = table.of(Health)[-1].at + 100 * MILLISECOND
    for n in range(100):
        table.bus.send(PinDriven(17, n % 2 == 1, start + n * 4 * MILLISECOND))
    found = table.until(Health, lambda health: health.buttons[0].condition == "chattering")[0]
    assert found.said.startswith("The button of seat 1 chatters")
    table.until(Health, lambda health: health.at > found.at and health.buttons[0].condition == "open")


def test_a_taken_pin_is_said_and_the_rest_plays(path: Path, table: Table) -> None:
    """A button whose pin is taken is missing, and cannot be pressed over the bus either."""
    pins = open_pins("simulated")
    taken = InputDevice(17, pull_up=True, pin_factory=pins.factory)
    running = Running(path, pins)
    health = table.until(Health)[0]
    assert (health.buttons[0].condition, health.buttons[1].condition) == ("missing", "open")
    for pin in (17, 27):
        table.bus.send(PinDriven(pin, False))
    assert table.until(Press)[0].seat == 1
    running.end()
    taken.close()


def test_pins_that_cannot_be_opened_do_not_become_simulated_ones(path: Path, table: Table, monkeypatch: Any) -> None:
    """If the pins do not open, the service runs without them, and its health and its examination say why."""

    def refuse(kind: str) -> Pins:
        raise PinsError("The pins of this machine cannot be opened: no chip is a Raspberry Pi's header.")

    monkeypatch.setattr(buttons_service, "open_pins", refuse)
    with pytest.raises(PinsError):
        buttons_service.pins_to_serve("lgpio")
    running = Running(path, buttons_service.pins_to_serve("auto"))
    health = table.until(Health)[0]
    assert (health.kind, health.buttons, health.lamps) == ("closed", (), ())
    assert health.said == "The pins of this machine cannot be opened: no chip is a Raspberry Pi's header."
    table.bus.send(PinDriven(17, False))
    table.bus.send(Reveal())
    table.peers[0].send(Asked(3, "examine", {}, "buttons"))
    (pins,) = findings_of(table.until(Answered)[0]) or []
    assert (pins.key, pins.state, pins.grade) == ("buttons.pins", "unopened", "bad")
    assert pins.fields["said"] == health.said.rstrip(".") and not table.of(Press)
    running.end()


def test_pins_that_are_no_buttons_are_not_driven(table: Table, running: Running, caplog: Any) -> None:
    """Driving a lamp's pin or an unused one writes a line to the log, and the next press still counts."""
    with caplog.at_level(logging.WARNING):
        for pin in (18, 4, 99, -1):
            table.bus.send(PinDriven(pin, False))
        table.bus.send(PinDriven(17, False))
        table.until(Press)
    assert [record.getMessage() for record in caplog.records if record.name == "hardware.buttons_service"] == [
        f"there is no button at pin {pin} (logged once, then counted)" for pin in (18, 4, 99, -1)
    ]


def test_a_real_pin_is_not_driven(path: Path, table: Table, caplog: Any) -> None:
    """Driving a real pin over the bus is refused with a line in the log."""
    running = Running(path, open_pins("simulated")._replace(kind="lgpio"))
    table.until(Health)
    with caplog.at_level(logging.WARNING):
        table.bus.send(PinDriven(17, False))
        table.until(Health, count=3)
    running.end()
    assert "pin 17 is real and cannot be driven over the bus" in caplog.text
    assert table.of(Press) == []


# --- in -------------------------------------------------------------------------------------------


def test_a_reveal_of_the_future_lights_all_lamps_together(table: Table, running: Running) -> None:
    """A reveal lights all lamps at its moment and not before."""
    at = table.of(Health)[-1].at + 300 * MILLISECOND
    table.bus.send(Reveal(at=at))
    on = table.until(PinDriven, lambda driven: driven.high, count=3)
    assert {driven.pin for driven in on} == {*LAMPS, 12}
    assert all(driven.at >= at for driven in on)


def test_what_stands_is_shown_to_a_service_that_joins_late(path: Path) -> None:
    """The table repeats its standing cues for a service that joins late."""
    table = Table(path, YourTurn(seats=(1,)))
    running = Running(path)
    assert table.until(PinDriven, lit)[0].pin == 23
    running.end()
    table.bus.close()


# --- without a bus --------------------------------------------------------------------------------


def test_a_press_that_nobody_heard_is_told_to_nobody_later(path: Path) -> None:
    """A press that no table heard is not reported later, neither its closing nor its opening."""
    running = Running(path)
    assert running.service._simulator is not None
    felt = shines(running.pins.factory.pin(18))
    running.service._simulator.drive(17, False)
    assert felt.wait(PATIENCE)
    table = Table(path)
    table.until(Health)
    running.service._simulator.drive(17, True)
    running.service._simulator.drive(27, False)
    running.service._simulator.drive(27, True, table.until(Press)[-1].at + 50 * MILLISECOND)
    table.until(Press, lambda press: press.contact == "opened" and press.seat == 1)
    running.end()
    table.bus.close()
    assert [press.seat for press in table.of(Press)] == [1, 1]


def test_without_a_bus_the_lamps_say_so_until_it_is_back(path: Path, table: Table) -> None:
    """After two seconds without a bus all lamps blink; once it is back they stop, and presses count."""
    running = Running(path)
    table.until(Health)
    table.bus.close()
    went_on = shines(running.pins.factory.pin(18))
    assert went_on.wait(PATIENCE)
    again = Table(path)
    again.until(Health, lambda health: not any(state.on for state in health.lamps), count=3)
    again.bus.send(PinDriven(17, False))
    again.until(Press)
    running.end()
    again.bus.close()
    assert ALONE == 2 * SECOND


def test_a_countdown_dies_with_the_bus(path: Path, table: Table) -> None:
    """A scheduled reveal is dropped when the bus is lost, because nobody could stop it any more."""
    running = Running(path)
    at = table.until(Health)[0].at + 1500 * MILLISECOND
    table.bus.send(Reveal(at=at))
    table.bus.send(PinDriven(17, False))  # A press that arrives afterwards proves that the bus was read
    table.until(Press)
    table.bus.close()
    again = Table(path)
    again.until(Health, lambda health: health.at > at + 300 * MILLISECOND)
    running.end()
    again.bus.close()
    assert [driven for driven in again.of(PinDriven) if driven.high] == []


# --- the end --------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_process_cleanly(path: Path, table: Table, number: signal.Signals) -> None:
    """SIGTERM ends the process with exit code 0 and without output on standard error."""
    program = "import sys, pathlib; from companion.devices.bus import SocketAddress; "
    program += "from hardware.buttons_service import ButtonsSetup, serve; from hardware.wiring.wiring import DEFAULT; "
    program += "serve(ButtonsSetup(DEFAULT), 'simulated', SocketAddress(pathlib.Path(sys.argv[1])))"
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(path)],
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    table.until(Health)
    table.bus.send(Trouble(what="paused"))
    table.until(PinDriven, lambda driven: driven.high, count=len(DEFAULT.seats))
    process.send_signal(number)
    _, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (0, b"")


def test_at_the_end_lamps_are_out_and_pins_are_free(path: Path, table: Table) -> None:
    """At the end all lamps are dark and all pins are free, no matter what was shown."""
    running = Running(path)
    table.until(Health)
    outputs = [running.pins.factory.pin(pin) for pin in (18, 23, 12)]
    table.bus.send(Reveal())
    table.until(PinDriven, lambda driven: driven.high, count=3)
    running.end()
    assert [(pin.function, pin.state) for pin in outputs] == [("input", False)] * 3


def test_priority_is_restored_after_hurrying() -> None:
    """The process gives up its raised priority after serving, so that a browser it starts cannot starve the machine."""
    before = os.sched_getscheduler(0), os.sched_getparam(0).sched_priority, os.getpriority(os.PRIO_PROCESS, 0)
    with pytest.raises(ZeroDivisionError), hurrying():
        raise ZeroDivisionError
    assert (os.sched_getscheduler(0), os.sched_getparam(0).sched_priority) == before[:2]
    assert os.getpriority(os.PRIO_PROCESS, 0) == before[2]


def test_an_examination_is_answered_from_what_is_known(table: Table, running: Running) -> None:
    """An examination reports each button without lighting a lamp, and an unknown question is refused."""
    table.until(Health)
    table.peers[0].send(Asked(3, "examine", {}, "buttons"))
    table.peers[0].send(Asked(4, "dance", {}, "buttons"))
    first, second = table.until(Answered, count=2)
    found = {each.key: each for each in findings_of(first) or []}
    assert found["buttons.pins"].state == "asked"
    assert found["buttons.pin"].well
    assert second == Answered(4, False, "unknown")
    assert not any(driven.high for driven in table.of(PinDriven))
