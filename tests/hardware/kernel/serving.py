"""In the guest: the whole buttons service in a process of its own, on real lines, with the table's end of the bus."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from companion.devices.bus import SocketAddress
from companion.devices.bus import serve as open_bus
from companion.messages import AnyMessage, Health, PinDriven, Press, Reveal, YourTurn
from hardware.buttons_service import ButtonsSetup, serve
from hardware.wiring.wiring import DEFAULT
from tests.hardware.kernel.guest import become_pi
from tests.hardware.kernel.lines import MILLISECOND, Chip, report

PI_4, PI_5 = "c03111", "c04170"
LAMPS = tuple(wired.lamp or 0 for wired in DEFAULT.seats)
TAKEN = 22
TRIES = 8
PATIENCE = 30.0


class Bench:
    """A service with its messages."""

    def __init__(self, chip: Chip, kind: str, place: Path) -> None:
        self.chip = chip
        self.heard: list[AnyMessage] = []
        self.news = threading.Condition()
        self.bus = open_bus(SocketAddress(place), lambda peer, message: self.hear(message))
        self.pid = os.fork()
        if self.pid == 0:
            try:
                serve(ButtonsSetup(DEFAULT), kind, SocketAddress(place))
            except BaseException as error:
                print("the service ended:", repr(error), flush=True)
                os._exit(1)
            os._exit(0)

    def hear(self, message: AnyMessage) -> None:
        """Store a message."""
        with self.news:
            self.heard.append(message)
            self.news.notify_all()

    def until(self, wanted: Callable[[], bool]) -> bool:
        """Return whether a message arrives in time."""
        with self.news:
            return self.news.wait_for(wanted, PATIENCE)

    def health(self) -> Health | None:
        """Return the latest health."""
        return next((found for found in reversed(self.heard) if isinstance(found, Health)), None)

    def presses(self) -> list[Press]:
        """Return all presses."""
        return [found for found in self.heard if isinstance(found, Press)]

    def settle(self) -> None:
        """Wait for two more healths: by then the pins are armed for good and edges are reported."""
        count = self.counted()
        self.until(lambda: self.counted() >= count + 2)

    def counted(self) -> int:
        """Return the number of healths."""
        return sum(isinstance(found, Health) for found in self.heard)

    def end(self) -> int:
        """End the service with SIGTERM, as systemd does; return its exit code."""
        os.kill(self.pid, signal.SIGTERM)
        _, status = os.waitpid(self.pid, 0)
        self.bus.close()
        return os.waitstatus_to_exitcode(status)


def pressed(bench: Bench) -> dict[str, Any]:
    """Press seats 1 to 6 twice with bounce, and hold one; return the presses that were made and those that were
    reported."""
    done = []
    for n in range(12):
        seat = n % 6
        line = DEFAULT.seats[seat].button
        for _ in range(TRIES if line != TAKEN else 0):
            press = bench.chip.press(line, 0.8 if n == 6 else 0.05, bounces=3)
            if press.fair:
                done.append([seat, press.begun, press.ended])
                break
            time.sleep(1.5)  # A slow machine's bounce may look like a loose wire: let the button rest
    bench.settle()
    return {"done": done, "told": [msgspec.to_builtins(press) for press in bench.presses()]}


def lamps(bench: Bench) -> dict[str, Any]:
    """Show a reveal; return the lines' levels before, during and after it."""
    chip = bench.chip
    seen = {"before": [chip.value(line) for line in LAMPS]}
    bench.bus.send(Reveal(at=time.monotonic_ns() + 50 * MILLISECOND))
    time.sleep(0.5)
    seen["while"] = [chip.value(line) for line in (*LAMPS, DEFAULT.buzzer or 0)]
    time.sleep(1.5)
    seen["after"] = [chip.value(line) for line in LAMPS]
    return seen


def main() -> None:
    """Serve on a Pi 4 with a taken pin, then on a Pi 5; report the results. `PINS` names the library."""
    kind = os.environ["PINS"]
    chip = Chip()
    for wired in DEFAULT.seats:
        chip.pull(wired.button, True)
    chip.pull(DEFAULT.host or 0, True)
    become_pi(PI_4)
    holder = os.fork()
    if holder == 0:  # Another program holds a button's pin
        import lgpio

        lgpio.gpio_claim_input(lgpio.gpiochip_open(0), TAKEN, lgpio.SET_PULL_UP)
        time.sleep(600)
    time.sleep(1)
    bench = Bench(chip, kind, Path("/run/bus"))
    bench.settle()
    report(health=msgspec.to_builtins(bench.health()))
    report(pressed=pressed(bench))
    time.clock_settime(time.CLOCK_REALTIME, time.time() + 3600)
    count = len(bench.presses())
    done = chip.press(DEFAULT.seats[0].button, 0.05)
    bench.settle()
    report(clock={"done": [done.begun, done.ended], "told": [press.at for press in bench.presses()[count:]]})
    count = len(bench.presses())
    bench.bus.send(PinDriven(DEFAULT.seats[0].button, False))
    bench.settle()
    report(driven=len(bench.presses()) - count)
    report(lamps=lamps(bench))
    bench.bus.send(YourTurn(seats=(0, 1)))
    bench.settle()
    report(code=bench.end(), dark=[chip.value(line) for line in LAMPS])
    os.kill(holder, signal.SIGKILL)
    os.waitpid(holder, 0)
    become_pi(PI_5)
    bench = Bench(chip, "lgpio" if kind == "auto" else kind, Path("/run/bus5"))
    bench.settle()
    done = chip.press(TAKEN, 0.05)
    bench.settle()
    report(pi_5={"done": [done.begun, done.ended], "told": [msgspec.to_builtins(press) for press in bench.presses()]})
    bench.end()
