"""In the guest: a Pi 5 whose chips have numbers that gpiozero does not try, and one without a header's chip."""

from __future__ import annotations

import os
import threading
import time

from companion.messages import Press
from hardware.buttons import ButtonBoard
from hardware.doctor.readings import read_press
from hardware.pins.factory import open_pins
from hardware.wiring.wiring import WiredPart, Wiring
from tests.hardware.kernel.guest import become_pi
from tests.hardware.kernel.lines import Chip, report

BUTTON, LAMP = 17, 18
WIRING = Wiring((WiredPart(BUTTON, LAMP),))


def press(header: Chip) -> dict[str, object]:
    """Open the pins as the service does, press the button and light the lamp; return the results."""
    felt: list[Press] = []
    header.pull(BUTTON, True)
    pins = open_pins(os.environ["PINS"])
    chip = getattr(pins.factory, "chip", None)
    with ButtonBoard(WIRING, pins, on_press=felt.append) as buttons:
        finger = threading.Timer(0.3, header.press, (BUTTON, 0.05))
        finger.start()
        found = read_press(buttons, 0, felt, 20).state
        finger.join()
        buttons.wait(time.monotonic_ns() + 200_000_000)
        buttons.show((True,))
        lit = header.value(LAMP)
    return {"kind": pins.kind, "chip": chip, "felt": found, "lit": lit}


def main() -> None:
    """Number the chips as a kernel of 2026 does: none is 0 or 4, and the header's is not the first."""
    become_pi("c04170")
    filled = [Chip(f"filler-{n}", 2) for n in range(5)]
    others = [Chip(f"gpio-brcmstb-{n}", 2) for n in range(2)]
    header = Chip("pinctrl-rp1")
    for chip in filled:
        chip.remove()
    report(chips=[chip.name for chip in (*others, header)], pressed=press(header))
    header.remove()
    report(said=open_pins("auto").said)
