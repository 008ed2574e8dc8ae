"""The doctor reads gpiozero's mock pins and judges what it reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gpiozero import LED

from companion.findings import Finding, FindingText, finding_text, look, sentences, well
from companion.messages import HOST, ButtonState, Health, LampState, Press
from hardware.buttons import ButtonBoard
from hardware.doctor import readings as doctor
from hardware.doctor.diagnosis import PinReading, Surroundings, judge, judge_press, judge_running, judge_surroundings
from hardware.doctor.readings import read_pins
from hardware.pins.factory import Pins, PinsError
from hardware.pins.simulated import SimulatedPin, simulated_factory
from hardware.wiring.wiring import PinUse, WiredPart, Wiring, uses

WIRING = Wiring((WiredPart(17, 18), WiredPart(27)), host=26, buzzer=12)
WELL = Surroundings("lgpio", raspberry=True, chips=("/dev/gpiochip0",), user="pi")


def told(finding: Finding) -> FindingText:
    """Return a finding's English sentence."""
    return finding_text(finding, sentences("en"))


def pins() -> Pins:
    """Return simulated pins."""
    return Pins(simulated_factory(), "simulated", stamped=True)


def readings(found: Pins, meanwhile: Callable[[], None] = lambda: None) -> dict[int, PinReading]:
    """Return the doctor's reading of each pin while `meanwhile` acts on the pins."""
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            meanwhile()

    taken = read_pins(WIRING, found, sleep)
    found.factory.close()
    assert waits[1] == doctor.WATCH_S
    return {reading.use.pin: reading for reading in taken}


def bad(found: dict[int, PinReading]) -> dict[int, str]:
    """Return the readings of all pins that have a fault."""
    return {pin: told(judge(reading)).how for pin, reading in found.items() if not judge(reading).well}


# --- pins -----------------------------------------------------------------------------------------


def test_pins_that_are_well_are_all_named() -> None:
    """Each pin of the wiring has a line with its place on the header and its part."""
    found = readings(pins())
    assert all(judge(reading).well for reading in found.values())
    assert [told(judge(reading)) for reading in found.values()] == [
        ("GPIO 17 (pin 11), the button of seat 1", "ok", ""),
        ("GPIO 18 (pin 12), the lamp of seat 1", "ok", ""),
        ("GPIO 27 (pin 13), the button of seat 2", "ok", ""),
        ("GPIO 26 (pin 37), the host's button", "ok", ""),
        ("GPIO 12 (pin 32), the buzzer", "ok", ""),
    ]


def test_a_taken_pin_is_named_and_the_others_are_looked_at() -> None:
    """A button's pin that another program uses as an output is reported as taken."""
    found = pins()
    with LED(27, pin_factory=found.factory):
        assert bad(readings(found)) == {27: "in use by another program"}


def test_a_stuck_button_is_named() -> None:
    """A contact that is closed while nobody presses it is reported as stuck."""
    found = pins()
    found.factory.pin(17).drive_low()
    stuck = found.factory.pin(17)
    taken = readings(found, lambda: stuck.level(False))
    assert bad(taken) == {17: "stuck: closed although nobody is pressing"}


def test_a_button_that_closes_for_good_meanwhile_is_stuck_not_noisy() -> None:
    """One edge that leaves the contact closed is not noise."""
    found = pins()
    late = found.factory.pin(17)

    def close() -> None:
        late.level(False)
        late.tell(False, 1)

    assert bad(readings(found, close)) == {17: "stuck: closed although nobody is pressing"}


def test_a_noisy_button_is_named_with_its_edges() -> None:
    """The doctor counts the edges that arrive while nobody presses."""
    found = pins()
    loose = found.factory.pin(26)

    def noise() -> None:
        for n in range(6):
            loose.level(n % 2 == 1)
            loose.tell(n % 2 == 1, n)

    assert bad(readings(found, noise)) == {26: "floating or noisy: 6 edges in 2 s without a press"}


