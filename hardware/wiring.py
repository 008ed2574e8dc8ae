"""The wiring: which button, lamp and buzzer hangs on which pin. Pins are BCM numbers, as gpiozero counts them.

Read from the table `[wiring]` of the settings; what stands there is checked here, and nowhere else.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import msgspec

from companion import config
from companion.config import ConfigError, Table, only, told, whole
from hardware.header import GROUND, HEADER, IDENTIFYING, PLACES, PULLED_UP

SEATS = (2, 6)
"""Seats at least and at most."""
TABLE = "[wiring]"
PINS = f"GPIO 2 to {max(PLACES)}"


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


class Use(msgspec.Struct, frozen=True):
    """What a pin is for: a `button`, `lamp` or `buzzer`; `seat` is None for the host's button and the buzzer."""

    pin: int
    part: str
    seat: int | None = None

    @property
    def name(self) -> str:
        """The part's name as people say it, with the seats counted from 1."""
        if self.part == "buzzer":
            return "the buzzer"
        return f"the {self.part} of seat {self.seat + 1}" if self.seat is not None else "the host's button"


LONGEST = {"bounce_ms": 1000, "noise_ms": 1000, "hold_ms": 10_000, "stuck_s": 3600}
"""The longest that each duration may be set to."""
DURATIONS = {key: getattr(Wiring(()), key) for key in LONGEST}


def uses(wiring: Wiring) -> tuple[Use, ...]:
    """Return what every pin of the wiring is for, seat by seat, then the host's button and the buzzer."""
    found: list[Use] = []
    for seat, wired in enumerate(wiring.seats):
        found.append(Use(wired.button, "button", seat))
        if wired.lamp is not None:
            found.append(Use(wired.lamp, "lamp", seat))
    if wiring.host is not None:
        found.append(Use(wiring.host, "button"))
    if wiring.buzzer is not None:
        found.append(Use(wiring.buzzer, "buzzer"))
    return tuple(found)


def read(folder: Path) -> Wiring:
    """Return the wiring of a data folder's settings, the shipped one where they say nothing; raise `ConfigError`."""
    table = config.read(folder).get("wiring")
    return DEFAULT if table is None else checked(table, f"{config.path_in(folder)}, {TABLE}")


def checked(table: Table, where: str = TABLE) -> Wiring:
    """Return the wiring that a table describes; raise `ConfigError` with one sentence for anything wrong in it."""
    only(table, Wiring.__struct_fields__, where)
    seats = table.get("seats")
    if not isinstance(seats, list):
        raise ConfigError(f"{where}: seats must be a list such as [{{ button = 17, lamp = 18 }}, …].")
    if not SEATS[0] <= len(seats) <= SEATS[1]:
        raise ConfigError(f"{where}: {len(seats)} seats are wired; there must be {SEATS[0]} to {SEATS[1]}.")
    found = Wiring(
        tuple(_seat(seat, number, where) for number, seat in enumerate(seats, 1)),
        _pin(table, "host", "the host's button", where),
        _pin(table, "buzzer", "the buzzer", where),
        **{key: whole(table, key, where, 1, most, DURATIONS[key]) for key, most in LONGEST.items()},
    )
    _check_once(found, where)
    _check_times(found, where)
    return found


def _seat(seat: object, number: int, where: str) -> Wired:
    """Return a seat's wiring, the seats counted from 1."""
    if not isinstance(seat, dict):
        raise ConfigError(f"{where}: seat {number} is {told(seat)}; write it as {{ button = 17, lamp = 18 }}.")
    only(seat, Wired.__struct_fields__, f"{where}, seat {number}")
    button = _pin(seat, "button", f"the button of seat {number}", where)
    if button is None:
        raise ConfigError(f"{where}: seat {number} has no button; every seat needs one, such as button = 17.")
    return Wired(button, _pin(seat, "lamp", f"the lamp of seat {number}", where))


def _pin(table: Table, key: str, part: str, where: str) -> int | None:
    """Return a pin that a part can hang on, None where the table names none."""
    value = table.get(key)
    if value is None:
        return None
    why = _unfit(value, lights=key in ("lamp", "buzzer"))
    if why:
        raise ConfigError(f"{where}: {part} cannot be on {told(value)}: {why}.")
    pin: int = value
    return pin


def _unfit(value: object, lights: bool) -> str:
    """Return why a part cannot hang on a pin, or nothing; `lights`: the pin drives the part."""
    if isinstance(value, str) and value.upper() in HEADER and not value.upper().startswith("GPIO"):
        return f"that is a {'ground' if value.upper() == GROUND else 'power'} pin; allowed are {PINS}"
    if not isinstance(value, int) or isinstance(value, bool):
        return f"a pin is written as its GPIO number without quotation marks; allowed are {PINS}"
    if value in IDENTIFYING:
        return f"GPIO 0 and 1 are kept for the chip by which add-on boards make themselves known; allowed are {PINS}"
    if value in PULLED_UP and lights:
        return (
            "GPIO 2 and 3 (I2C) have resistors to 3.3 V on the board, which would keep it glowing; "
            "a button may hang there, a lamp or buzzer may not"
        )
    if value in PLACES:
        return ""
    if 0 < value <= len(HEADER):
        name = HEADER[value - 1]
        kind = {"GND": "a ground pin", "3V3": "a 3.3 V power pin", "5V": "a 5 V power pin"}.get(name, name)
        return f"no GPIO has that number; place {value} on the header is {kind}, but pins go by GPIO numbers, {PINS}"
    return f"the header has no such pin; allowed are {PINS}"


def _check_once(found: Wiring, where: str) -> None:
    """Raise `ConfigError` where a pin is used twice."""
    taken: dict[int, Use] = {}
    for use in uses(found):
        first = taken.setdefault(use.pin, use)
        if first is not use:
            raise ConfigError(f"{where}: GPIO {use.pin} is used twice, for {first.name} and for {use.name}.")


def _check_times(found: Wiring, where: str) -> None:
    """Raise `ConfigError` where the durations contradict one another."""
    spans = {key: getattr(found, key) * (1000 if key.endswith("_s") else 1) for key in LONGEST}
    for short, long in (("bounce_ms", "hold_ms"), ("noise_ms", "hold_ms"), ("hold_ms", "stuck_s")):
        if spans[short] >= spans[long]:
            raise ConfigError(f"{where}: {short} ({spans[short]} ms) must be shorter than {long} ({spans[long]} ms).")


def shipped() -> str:
    """Return the wiring that comes with the companion, as the text that people change."""
    return resources.files("hardware").joinpath("wiring.toml").read_text(encoding="utf-8")


def remarks(found: Wiring) -> tuple[str, ...]:
    """Return what is allowed in a wiring, but worth knowing."""
    return tuple(
        f"GPIO {use.pin} ({use.name}) belongs to I2C and has a fixed resistor to 3.3 V, which does a button no harm; "
        "leave I2C switched off."
        for use in uses(found)
        if use.pin in PULLED_UP
    )


DEFAULT = checked(config.parsed(shipped(), "the shipped wiring")["wiring"], "the shipped wiring")
"""The wiring that comes with the companion."""
