"""Choose the gpiozero factory for the pins, and report whether the kernel stamps their edges."""

from __future__ import annotations

import contextlib
import importlib
import os
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from companion.ops.doctor.power import is_raspberry
from hardware.pins.header_chip import HEADERS, NoHeaderError, PinChip, error_text, find_header, read_chips

if TYPE_CHECKING:
    from gpiozero import Factory

KINDS = ("auto", "lgpio", "rpigpio", "simulated")
CLOSED = "closed"
INSTALL = {
    "lgpio": "install python3-lgpio (or lgpio with pip)",
    "rpigpio": "install python3-rpi-lgpio, on systems before Bookworm python3-rpi.gpio; lgpio is fairer",
}
_IMPORTING = threading.Lock()


class PinsError(ValueError):
    """The pins cannot be opened; the message contains the reason and the fix."""


class Pins(NamedTuple):
    """Open pins."""

    factory: Factory
    """gpiozero's factory."""
    kind: str
    """`lgpio`, `rpigpio`, `simulated`, or `closed` if this machine has pins but none can be opened."""
    stamped: bool
    """Whether each edge carries its own time; otherwise its time is when Python received it."""
    said: str = ""
    """The reason why the pins are closed, or simulated although nobody asked for that; otherwise empty."""


def open_pins(kind: str = "auto") -> Pins:
    """Open `auto`, `lgpio`, `rpigpio` or `simulated` pins; raise `PinsError` if that fails.

    `auto` takes the first kind that opens. A machine without pins gets simulated ones with the reason. A machine with
    pins never gets simulated ones, because its real buttons would then fail silently.
    """
    if kind not in KINDS:
        raise PinsError(f"There are no “{kind}” pins: choose one of {', '.join(KINDS)}.")
    if kind != "auto":
        return OPENERS[kind]()
    reasons = []
    for real in ("lgpio", "rpigpio"):
        try:
            return OPENERS[real]()
        except PinsError as error:
            reasons.append(str(error).rstrip("."))
    if _has_pins():
        raise PinsError(f"{_why_closed()}: {reasons[0]}.")
    return simulated_pins()._replace(said=f"This machine has no real buttons, so they are simulated: {reasons[0]}.")


def closed_pins(said: str) -> Pins:
    """Return pins that nobody can open: wireless buttons still work, and pages show the reason."""
    return Pins(contextlib.ExitStack(), CLOSED, stamped=True, said=said)


def lgpio_pins() -> Pins:
    """Open the header's pins through lgpio; the kernel stamps their edges."""
    module = _import("lgpio", "gpiozero.pins.lgpio")
    return Pins(_open("lgpio", lambda: module.LGPIOFactory(chip=find_header(_chips()))), "lgpio", stamped=True)


def rpigpio_pins() -> Pins:
    """Open the pins through RPi.GPIO, or through rpi-lgpio, its replacement on a Pi 5. Neither stamps edges."""
    module = _import("rpigpio", "gpiozero.pins.rpigpio")
    with contextlib.suppress(PinsError, NoHeaderError):  # RPi.GPIO itself has no chips
        os.environ.setdefault("RPI_LGPIO_CHIP", str(find_header(_chips())))
    return Pins(_open("rpigpio", module.RPiGPIOFactory), "rpigpio", stamped=False)


def simulated_pins() -> Pins:
    """Open simulated pins, which stamp their own edges."""
    from hardware.pins.simulated import simulated_factory

    return Pins(simulated_factory(), "simulated", stamped=True)


OPENERS: dict[str, Callable[[], Pins]] = {
    "lgpio": lgpio_pins,
    "rpigpio": rpigpio_pins,
    "simulated": simulated_pins,
}


def _import(kind: str, module: str) -> ModuleType:
    try:
        # lgpio creates a FIFO in the working directory, and fails in a read-only one. Once both ends are open after the
        # import, the FIFO can be removed. With `LG_WD` lgpio changes to that directory and stays there.
        temporary = tempfile.TemporaryDirectory(prefix="companion-")
        with _IMPORTING, temporary as place, contextlib.chdir(os.environ.get("LG_WD", place)):
            return importlib.import_module(module)
    except (ImportError, RuntimeError, OSError) as error:  # RPi.GPIO raises RuntimeError without a Pi
        raise PinsError(f"{kind} cannot be loaded ({error_text(error)}): {INSTALL[kind]}.") from error


def _open(kind: str, factory: Callable[[], Factory]) -> Factory:
    try:
        opened = factory()
    except Exception as error:  # every library raises its own errors, and lgpio's are bare Exceptions
        raise PinsError(f"{kind} cannot open the pins ({error_text(error)}).") from error
    try:
        opened.board_info  # noqa: B018 (reading it the first time asks the machine)
    except Exception as error:
        opened.close()
        raise PinsError(f"{kind} does not know this machine ({error_text(error)}).") from error
    return opened


def _has_pins() -> bool:
    """Return whether this machine has a header, even one that nobody may use."""
    try:
        return is_raspberry() or any(chip.label in HEADERS for chip in _chips())
    except PinsError:
        return False


def _chips() -> tuple[PinChip, ...]:
    return read_chips(_import("lgpio", "lgpio"))


def _why_closed() -> str:
    chips = list(Path("/dev").glob("gpiochip*"))
    if chips and not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return "This user may not use the pins (it is not in the group gpio)"
    return "The pins of this machine cannot be opened"