def test_a_pin_that_is_not_there_is_missing() -> None:
    """A pin that the board does not have is reported as missing."""
    found = pins()
    real = found.factory.pin

    def pin(name: int) -> Any:
        if name == 18:
            raise ValueError("bad GPIO number")
        return real(name)

    found.factory.pin = pin
    assert bad(readings(found)) == {18: "missing: bad GPIO number"}


class Shorted(SimulatedPin):
    """A mock pin that stays low even when it is driven high."""

    def _get_state(self) -> bool:
        return False if self.function == "output" else bool(super()._get_state())


def test_a_lamp_that_reads_back_wrong_is_no_lamp() -> None:
    """A lamp's pin that stays low while it is driven high is reported as reading back the wrong level."""
    found = pins()
    found.factory.pin_class = Shorted
    assert bad(readings(found)) == {
        18: "it reads back the wrong level",
        12: "it reads back the wrong level",
    }


def test_the_lamps_are_out_and_all_pins_free_afterwards() -> None:
    """After the examination another program can open each pin."""
    found = pins()
    read_pins(WIRING, found, lambda seconds: None)
    with ButtonBoard(WIRING, found) as buttons:
        assert buttons.said == ()
        assert not any(lamp.on for lamp in buttons.lamps())


@pytest.mark.parametrize(
    ("reading", "how", "advice"),
    [
        (PinReading(PinUse(17, "button", 0), "'GPIO busy'", "spi0"), "in use by spi0", "Stop that program"),
        (PinReading(PinUse(17, "button", 0), "GPIO busy"), "in use by another program", "Stop that program"),
        (
            PinReading(PinUse(10, "button", 0), "GPIO busy", "spi0"),
            "in use by spi0",
            "The pin is also used for SPI: switch that off",
        ),
    ],
)
def test_who_holds_a_pin_is_told_with_what_to_do(reading: PinReading, how: str, advice: str) -> None:
    """The sentence contains the kernel's name for the program that holds the pin, or the pin's other function."""
    found = judge(reading)
    assert told(found).how == how and told(found).advice.startswith(advice) and not found.well


# --- surroundings ---------------------------------------------------------------------------------


def findings(**changes: Any) -> list[Finding]:
    """Return the findings about healthy surroundings with these changes."""
    fields = {name: getattr(WELL, name) for name in WELL.__struct_fields__}
    return judge_surroundings(Surroundings(**{**fields, **changes}))


def test_surroundings_that_are_well() -> None:
    """On a healthy Pi no finding asks for attention."""
    assert all(finding.well for finding in findings())


@pytest.mark.parametrize(
    ("changes", "line", "how"),
    [
        ({"kind": "", "said": "lgpio cannot be loaded", "lgpio": False}, 0,
         "cannot be reached: lgpio cannot be loaded"),
        ({"kind": "", "said": "lgpio cannot open the pins."}, 0, "cannot be reached: lgpio cannot open the pins"),
        ({"closed_chips": ("/dev/gpiochip0",), "grouped": False}, 1, "pi may not use /dev/gpiochip0"),
        ({"closed_chips": ("/dev/gpiochip0",)}, 1, "pi is in the group gpio, but may not use /dev/gpiochip0"),
        ({"chips": ()}, 1, "there is no /dev/gpiochip*"),
    ],
)  # fmt: skip
def test_what_is_not_well_says_what_to_do(changes: dict[str, Any], line: int, how: str) -> None:
    """Each fault adds exactly one bad line, and that line says what to do."""
    found = findings(**changes)
    assert [n for n, finding in enumerate(found) if not finding.well] == [line]
    assert told(found[line]).how == how and told(found[line]).advice


def test_a_machine_without_pins_is_well_with_simulated_ones() -> None:
    """A machine without pins is told that its pins are simulated, and this is not a fault."""
    found = findings(kind="simulated", said="This machine has no pins.", raspberry=False, chips=(), lgpio=False)
    assert all(finding.well for finding in found)
    assert told(found[0]).how == "simulated: This machine has no pins"


