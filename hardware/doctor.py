"""What is wrong with the wiring and around it: readings are taken here, findings judged from them. Knows no game.

Taking a reading touches pins and files; judging one is pure.
"""

from __future__ import annotations

import contextlib
import grp
import itertools
import os
import pwd
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
from gpiozero import DigitalOutputDevice

from companion.messages import SECOND, Press
from hardware import header
from hardware.buttons import REARM, Buttons, Contact, name_of
from hardware.pins import Pins
from hardware.wiring import Use, Wiring, uses

PYTHON = (3, 11)
"""The oldest Python that the companion runs on."""
WATCH_S = 2.0
"""Seconds for which the buttons are watched while nobody presses."""
PATIENCE_S = 10.0
"""Seconds to press a button that is asked for."""
CHIPS = "gpiochip*"
NO_CHIPS = "Look whether this is Raspberry Pi OS, and up to date."
MODEL = Path("/proc/device-tree/model")
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


# --- judging --------------------------------------------------------------------------------------


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


# --- reading --------------------------------------------------------------------------------------


def read_pins(wiring: Wiring, pins: Pins, sleep: Callable[[float], None] = time.sleep) -> tuple[Reading, ...]:
    """Open every pin, light every lamp for a moment, watch the buttons for `WATCH_S`, and give all pins back."""
    with contextlib.ExitStack() as stack:
        edges: list[int] = []
        opened = [(use, *_opened(use, pins, edges, stack)) for use in uses(wiring)]
        follows = {use.pin: _follows(device) for use, device, _ in opened if isinstance(device, DigitalOutputDevice)}
        _arm(opened)
        sleep(REARM / SECOND)
        edges.clear()  # a long wire may need a moment until it is pulled up
        _arm(opened)
        sleep(WATCH_S)
        return tuple(
            Reading(use, error, holder(pins, use.pin))
            if device is None
            else Reading(use, closed=device.closed, edges=edges.count(use.pin))
            if isinstance(device, Contact)
            else Reading(use, follows=follows[use.pin])
            for use, device, error in opened
        )


def _opened(use: Use, pins: Pins, edges: list[int], stack: contextlib.ExitStack) -> tuple[Any, str]:
    """Return a contact or an output on a pin, or None and why there is none."""
    try:
        if use.part == "button":
            # The contact's number is its pin here: edges are counted by pin.
            device: Any = Contact(use.pin, use.pin, pins, lambda pin, at, closed: edges.append(pin))
        else:
            device = DigitalOutputDevice(use.pin, pin_factory=pins.factory)
    except Exception as error:  # gpiozero's, lgpio's and RPi.GPIO's errors have no common base
        return None, str(error).strip("' .") or type(error).__name__
    stack.callback(device.close)
    return device, ""


def _arm(opened: Iterable[tuple[Use, Any, str]]) -> None:
    for _, device, _ in opened:
        if isinstance(device, Contact):
            device.arm()


def _follows(device: Any) -> bool:
    """Switch an output on and off again; whether it read as it was set."""
    device.on()
    high = bool(device.value)
    device.off()
    return high and not device.value


def holder(pins: Pins, gpio: int) -> str:
    """Return who holds a pin as the kernel tells it, or nothing."""
    if pins.kind != "lgpio":
        return ""
    import lgpio

    chip = lgpio.gpiochip_open(pins.factory.chip)
    try:
        *_, user = lgpio.gpio_get_line_info(chip, gpio)
    except lgpio.error:
        return ""
    finally:
        lgpio.gpiochip_close(chip)
    return str(user)


def surroundings(pins: Pins | None, folder: Path, bus: Path, said: str = "") -> Surroundings:
    """Look around; `pins` are None where they could not be opened, and `said` is why."""
    chips = tuple(str(path) for path in sorted(Path("/dev").glob(CHIPS)))
    user = pwd.getpwuid(os.geteuid()).pw_name
    return Surroundings(
        python=(sys.version_info.major, sys.version_info.minor),
        kind=pins.kind if pins else "simulated",
        said=said or (pins.said if pins else ""),
        raspberry=is_raspberry(MODEL),
        lgpio=find_spec("lgpio") is not None,
        chips=chips,
        closed_chips=tuple(chip for chip in chips if not os.access(chip, os.R_OK | os.W_OK)),
        user=user,
        grouped=_grouped(user),
        folder=str(folder),
        folder_error=_unwritable(folder),
        bus=str(bus),
        table=listens(bus),
        others=tuple(buttons_services(Path("/proc"))),
    )


def is_raspberry(model: Path) -> bool:
    """Whether the file in which the kernel tells the machine's model says that it is a Raspberry Pi."""
    try:
        return "raspberry pi" in model.read_text(encoding="utf-8", errors="replace").lower()
    except OSError:
        return False


def _grouped(user: str) -> bool:
    try:
        group = grp.getgrnam(GROUP)
    except KeyError:
        return True
    return user in group.gr_mem or group.gr_gid in os.getgroups()


def _unwritable(folder: Path) -> str:
    """Return why a folder cannot be written to (one that is not there: its nearest parent), or nothing."""
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if not there.is_dir():
        return f"{there} is no folder"
    return "" if os.access(there, os.W_OK | os.X_OK) else "permission denied"


def listens(bus: Path) -> bool:
    """Whether somebody listens on the bus."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(bus))
        except OSError:
            return False
    return True


def buttons_services(proc: Path) -> Iterator[int]:
    """Yield the process numbers of buttons services, of all but this very process."""
    for path in sorted(proc.glob("[0-9]*/cmdline"), key=lambda path: int(path.parent.name)):
        number = int(path.parent.name)
        try:
            words = path.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        names = [Path(word).name for word in words]
        if number != os.getpid() and ("companion", "buttons") in itertools.pairwise(names):
            yield number


def read_press(buttons: Buttons, wanted: int, felt: list[Press], patience_s: float = PATIENCE_S) -> Finding:
    """Wait until a button is pressed, and judge; `felt` is the list into which the buttons' `on_press` puts presses."""

    def closed() -> tuple[int, ...]:
        return tuple(press.seat for press in felt if press.contact == "closed")

    felt.clear()
    until = time.monotonic_ns() + int(patience_s * SECOND)
    while time.monotonic_ns() < until and not closed():
        buttons.wait(until)
    return judge_press(wanted, closed())
