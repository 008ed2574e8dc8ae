"""Which of gpiozero's factories reaches the pins, and whether the kernel stamps their edges."""

from __future__ import annotations

from typing import Any, NamedTuple


class PinsError(ValueError):
    """The pins cannot be opened; the message says why and what to do."""


class Pins(NamedTuple):
    """Pins that are open."""

    factory: Any
    """gpiozero's factory."""
    kind: str
    """`lgpio`, `rpigpio` or `simulated`."""
    stamped: bool
    """Whether an edge carries its own moment; else it is when Python heard of it."""
    said: str = ""
    """Why the pins are simulated although nobody asked for that; empty otherwise."""


def open_pins(kind: str = "auto") -> Pins:
    """Open `auto`, `lgpio`, `rpigpio` or `simulated` pins; raise `PinsError` where they cannot be opened.

    `auto` falls back to simulated pins and says why.
    """
    raise NotImplementedError