def test_the_machine_tells_its_model(tmp_path: Path) -> None:
    """Only the kernel's own text decides whether this is a Raspberry Pi."""
    (tmp_path / "pi").write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    (tmp_path / "pc").write_bytes(b"Something else\0")
    assert [doctor.is_raspberry(tmp_path / name) for name in ("pi", "pc", "none")] == [True, False, False]


# --- pressing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "felt", "line"),
    [
        (0, (0,), ("The button of seat 1", "detected", "")),
        (HOST, (HOST, HOST), ("The host's button", "detected", "")),
        (
            0,
            (0, 1),
            ("The button of seat 1", "detected, but so was the button of seat 2", "Look for wires that touch."),
        ),
        (0, (HOST,), ("The button of seat 1", "not detected, but the host's button was", "Their wires are swapped.")),
    ],
)
def test_what_was_felt_is_judged(wanted: int, felt: tuple[int, ...], line: tuple[str, str, str]) -> None:
    """The doctor distinguishes the right button, a wrong one, and both together."""
    assert told(judge_press(wanted, felt)) == line
    assert judge_press(wanted, felt).well == (not line[2])


def test_a_button_that_nobody_felt_is_named() -> None:
    """The doctor names a silent button once the waiting time is over, and stops waiting at a press."""
    felt: list[Press] = []
    with ButtonBoard(WIRING, pins(), on_press=felt.append) as buttons:
        assert doctor.read_press(buttons, 1, felt, 0.01).state == "never"
        buttons.later(lambda: felt.extend((Press(0, 3, "opened", 1), Press(1, 5))))
        assert doctor.read_press(buttons, 1, felt, 60) == well("buttons.press", "felt", part=["button:2"])


def test_a_service_at_work_tells_what_it_knows_of_its_buttons() -> None:
    """While the service runs, the doctor takes the state of wired and wireless buttons from it and opens no pin."""
    states = (ButtonState(0, 17), ButtonState(1, 27, "stuck"), ButtonState(HOST, 26, "closed"), ButtonState(0, -1),
              ButtonState(1, -1, "missing"))  # fmt: skip
    found = judge_running(WIRING, Health("buttons", 0, "lgpio", True, states, (LampState(0, 18),)))
    assert [(told(each).what, each.state, each.grade) for each in found] == [
        ("Pins", "ok", "well"),
        ("GPIO 17 (pin 11), the button of seat 1", "ok", "well"),
        ("GPIO 27 (pin 13), the button of seat 2", "stuck", "bad"),
        ("GPIO 26 (pin 37), the host's button", "closed", "well"),
        ("Wireless, the button of seat 1", "there", "well"),
        ("Wireless, the button of seat 2", "missing", "bad"),
    ]


@pytest.mark.parametrize(
    ("lang", "how", "advice"),
    [("en", "does not timestamp", "python3-lgpio"), ("fr", "n'horodate pas", "python3-lgpio")],
)
def test_pins_without_the_kernel_s_stamps_are_named_with_what_that_costs(lang: str, how: str, advice: str) -> None:
    """With RPi.GPIO, doctor and page say that a close press may be judged too late, and name the fairer library."""
    at_work = judge_running(WIRING, Health("buttons", 0, "rpigpio", False))[0]
    asked = judge_surroundings(Surroundings("rpigpio"))[0]
    assert at_work == asked == look("buttons.pins", "unstamped", kind="rpigpio")
    found = finding_text(asked, sentences(lang))
    assert "rpigpio" in found.how and how in found.how and advice in found.advice
    assert judge_surroundings(Surroundings("lgpio"))[0] == well("buttons.pins", kind="lgpio")


def test_pins_that_a_service_has_are_not_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the service holds real pins, one sentence says so and how to free them; simulated pins need none."""
    monkeypatch.setattr(doctor, "find_processes", lambda proc, command: iter([41]))
    doctor.ensure_free(pins())
    with pytest.raises(PinsError, match=r"The buttons' service \(process 41\) is using the pins. Stop it first"):
        doctor.ensure_free(pins()._replace(kind="lgpio"))


def test_every_use_has_a_name() -> None:
    """Each part of a wiring has a different name."""
    names = [use.name for use in uses(WIRING)]
    assert len(set(names)) == len(names)
