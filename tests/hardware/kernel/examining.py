"""In the guest: the doctor examines real lines (one taken, one noisy, one stuck), then each button is pressed."""

from __future__ import annotations

import threading
import time

import lgpio

from companion.findings import finding_text, sentences
from companion.messages import Press
from hardware.buttons import ButtonBoard
from hardware.doctor.diagnosis import judge
from hardware.doctor.readings import read_pins, read_press
from hardware.pins.factory import open_pins
from hardware.wiring.wiring import WiredPart, Wiring
from tests.hardware.kernel.guest import become_pi
from tests.hardware.kernel.lines import Chip, report

TAKEN, NOISY, WELL, LAMP, LATE = 17, 27, 22, 23, 5
WIRING = Wiring((WiredPart(TAKEN), WiredPart(NOISY), WiredPart(WELL, LAMP), WiredPart(LATE)))


def examine(chip: Chip) -> list[dict[str, object]]:
    """Return the doctor's findings while one contact is loose and another closes for good. Claimed lines begin open."""

    def sleep(seconds: float) -> None:
        if seconds > 1:
            chip.pull(LATE, False)
            for _ in range(4):
                chip.pull(NOISY, False)
                time.sleep(0.02)
                chip.pull(NOISY, True)
                time.sleep(0.02)
        time.sleep(seconds)

    pins = open_pins("lgpio")
    found = [judge(reading) for reading in read_pins(WIRING, pins, sleep)]
    pins.factory.close()
    chip.pull(LATE, True)
    return [finding_text(finding, sentences("en"))._asdict() for finding in found]


def press(chip: Chip) -> list[str]:
    """Return the presses of all buttons, in the same process and on the same lines."""
    felt: list[Press] = []
    found = []
    with ButtonBoard(WIRING, open_pins("lgpio"), on_press=felt.append) as buttons:
        for state in buttons.buttons():
            finger = threading.Timer(0.3, chip.press, (state.pin, 0.05))
            finger.start()
            found.append(read_press(buttons, state.seat, felt, 20).state)
            finger.join()
            buttons.wait(time.monotonic_ns() + 200_000_000)
    return found


def main() -> None:
    """Examine, then press."""
    become_pi("c03111")
    chip = Chip()
    for wired in WIRING.seats:
        chip.pull(wired.button, True)
    other = lgpio.gpiochip_open(0)
    lgpio.gpio_claim_input(other, TAKEN)
    report(findings=examine(chip))
    lgpio.gpio_free(other, TAKEN)
    lgpio.gpiochip_close(other)
    report(felt=press(chip))
