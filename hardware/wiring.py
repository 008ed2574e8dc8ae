"""The wiring: which button, lamp and buzzer hangs on which pin. Pins are BCM numbers, as gpiozero counts them."""

from __future__ import annotations

import msgspec


class Wired(msgspec.Struct, frozen=True):
    """One seat's button, and its lamp where it has one."""

    button: int
    lamp: int | None = None


class Wiring(msgspec.Struct, frozen=True):
    """Everything that is wired, the seats in their order around the table, and how presses are read."""

    seats: tuple[Wired, ...]
    host: int | None = None
    """The host's button."""
    buzzer: int | None = None
    bounce_ms: int = 10
    """Edges closer together than this are one contact's chatter."""
    noise_ms: int = 1
    """A contact closed for less than this is noise."""
    hold_ms: int = 700
    """A button closed for so long is held."""
    stuck_s: int = 20
    """A button closed for so long is stuck."""


DEFAULT = Wiring(
    seats=(Wired(17, 18), Wired(27, 23), Wired(22, 24), Wired(5, 25), Wired(6, 16), Wired(13, 20)),
    host=26,
    buzzer=12,
)
"""Buttons down the inner row of the header, lamps down the outer one; free of I2C, SPI, serial and ID pins."""
