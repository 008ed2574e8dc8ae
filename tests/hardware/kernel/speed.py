"""In the guest: how fast the service and a plain gpiozero Button read real lines and light lamps."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from companion.devices.bus import SocketAddress
from companion.messages import MILLISECOND, Press
from hardware.buttons import Contact
from hardware.buttons_service import ButtonsService, ButtonsSetup, hurrying
from hardware.pins.factory import open_pins
from hardware.wiring.wiring import DEFAULT, WiredPart, Wiring
from tests.hardware.kernel.guest import become_pi
from tests.hardware.kernel.lines import Chip, Pressed, report

BUTTON, LAMP = DEFAULT.seats[0].button, DEFAULT.seats[0].lamp or 0
PRESSES = int(os.environ.get("PRESSES", "40"))
BOUNCES = 3


def edges(chip: Chip) -> list[int]:
    """Return the nanoseconds from the kernel's time stamp to our callback for presses without bounce."""
    pins = open_pins("lgpio")
    found: list[int] = []
    contact = Contact(0, BUTTON, pins, lambda seat, at, closed: found.append(time.monotonic_ns() - at))
    contact.arm()
    time.sleep(0.05)
    contact.arm()
    for _ in range(PRESSES):
        chip.press(BUTTON, 0.01)
        time.sleep(0.01)
    time.sleep(0.1)
    contact.close()
    pins.factory.close()
    return found


def ours(told: Callable[[str, int], None]) -> None:
    """Run the service; report each closing with its time stamp and when its lamp went on."""
    setup = ButtonsSetup(Wiring((WiredPart(BUTTON, LAMP),)))
    service = ButtonsService(setup, open_pins("lgpio"), SocketAddress(Path("/run/nowhere")))
    service._lonely_at = None  # Nobody listens at the other end of the bus, which is intended
    pressed, show = service._on_press, service.buttons.show

    def felt(press: Press) -> None:
        pressed(press)
        if press.contact == "closed":
            told("press", press.at)

    def lit(lamps: tuple[bool, ...], buzzer: bool = False) -> None:
        show(lamps, buzzer)
        if lamps[:1] == (True,):
            told("lamp", time.monotonic_ns())

    service.buttons._on_press = felt
    service.buttons._on_condition = lambda seat, condition: told(condition, time.monotonic_ns())
    service.buttons.show = lit  # type: ignore[method-assign]
    signal.signal(signal.SIGTERM, lambda *_: service.stop())
    service.run()


def peer(told: Callable[[str, int], None]) -> None:
    """Do the same with a plain gpiozero Button and LED; the time is that of the call of `when_pressed`."""
    from gpiozero import LED, Button

    pins = open_pins("lgpio")
    button = Button(BUTTON, bounce_time=0.01, pin_factory=pins.factory)
    lamp = LED(LAMP, pin_factory=pins.factory)

    def pressed() -> None:
        now = time.monotonic_ns()
        lamp.on()
        told("lamp", time.monotonic_ns())
        told("press", now)

    button.when_pressed = pressed
    button.when_released = lamp.off
    time.sleep(0.05)
    button.pin.edges = "both"
    while True:
        signal.pause()


@contextlib.contextmanager
def running(work: Callable[[Callable[[str, int], None]], None]) -> Iterator[list[tuple[str, int]]]:
    """Run a function in a process of its own; yield a list that holds its reports after the end."""
    here, there = socket.socketpair()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException), hurrying():
            work(lambda what, at: there.sendall(f"{what} {at}\n".encode()))
        os._exit(0)
    there.close()
    found: list[tuple[str, int]] = []
    time.sleep(1.5)
    yield found
    time.sleep(0.3)
    os.kill(child, signal.SIGTERM)
    os.waitpid(child, 0)
    with here.makefile() as lines:
        found += [(what, int(at)) for what, at in map(str.split, lines)]


def matched(done: list[Pressed], found: list[tuple[str, int]]) -> dict[str, Any]:
    """Return, for presses with a fair bounce, the time from the press to lamp and time stamp, and the number of wrong
    reports."""
    fair = [press for press in done if press.fair]
    lamps, stamps, counts = [], [], []
    for press in fair:
        end = press.ended + 20 * MILLISECOND
        told = [at for what, at in found if what == "press" and press.begun <= at < end]
        lit = [at for what, at in found if what == "lamp" and press.begun <= at < end]
        counts.append(len(told))
        stamps += [at - press.begun for at in told[:1]]
        lamps += [at - press.begun for at in lit[:1]]
    out = sum(what in ("stuck", "chattering") for what, _ in found)
    return {"presses": len(fair), "counts": counts, "stamps": stamps, "lamps": lamps, "out": out}


def main() -> None:
    """Report the delay of edges, and both programs with and without bounce."""
    become_pi("c03111")
    chip = Chip()
    chip.pull(BUTTON, True)
    child = os.fork()
    if child == 0:
        report(edges=edges(chip))
        os._exit(0)
    os.waitpid(child, 0)
    for name, work in (("ours", ours), ("peer", peer)):
        for kind, bounces in (("clean", 0), ("bouncing", BOUNCES)):
            done = []
            with running(work) as found:
                for _ in range(PRESSES):
                    done.append(chip.press(BUTTON, 0.06, bounces))
                    time.sleep(0.3)
            report(**{f"{name} {kind}": matched(done, found)})
