"""Choose the gpiozero factory for the pins, and tell whether the kernel stamps their edges."""

from __future__ import annotations

import importlib
import os
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

KINDS = ("auto", "lgpio", "rpigpio", "simulated")
INSTALL = {
    "lgpio": "install python3-lgpio (or lgpio with pip)",
    "rpigpio": "install python3-rpi-lgpio, on systems before Bookworm python3-rpi.gpio; lgpio is fairer",
}
_IMPORTING = threading.Lock()


class PinsError(ValueError):
    """The pins cannot be opened; the message gives the reason and the fix."""


class Pins(NamedTuple):
    """Open pins."""

    factory: Any
    """gpiozero's factory."""
    kind: str
    """`lgpio`, `rpigpio` or `simulated`."""
    stamped: bool
    """Whether an edge carries its own moment; otherwise the moment is when Python heard of it."""
    said: str = ""
    """Why the pins are simulated without having been asked for; empty otherwise."""


def open_pins(kind: str = "auto") -> Pins:
    """Open `auto`, `lgpio`, `rpigpio` or `simulated` pins; raise `PinsError` if that fails.

    `auto` takes the first kind that opens, falls back to simulated pins, and says why.
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
    return simulated_pins()._replace(said=f"{_why_simulated()}: {reasons[0]}, so the buttons are simulated.")


def lgpio_pins() -> Pins:
    """Open the pins of a Pi 5, 4 or 3 through lgpio, whose edges are stamped by the kernel."""
    module = _import("lgpio", "gpiozero.pins.lgpio")
    return Pins(_open("lgpio", module.LGPIOFactory), "lgpio", stamped=True)


def rpigpio_pins() -> Pins:
    """Open the pins through RPi.GPIO, or rpi-lgpio, its drop-in on a Pi 5. Neither stamps edges."""
    module = _import("rpigpio", "gpiozero.pins.rpigpio")
    return Pins(_open("rpigpio", module.RPiGPIOFactory), "rpigpio", stamped=False)


def simulated_pins() -> Pins:
    """Open simulated pins, which stamp their edges themselves."""
    from hardware.pins.simulated import simulated_factory

    return Pins(simulated_factory(), "simulated", stamped=True)


OPENERS: dict[str, Callable[[], Pins]] = {
    "lgpio": lgpio_pins,
    "rpigpio": rpigpio_pins,
    "simulated": simulated_pins,
}


def _import(kind: str, module: str) -> Any:
    try:
        with _IMPORTING, _TemporaryWorkingDirectory():
            return importlib.import_module(module)
    except (ImportError, RuntimeError, OSError) as error:  # RPi.GPIO raises RuntimeError without a Pi
        raise PinsError(f"{kind} cannot be loaded ({_error_text(error)}): {INSTALL[kind]}.") from error


def _open(kind: str, factory: Callable[[], Any]) -> Any:
    try:
        opened = factory()
    except Exception as error:  # every library has errors of its own, lgpio's are bare Exceptions
        raise PinsError(f"{kind} cannot open the pins ({_error_text(error)}).") from error
    try:
        opened.board_info  # noqa: B018 (reading it the first time asks the machine)
    except Exception as error:
        opened.close()
        raise PinsError(f"{kind} does not know this machine ({_error_text(error)}).") from error
    return opened


def _why_simulated() -> str:
    chips = list(Path("/dev").glob("gpiochip*"))
    if chips and not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return "This user may not use the pins (it is not in the group gpio)"
    return "The pins of this machine cannot be opened" if chips else "This machine has no pins"


def _error_text(error: Exception) -> str:
    text = str(error).strip(" .\n").replace("\n", " ")
    if text.startswith("'") and text.endswith("'"):  # lgpio's errors are quoted as a whole
        text = text[1:-1]
    return text or type(error).__name__


class _TemporaryWorkingDirectory:
    """Another working directory while lgpio is imported, as it makes a FIFO there, and fails if it may not.

    Both ends of the FIFO are open after the import, so that it can be removed at once. If `LG_WD` is set, lgpio changes
    to that directory and stays; the working directory is restored all the same.
    """

    def __enter__(self) -> None:
        self._back = Path.cwd()
        self._place = tempfile.TemporaryDirectory(prefix="companion-")
        os.chdir(os.environ.get("LG_WD", self._place.name))

    def __exit__(self, *error: object) -> None:
        os.chdir(self._back)
        self._place.cleanup()
