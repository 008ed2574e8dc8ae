"""Derives findings from readings: what is wrong with a pin or around it. This module touches no pin."""

from __future__ import annotations

import msgspec

from companion.findings import Finding, Value, bad, look, well
from companion.messages import HOST, ButtonState, Health
from hardware.wiring import header
from hardware.wiring.wiring import PinUse, Wiring, uses

WATCH_S = 2.0
"""Seconds for which the doctor watches the buttons while nobody presses."""
CHIPS = "gpiochip*"
GROUP = "gpio"
"""The group that may use the pins on Raspberry Pi OS."""
OTHER_USES = {"the serial console": "serial", "SPI": "spi", "I2C": "i2c", "1-Wire": "wire"}
"""The other functions of pins, and their words."""


Place = dict[str, Value]
"""A pin's position and function, as the fields of a finding."""


class PinReading(msgspec.Struct, frozen=True):
    """A reading of a pin while nobody presses."""

    use: PinUse
    error: str = ""
    """The reason why the pin could not be opened; empty if it could."""
    holder: str = ""
    """The pin's user, if the kernel names it."""
    closed: bool = False
    """Whether a button's contact was closed at the end."""
    edges: int = 0
    """The number of times that a button's contact opened or closed."""
    follows: bool = True
    """Whether a lamp's or the buzzer's pin read back its set value."""


class Surroundings(msgspec.Struct, frozen=True):
    """A reading of everything around the pins."""

    kind: str
    """The way to drive the pins: `lgpio`, `rpigpio` or `simulated`; empty if they cannot be opened."""
    said: str = ""
    """The reason why they are simulated or cannot be opened."""
    raspberry: bool = False
    """Whether this machine is a Raspberry Pi."""
    lgpio: bool = True
    """Whether the lgpio library is installed."""
    chips: tuple[str, ...] = ()
    """The kernel's pin controllers."""
    closed_chips: tuple[str, ...] = ()
    """Pin controllers that this user may not use."""
    user: str = ""
    grouped: bool = True
    """Whether the user is in the group that may use the pins, or there is no such group."""


def part_of(use: PinUse) -> list[str]:
    """Return the word for a pin's function."""
    if use.seat is None:
        return ["buzzer" if use.part == "buzzer" else "host"]
    return [f"{use.part}:{use.seat + 1}"]


def button_of(seat: int) -> str:
    """Return the word for a seat's button, or the host's."""
    return "host" if seat == HOST else f"button:{seat + 1}"


def judge(reading: PinReading) -> Finding:
    """Return the finding about a pin."""
    use = reading.use
    place: Place = {"gpio": use.pin, "place": header.place(use.pin), "part": part_of(use)}
    if reading.error:
        return _opening_failure(reading, place)
    if reading.edges > reading.closed:  # a single edge that leaves it closed is not noise
        return bad("buttons.pin", "floating", **place, edges=reading.edges, seconds=WATCH_S)
    if reading.closed:
        return bad("buttons.pin", "stuck", **place)
    return well("buttons.pin", **place) if reading.follows else bad("buttons.pin", "no_output", **place)


def _opening_failure(reading: PinReading, place: Place) -> Finding:
    """Return the finding that explains why a pin could not be opened and how to fix it."""
    pin = reading.use.pin
    if not reading.holder and not any(word in reading.error.lower() for word in ("in use", "busy")):
        return bad("buttons.pin", "missing", **place, error=reading.error)
    if not reading.holder:
        return bad("buttons.pin", "taken", **place)
    if pin in header.USES:
        return bad("buttons.pin", "serves", **place, holder=reading.holder, use=[OTHER_USES[header.USES[pin]]])
    return bad("buttons.pin", "taken_by", **place, holder=reading.holder)


def judge_surroundings(found: Surroundings) -> list[Finding]:
    """Return the findings about everything around the pins."""
    return [_factory(found), *([_access(found)] if found.raspberry else [])]


def _factory(found: Surroundings) -> Finding:
    if not found.kind:
        return _closed_pins(found)
    if found.kind != "simulated":
        return _real_pins(found.kind, found.kind == "lgpio")
    said = found.said.rstrip(".")
    return well("buttons.pins", "simulated", said=said) if said else well("buttons.pins", "asked")


def _closed_pins(found: Surroundings) -> Finding:
    """Return the finding that explains why no pin can be opened, with the first step to take."""
    known = [("no_lgpio", not found.lgpio), ("closed", bool(found.closed_chips))] if found.raspberry else []
    state = next((state for state, true in known if true), "unopened")
    return bad("buttons.pins", state, said=found.said.rstrip("."))


def _real_pins(kind: str, stamped: bool) -> Finding:
    """Return the finding about the driver of real pins. Without the kernel's stamps, contested presses are judged
    less fairly."""
    return well("buttons.pins", kind=kind) if stamped else look("buttons.pins", "unstamped", kind=kind)


def _access(found: Surroundings) -> Finding:
    if not found.chips:
        return bad("buttons.access", "none")
    if not found.closed_chips:
        return well("buttons.access", chips=", ".join(found.chips))
    state = "chip" if found.grouped else "closed"
    return bad("buttons.access", state, user=found.user, chips=", ".join(found.closed_chips))


def judge_press(wanted: int, felt: tuple[int, ...]) -> Finding:
    """Return the finding whether the companion felt the requested button; `HOST` is the host's."""
    part = [button_of(wanted)]
    strangers = [button_of(seat) for seat in sorted(set(felt) - {wanted})]
    if wanted in felt:
        if not strangers:
            return well("buttons.press", "felt", part=part)
        return bad("buttons.press", "felt_too", part=part, others=strangers)
    if strangers:
        return bad("buttons.press", "exchanged", part=part, others=strangers)
    return bad("buttons.press", "never", part=part)


def judge_running(wiring: Wiring, health: Health, why: str = "") -> list[Finding]:
    """Return findings from a running service's health, without touching a pin.

    `why`: the reason why its pins are closed, or simulated although nobody asked for that.
    """
    pins = _running_pins(health, why.rstrip("."))
    said = [look("buttons.said", "said", said=health.said.rstrip("."))] if health.said else []
    known = {use.pin: use for use in uses(wiring)}
    buttons = [_button(state, known.get(state.pin)) for state in health.buttons]
    return [pins, *(said if health.kind != "simulated" else []), *buttons]


def _running_pins(health: Health, why: str) -> Finding:
    match health.kind:
        case "closed":
            return bad("buttons.pins", "unopened", said=why)
        case "simulated":
            return well("buttons.pins", "simulated", said=why) if why else well("buttons.pins", "asked")
        case kind:
            return _real_pins(kind, health.stamped)


def _button(state: ButtonState, use: PinUse | None) -> Finding:
    """Return the finding about one button, wired or wireless."""
    fields: Place
    if use is None:
        key, fields = "radio.button", {"part": [button_of(state.seat)]}
        states = {"open": "there", "closed": "there"}
    else:
        key, fields = "buttons.pin", {"gpio": use.pin, "place": header.place(use.pin), "part": part_of(use)}
        states = {"open": "ok", "missing": "out_of_play"}
    fine = state.condition in ("open", "closed")
    return Finding(key, states.get(state.condition, state.condition), "well" if fine else "bad", fields)
