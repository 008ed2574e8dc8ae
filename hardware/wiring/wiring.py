"""The pins of buttons, lamps and buzzer as BCM numbers, read from the settings' table `[wiring]` and checked here."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import msgspec

from companion import config
from companion.config import TABLES, SettingLocation, Settings, Table, check_keys, format_value, read_whole
from companion.findings import Value
from hardware.wiring.header import GROUND, HEADER, IDENTIFYING, PLACES, PULLED_UP

SEATS = (2, 6)
"""The minimum and maximum number of seats."""
PLACE = SettingLocation("wiring")


class WiredPart(msgspec.Struct, frozen=True):
    """One seat's button, and its lamp if it has one."""

    button: int
    lamp: int | None = None


class Wiring(msgspec.Struct, frozen=True):
    """All wired parts, with the seats in order around the table, and the durations that define presses."""

    seats: tuple[WiredPart, ...]
    host: int | None = None
    """The host's button."""
    buzzer: int | None = None
    bounce_ms: int = 10
    """Milliseconds; edges closer together than this are bounces of one contact."""
    noise_ms: int = 1
    """Milliseconds; a contact closed for less than this is noise."""
    hold_ms: int = 700
    """Milliseconds; a button closed for this long is held."""
    stuck_s: int = 20
    """Seconds; a button closed for this long is stuck."""


class PinUse(msgspec.Struct, frozen=True):
    """A pin's function: a `button`, `lamp` or `buzzer`; `seat` is None for the host's button and the buzzer."""

    pin: int
    part: str
    seat: int | None = None

    @property
    def name(self) -> str:
        """The part's name in a sentence, with the seats counted from 1."""
        if self.part == "buzzer":
            return "the buzzer"
        return f"the {self.part} of seat {self.seat + 1}" if self.seat is not None else "the host's button"

    @property
    def word(self) -> str:
        """The part as a word for findings."""
        kind = self.part if self.seat is not None or self.part == "buzzer" else "host"
        return kind if self.seat is None else f"{kind}:{self.seat + 1}"

    @property
    def key(self) -> str:
        """The key of the pin in the settings."""
        return "seats" if self.seat is not None else self.word


LONGEST = {"bounce_ms": 1000, "noise_ms": 1000, "hold_ms": 10_000, "stuck_s": 3600}
"""The maximum of each duration, in the unit of its key."""
DURATIONS = {key: msgspec.structs.asdict(Wiring(()))[key] for key in LONGEST}


def uses(wiring: Wiring) -> tuple[PinUse, ...]:
    """Return the function of every used pin: seat by seat, then the host's button and the buzzer."""
    found: list[PinUse] = []
    for seat, wired in enumerate(wiring.seats):
        found.append(PinUse(wired.button, "button", seat))
        if wired.lamp is not None:
            found.append(PinUse(wired.lamp, "lamp", seat))
    if wiring.host is not None:
        found.append(PinUse(wiring.host, "button"))
    if wiring.buzzer is not None:
        found.append(PinUse(wiring.buzzer, "buzzer"))
    return tuple(found)


def read(folder: Path) -> Wiring:
    """Return the wiring of a data folder's settings, or the shipped one; raise `ConfigError`."""
    return configured_wiring(config.read(folder))


def configured_wiring(settings: Settings) -> Wiring:
    """Return the wiring in the settings, or the shipped one; raise `ConfigError`."""
    table = settings.table("wiring")
    return DEFAULT if table is None else parse_wiring(table, settings.place("wiring"))


def parse_wiring(table: Table, place: SettingLocation = PLACE) -> Wiring:
    """Return the wiring in a table; raise `ConfigError` with one sentence for each kind of mistake."""
    check_keys(table, TABLES["wiring"], place)
    seats = table.get("seats")
    if not isinstance(seats, list):
        raise place.wrong("no_seats", "seats")
    if not SEATS[0] <= len(seats) <= SEATS[1]:
        raise place.wrong("seats_number", "seats", count=len(seats), least=SEATS[0], most=SEATS[1])
    found = Wiring(
        tuple(_seat(seat, number, place) for number, seat in enumerate(seats, 1)),
        _pin(table, "host", ["host"], place),
        _pin(table, "buzzer", ["buzzer"], place),
        **{key: read_whole(table, key, place, 1, most, DURATIONS[key]) for key, most in LONGEST.items()},
    )
    _check_once(found, place)
    _check_times(found, place)
    return found


