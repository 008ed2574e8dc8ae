"""Findings from readings: what is wrong with a pin or around it, and what to do. Pure: nothing is touched here."""

from __future__ import annotations

import msgspec

from hardware import header
from hardware.buttons import name_of
from hardware.wiring import Use

PYTHON = (3, 11)
"""The oldest Python that the companion runs on."""
WATCH_S = 2.0
"""Seconds for which the buttons are watched while nobody presses."""
CHIPS = "gpiochip*"
NO_CHIPS = "Look whether this is Raspberry Pi OS, and up to date."
GROUP = "gpio"
"""The group that may use the pins on Raspberry Pi OS."""


class Finding(msgspec.Struct, frozen=True):
    """One line of the doctor's: about what, how it is, and what to do where it is not well."""

    what: str
    how: str = "ok"
    advice: str = ""
    well: bool = True


class Reading(msgspec.Struct, frozen=True):
    """What a pin did while nobody pressed."""

    use: Use
    error: str = ""
    """Why the pin could not be opened; empty where it could."""
    holder: str = ""
    """Who holds the pin, where the kernel tells."""
    closed: bool = False
    """Whether a button's contact was closed in the end."""
    edges: int = 0
    """How often a button's contact opened or closed."""
    follows: bool = True
    """Whether a lamp's or the buzzer's pin read as it was set."""


class Surroundings(msgspec.Struct, frozen=True):
    """What lies around the pins."""

    python: tuple[int, int]
    kind: str
    """How the pins would be reached: `lgpio`, `rpigpio` or `simulated`."""
    said: str = ""
    """Why they are simulated, or cannot be reached."""
    raspberry: bool = False
    """Whether this machine is a Raspberry Pi."""
    lgpio: bool = True
    """Whether the library lgpio is there."""
    chips: tuple[str, ...] = ()
    """The kernel's chips of pins."""
    closed_chips: tuple[str, ...] = ()
    """Those which this user may not use."""
    user: str = ""
    grouped: bool = True
    """Whether the user is in the group that may use the pins, or there is no such group."""
    folder: str = ""
    folder_error: str = ""
    """Why the data folder cannot be written to; empty where it can."""
    bus: str = ""
    table: bool = False
    """Whether the table listens on the bus."""
    others: tuple[int, ...] = ()
    """Processes that are buttons services."""


def judge(reading: Reading) -> Finding:
    """Return what a pin's reading says."""
    use = reading.use
    what = f"GPIO {use.pin} (pin {header.place(use.pin)}), {use.name}"
    if reading.error:
        return _unopened(reading, what)
    if reading.edges > reading.closed:  # one edge alone that leaves it closed is no noise
        how = f"floating or noisy: {reading.edges} edges in {WATCH_S:g} s while nobody pressed"
        advice = "Look for a loose wire or a cold joint; keep long wires away from mains and twist them with ground."
        return Finding(what, how, advice, False)
    if reading.closed:
        advice = (
            "Look for touching wires; a button with four legs may be turned by a quarter; else the button is broken."
        )
        return Finding(what, "stuck: closed although nobody presses", advice, False)
    if not reading.follows:
        advice = "Look for a short to ground or to 3.3 V, and for the resistor."
        return Finding(what, f"not {'the buzzer' if use.part == 'buzzer' else 'a lamp'}: it reads back wrong",
                       advice, False)  # fmt: skip
    return Finding(what)


def _unopened(reading: Reading, what: str) -> Finding:
    """Return why a pin could not be opened, and what to do."""
    pin = reading.use.pin
    if not reading.holder and not any(word in reading.error.lower() for word in ("in use", "busy")):
        return Finding(what, f"missing: {reading.error}", "Choose another pin for it in the settings.", False)
    how = f"taken by {reading.holder}" if reading.holder else "taken by another program"
    if pin in header.USES:
        advice = f"It also serves {header.USES[pin]}: switch that off (sudo raspi-config), or choose another pin."
    else:
        advice = "Stop that program (it may be the companion's own buttons service), or choose another pin."
    return Finding(what, how, advice, False)


def judge_surroundings(found: Surroundings) -> list[Finding]:
    """Return what lies around the pins, line by line."""
    return [
        _python(found),
        _factory(found),
        *([_access(found)] if found.raspberry else []),
        _folder(found),
        Finding(f"The bus {found.bus}", "the table listens" if found.table else "the table is not running"),
        _others(found),
    ]


def _python(found: Surroundings) -> Finding:
    major, minor = found.python
    if found.python < PYTHON:
        advice = f"The companion needs Python {PYTHON[0]}.{PYTHON[1]} or newer."
        return Finding(f"Python {major}.{minor}", "too old", advice, False)
    return Finding(f"Python {major}.{minor}")


def _factory(found: Surroundings) -> Finding:
    if found.kind != "simulated":
        stamps = (
            "the kernel stamps the edges" if found.kind == "lgpio" else "edges are stamped when Python hears of them"
        )
        return Finding("Pins", f"reached through {found.kind}; {stamps}")
    how = "simulated" + (f": {found.said}" if found.said else ", as asked for")
    if not found.raspberry:
        return Finding("Pins", how)
    if not found.lgpio:
        return Finding("Pins", how, "Install lgpio: sudo apt install python3-lgpio.", False)
    return Finding("Pins", how, "" if not found.said else "Look at the lines below.", not found.said)


def _access(found: Surroundings) -> Finding:
    if not found.chips:
        return Finding(
            "Access to the pins",
            f"there is no /dev/{CHIPS}",
            "Look whether this is Raspberry Pi OS, and up to date.",
            False,
        )
    what = "Access to " + ", ".join(found.chips)
    if not found.closed_chips:
        return Finding(what)
    advice = f"sudo usermod -aG {GROUP} {found.user}, then log in again."
    if found.grouped:
        advice = f"{found.user} is in the group {GROUP}, but the chip is not: look at ls -l /dev/{CHIPS}."
    return Finding(what, f"{found.user} may not use {', '.join(found.closed_chips)}", advice, False)


def _folder(found: Surroundings) -> Finding:
    if found.folder_error:
        advice = "Choose another with --data, or give it to this user."
        return Finding(f"Data folder {found.folder}", f"cannot be written to: {found.folder_error}", advice, False)
    return Finding(f"Data folder {found.folder}")


def _others(found: Surroundings) -> Finding:
    if not found.others:
        return Finding("Other buttons services", "none is running")
    numbers = ", ".join(str(number) for number in found.others)
    advice = "" if len(found.others) == 1 else "Only one can have the pins: stop the others."
    return Finding("Other buttons services", f"running as process {numbers}", advice, len(found.others) == 1)


def judge_press(wanted: int, felt: tuple[int, ...]) -> Finding:
    """Return what was felt when a button was asked for; `HOST` is the host's."""
    what = name_of(wanted)
    strangers = tuple(name_of(seat) for seat in sorted(set(felt) - {wanted}))
    others = " and ".join(name[0].lower() + name[1:] for name in strangers)
    if wanted in felt:
        if not strangers:
            return Finding(what, "felt")
        return Finding(what, f"felt, but so was {others}", "Look for wires that touch.", False)
    if strangers:
        return Finding(what, f"not felt, but {others} was", "Their wires are exchanged.", False)
    advice = "Look for its wire to the pin, its wire to ground, and the pin's number in the settings."
    return Finding(what, "never felt", advice, False)
