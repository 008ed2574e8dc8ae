"""In the guest: count the fresh processes that hear no press, with and without arming their pins again."""

from __future__ import annotations

import os
import time

import hardware.buttons
from companion.messages import MILLISECOND, SECOND
from hardware.buttons import ButtonBoard
from hardware.pins.factory import open_pins
from hardware.wiring.wiring import WiredPart, Wiring
from tests.hardware.kernel.guest import become_pi
from tests.hardware.kernel.lines import Chip, report

BUTTON = 5
PRESSES = 3
PATIENCE = 5 * SECOND
STARTS = 8


def heard(chip: Chip) -> int:
    """Return how many of three presses a fresh process hears."""
    ready, begun = os.pipe()
    child = os.fork()
    if child == 0:
        os._exit(listen(begun))
    os.read(ready, 1)
    for _ in range(PRESSES):
        chip.press(BUTTON, 0.02)
        time.sleep(0.02)
    _, status = os.waitpid(child, 0)
    os.close(ready)
    os.close(begun)
    return os.waitstatus_to_exitcode(status)


def listen(begun: int) -> int:
    """Open a button, report when it is armed for good, and return how many presses arrive in time."""
    told: list[bool] = []
    wiring = Wiring((WiredPart(BUTTON),))
    buttons = ButtonBoard(wiring, open_pins("lgpio"), on_press=lambda press: told.append(press.contact == "closed"))
    armed = time.monotonic_ns() + 120 * MILLISECOND
    while time.monotonic_ns() < armed:
        buttons.wait(armed)
    os.write(begun, b".")
    end = time.monotonic_ns() + PATIENCE
    while sum(told) < PRESSES and time.monotonic_ns() < end:
        buttons.wait(end)
    return sum(told)


def main() -> None:
    """Count the starts by the number of presses that they heard."""
    become_pi("c03111")
    chip = Chip()
    chip.pull(BUTTON, True)
    starts = int(os.environ.get("STARTS", STARTS))
    report(cured=[heard(chip) for _ in range(starts)])
    if os.environ.get("UNCURED"):
        hardware.buttons.REARM = 3600 * SECOND
        report(uncured=[heard(chip) for _ in range(starts)])