def _seat(seat: object, number: int, place: SettingLocation) -> WiredPart:
    if not isinstance(seat, dict):
        raise place.wrong("seat_shape", "seats", seat=number, value=format_value(seat))
    check_keys(seat, WiredPart.__struct_fields__, place.inside(f"seat:{number}", "seats"))
    button = _pin(seat, "button", [f"button:{number}"], place)
    if button is None:
        raise place.wrong("seat_without_button", "seats", seat=number)
    return WiredPart(button, _pin(seat, "lamp", [f"lamp:{number}"], place))


def _pin(table: Table, key: str, part: list[str], place: SettingLocation) -> int | None:
    """Return the usable pin of a part (`part` is its word), or None if the table has none."""
    value = table.get(key)
    if value is None:
        return None
    why, fields = _why_unusable(value, lights=key in ("lamp", "buzzer"))
    if why:
        shown: dict[str, Value] = {
            "part": part,
            "value": format_value(value),
            "least": min(set(PLACES) - set(IDENTIFYING)),
            "most": max(PLACES),
        }
        raise place.wrong(why, "seats" if key in WiredPart.__struct_fields__ else key, **shown, **fields)
    assert isinstance(value, int)
    return value


def _why_unusable(value: object, lights: bool) -> tuple[str, dict[str, str]]:
    """Return the reason why a part cannot use a pin, as a state (or "") and its fields; `lights`: the pin is an
    output."""
    if isinstance(value, str) and value.upper() in HEADER and not value.upper().startswith("GPIO"):
        return ("pin_ground" if value.upper() == GROUND else "pin_power"), {}
    if not isinstance(value, int) or isinstance(value, bool):
        return "pin_no_number", {}
    if value in IDENTIFYING:
        return "pin_identifying", {}
    if value in PULLED_UP and lights:
        return "pin_pulled_up", {}
    if value in PLACES:
        return "", {}
    if 0 < value <= len(HEADER):
        name = HEADER[value - 1]
        return {GROUND: "place_ground", "3V3": "place_power", "5V": "place_power"}.get(name, "place_gpio"), {
            "name": name
        }
    return "pin_unknown", {}


def _check_once(found: Wiring, place: SettingLocation) -> None:
    """Raise `ConfigError` if a pin is used more than once."""
    taken: dict[int, PinUse] = {}
    for use in uses(found):
        first = taken.setdefault(use.pin, use)
        if first is not use:
            raise place.wrong("pin_twice", use.key, pin=use.pin, first=[first.word], second=[use.word])


def _check_times(found: Wiring, place: SettingLocation) -> None:
    """Raise `ConfigError` if the durations contradict one another."""
    lasts = msgspec.structs.asdict(found)
    spans = {key: lasts[key] * (1000 if key.endswith("_s") else 1) for key in LONGEST}
    for short, long in (("bounce_ms", "hold_ms"), ("noise_ms", "hold_ms"), ("hold_ms", "stuck_s")):
        if spans[short] >= spans[long]:
            raise place.wrong("not_shorter", short, short_ms=spans[short], long=long, long_ms=spans[long])


def shipped() -> str:
    """Return the shipped wiring as editable text."""
    return resources.files(__package__).joinpath("wiring.toml").read_text(encoding="utf-8")


def remarks(found: Wiring) -> tuple[str, ...]:
    """Return remarks about settings that are allowed but unusual."""
    return tuple(
        f"GPIO {use.pin} ({use.name}) belongs to I2C and has a fixed resistor to 3.3 V, which does a button no harm; "
        "leave I2C switched off."
        for use in uses(found)
        if use.pin in PULLED_UP
    )


DEFAULT = parse_wiring(config.parse(shipped(), "").tables["wiring"])
"""The shipped wiring."""
