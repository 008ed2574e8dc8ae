"""Finds the pin controller of the 40-pin header by its label, since its number differs between machines and kernels."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

HEADERS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The kernel's labels for the header's controller: on a Pi 5, on a Pi 4, on older ones. (Linux:
drivers/pinctrl/pinctrl-rp1.c, drivers/pinctrl/bcm/pinctrl-bcm2835.c)"""
DEVICES = Path("/dev")
CHIP = "gpiochip"


class PinChip(NamedTuple):
    """A pin controller of this machine."""

    number: int
    label: str
    """The label; empty if the controller could not be opened."""
    error: str = ""
    """The reason why it could not be opened."""


class NoHeaderError(ValueError):
    """No pin controller of this machine belongs to a known header; the message lists the controllers found."""


def find_header(chips: Iterable[PinChip]) -> int:
    """Return the number of the header's chip, the lowest if it has several; raise `NoHeaderError`."""
    found = sorted(chips)
    for chip in found:
        if chip.label in HEADERS:
            return chip.number
    closed = [f"/dev/{CHIP}{chip.number}: {chip.error}" for chip in found if chip.error]
    if closed:
        raise NoHeaderError("; ".join(closed))
    if not found:
        raise NoHeaderError(f"there is no /dev/{CHIP}*")
    names = ", ".join([f"{CHIP}{chip.number} is {chip.label}" for chip in found])
    raise NoHeaderError(f"no chip is a Raspberry Pi's header: {names}")


def read_chips(lgpio: ModuleType, devices: Path = DEVICES) -> tuple[PinChip, ...]:
    """Return this machine's pin controllers according to lgpio; a controller that does not open has no label."""
    numbers = [path.name.removeprefix(CHIP) for path in devices.glob(f"{CHIP}*")]
    return tuple([_ask(lgpio, int(number)) for number in numbers if number.isdecimal()])


def _ask(lgpio: ModuleType, number: int) -> PinChip:
    try:
        handle = lgpio.gpiochip_open(number)
    except Exception as error:  # lgpio's errors are bare Exceptions
        return PinChip(number, "", error_text(error))
    try:
        return PinChip(number, str(lgpio.gpio_get_chip_info(handle)[3]))
    finally:
        lgpio.gpiochip_close(handle)


def error_text(error: Exception) -> str:
    """Return a library's error as part of a sentence."""
    text = str(error).strip(" .\n").replace("\n", " ")
    if text.startswith("'") and text.endswith("'"):  # lgpio puts the whole error in quotes
        text = text[1:-1]
    return text or type(error).__name__
