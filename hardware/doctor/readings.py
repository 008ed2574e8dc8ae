"""The doctor's readings of the pins and their surroundings; `diagnosis` turns them into findings."""

from __future__ import annotations

import contextlib
import grp
import os
import pwd
import time
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path

from gpiozero import DigitalOutputDevice

from companion.findings import Finding
from companion.messages import SECOND, Press
from companion.ops.doctor.power import is_raspberry
from companion.ops.doctor.services import find_processes
from hardware.buttons import REARM, ButtonBoard, Contact
from hardware.doctor.diagnosis import CHIPS, GROUP, WATCH_S, PinReading, Surroundings, judge_press
from hardware.pins.factory import Pins, PinsError
from hardware.wiring.wiring import PinUse, Wiring, uses

PATIENCE_S = 10.0
"""Seconds that people have to press the requested button."""


def read_pins(wiring: Wiring, pins: Pins, sleep: Callable[[float], None] = time.sleep) -> tuple[PinReading, ...]:
    """Open every pin, light every lamp briefly, watch the buttons for `WATCH_S`, and release all pins."""
    with contextlib.ExitStack() as stack:
        edges: list[int] = []
        opened = [(use, *_open(use, pins, edges, stack)) for use in uses(wiring)]
        follows = {use.pin: _follows(device) for use, device, _ in opened if isinstance(device, DigitalOutputDevice)}
        _arm(opened)
        sleep(REARM / SECOND)
        edges.clear()  # the pull-up may need a moment on a long wire
        _arm(opened)
        sleep(WATCH_S)
        return tuple(
            PinReading(use, error, pin_user(pins, use.pin))
            if device is None
            else PinReading(use, closed=device.closed, edges=edges.count(use.pin))
            if isinstance(device, Contact)
            else PinReading(use, follows=follows[use.pin])
            for use, device, error in opened
        )


def _open(
    use: PinUse, pins: Pins, edges: list[int], stack: contextlib.ExitStack
) -> tuple[Contact | DigitalOutputDevice | None, str]:
    try:
        if use.part == "button":
            # Here the contact's number is its pin, because edges are counted by pin.
            device = Contact(use.pin, use.pin, pins, lambda pin, at, closed: edges.append(pin))
        else:
            device = DigitalOutputDevice(use.pin, pin_factory=pins.factory)
    except Exception as error:  # gpiozero's, lgpio's and RPi.GPIO's errors have no common base
        return None, str(error).strip("' .") or type(error).__name__
    stack.callback(device.close)
    return device, ""


def _arm(opened: Iterable[tuple[PinUse, object, str]]) -> None:
    for _, device, _ in opened:
        if isinstance(device, Contact):
            device.arm()


def _follows(device: DigitalOutputDevice) -> bool:
    """Switch an output on and off again; return whether it read back as it was set."""
    device.on()
    high = bool(device.value)
    device.off()
    return high and not device.value


def pin_user(pins: Pins, gpio: int) -> str:
    """Return the pin's user according to the kernel, or an empty text."""
    if pins.kind != "lgpio":
        return ""
    import lgpio

    chip = lgpio.gpiochip_open(pins.factory.chip)
    try:
        *_, user = lgpio.gpio_get_line_info(chip, gpio)
    except lgpio.error:
        return ""
    finally:
        lgpio.gpiochip_close(chip)
    return str(user)


def ensure_free(pins: Pins) -> None:
    """Raise `PinsError` and close the pins if the buttons service holds them, because it would receive the press
    instead."""
    others = tuple(find_processes(Path("/proc"), "buttons")) if pins.kind != "simulated" else ()
    if others:
        pins.factory.close()
        raise PinsError(
            f"The buttons' service (process {others[0]}) is using the pins. Stop it first, for example "
            "with sudo systemctl stop companion-buttons or Ctrl-C, then try again."
        )


def surroundings(pins: Pins | None, said: str = "") -> Surroundings:
    """Read the surroundings of the pins; `pins` is None if they could not be opened, and `said` is the reason."""
    chips = tuple(str(path) for path in sorted(Path("/dev").glob(CHIPS)))
    user = pwd.getpwuid(os.geteuid()).pw_name
    return Surroundings(
        kind=pins.kind if pins else "",
        said=said or (pins.said if pins else ""),
        raspberry=is_raspberry(),
        lgpio=find_spec("lgpio") is not None,
        chips=chips,
        closed_chips=tuple(chip for chip in chips if not os.access(chip, os.R_OK | os.W_OK)),
        user=user,
        grouped=_grouped(user),
    )


def _grouped(user: str) -> bool:
    try:
        group = grp.getgrnam(GROUP)
    except KeyError:
        return True
    return user in group.gr_mem or group.gr_gid in os.getgroups()


def read_press(buttons: ButtonBoard, wanted: int, felt: list[Press], patience_s: float = PATIENCE_S) -> Finding:
    """Wait until a button is pressed, and return the finding; the buttons' `on_press` must append to `felt`."""

    def closed() -> tuple[int, ...]:
        return tuple(press.seat for press in felt if press.contact == "closed")

    felt.clear()
    until = time.monotonic_ns() + int(patience_s * SECOND)
    while time.monotonic_ns() < until and not closed():
        buttons.wait(until)
    return judge_press(wanted, closed())
