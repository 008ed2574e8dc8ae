"""The currents that lamps and the buzzer's transistor draw from the header, and the header's limits.

Source of the limits: Raspberry Pi documentation, "GPIO pads control": each pad is designed for 16 mA, and the 3.3 V
supply for about 3 mA per GPIO pin, calculated for 17 pins (16 mA each would be 272 mA).
"""

from __future__ import annotations

from hardware.wiring.wiring import Wiring

PIN_MA = 16
"""The maximum current of one pin in milliamperes."""
ALL_MA = 17 * 3
"""The maximum current of all pins together in milliamperes."""
LED_MA = 20
"""The maximum current of an ordinary light-emitting diode in milliamperes."""
VOLTS = 3.3
LAMP_VOLTS = 1.8
"""The lowest voltage across a red light-emitting diode. Other colours need more, so that less current flows."""
LAMP_OHMS = 330
BASE_VOLTS = 0.7
"""The voltage from base to emitter of a silicon transistor."""
BASE_OHMS = 1000


def lamp_ma() -> float:
    """Return the maximum current of one lamp in milliamperes."""
    return (VOLTS - LAMP_VOLTS) / LAMP_OHMS * 1000


def base_ma() -> float:
    """Return the base current of the buzzer's transistor in milliamperes."""
    return (VOLTS - BASE_VOLTS) / BASE_OHMS * 1000


def total_ma(wiring: Wiring) -> float:
    """Return the current in milliamperes when all lamps are lit and the buzzer sounds."""
    lamps = sum(seat.lamp is not None for seat in wiring.seats)
    return lamps * lamp_ma() + (base_ma() if wiring.buzzer is not None else 0)


def calculation(wiring: Wiring) -> list[tuple[str, bool]]:
    """Return the calculation line by line, and whether each line is emphasised."""
    found = [
        ("One lamp at the most (red, 1.8 V):", False),
        (f"(3.3 V − {LAMP_VOLTS} V) / {LAMP_OHMS} Ω = {lamp_ma():.1f} mA", True),
        (f"of the {PIN_MA} mA that a pin may give and", False),
        (f"the {LED_MA} mA that the diode bears.", False),
        ("", False),
    ]
    if wiring.buzzer is not None:
        found.append((f"Base of the transistor: {base_ma():.1f} mA", False))
    found += [
        ("All lamps lit" + (", buzzer on" if wiring.buzzer is not None else "") + ":", False),
        (f"{total_ma(wiring):.0f} mA of {ALL_MA} mA", True),
        ("that the 3.3 V supply was designed to", False),
        ("give to the pins (17 × 3 mA).", False),
        ("", False),
        ("Limits: Raspberry Pi documentation,", False),
        ("“GPIO pads control”.", False),
    ]
    return found
