"""The 40-pin header of every Raspberry Pi since the B+, as data.

Source: Raspberry Pi documentation, "GPIO and the 40-pin header", which gpiozero's table of board J8 confirms.
"""

from __future__ import annotations

HEADER = (
    "3V3", "5V", "GPIO2", "5V", "GPIO3", "GND", "GPIO4", "GPIO14", "GND", "GPIO15",
    "GPIO17", "GPIO18", "GPIO27", "GND", "GPIO22", "GPIO23", "3V3", "GPIO24", "GPIO10", "GND",
    "GPIO9", "GPIO25", "GPIO11", "GPIO8", "GND", "GPIO7", "GPIO0", "GPIO1", "GPIO5", "GND",
    "GPIO6", "GPIO12", "GPIO13", "GND", "GPIO19", "GPIO16", "GPIO26", "GPIO20", "GND", "GPIO21",
)  # fmt: skip
"""The signal at each place of the header, from place 1. Odd places are the inner row, even ones the row at the edge."""
GROUND = "GND"
IDENTIFYING = (0, 1)
"""GPIOs reserved for the memory chip that identifies add-on boards."""
PULLED_UP = (2, 3)
"""GPIOs (those of I2C) with fixed resistors to 3.3 V on the board."""
USES = {
    14: "the serial console", 15: "the serial console",
    7: "SPI", 8: "SPI", 9: "SPI", 10: "SPI", 11: "SPI",
    2: "I2C", 3: "I2C",
    4: "1-Wire",
}  # fmt: skip
"""Other functions of GPIOs, which are active if enabled (`raspi-config`)."""
PLACES = {int(name.removeprefix("GPIO")): place for place, name in enumerate(HEADER, 1) if name.startswith("GPIO")}
"""The place on the header of every GPIO."""


def place(gpio: int) -> int:
    """Return a GPIO's place on the header, from 1; raise `KeyError` if there is none."""
    return PLACES[gpio]


def ground_near(place: int) -> int:
    """Return the nearest ground pin on the header; if two are equally near, the one in the same row."""
    column, row = place % 2, (place - 1) // 2
    grounds = [n for n, name in enumerate(HEADER, 1) if name == GROUND]
    return min(grounds, key=lambda n: (abs((n - 1) // 2 - row), n % 2 != column, n))
