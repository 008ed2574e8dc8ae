"""Measures the delay from contact to lamp and the punctuality of lamps, idle and with busy cores, beside a gpiozero
Button.

`python -m tests.bench.bench_buttons [--presses 100] [--cues 100] [--kernel 40]`. The whole service runs in its own
process, on simulated pins that record each change of a lamp. Presses and cues come over its bus. Busy means one process
per core that only searches for a picture in a picture (OpenCV) or, if that is not installed, counts in pure Python. The
last part uses real lines of a kernel (`make pins`), with the plain Button as the peer. Nothing here asserts on time.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from companion.devices.bus import BusServer, SocketAddress
from companion.devices.bus import serve as open_bus
from companion.messages import MILLISECOND, SECOND, Count, Health, PinDriven, Reveal
from hardware.wiring.wiring import DEFAULT
from tests.hardware.kernel.machine import boot, missing

MODULE = "tests.bench.bench_buttons"
LAMPS = tuple(wired.lamp or 0 for wired in DEFAULT.seats)
PATIENCE = 20.0
Change = tuple[int, bool, int]
"""The pin of a lamp, whether it went on, and the time in ns."""
LOADS = (
    ("idle", None, True),
    ("busy, the service goes before others", 0, True),
    ("busy, the others stand back (nice 10)", 10, False),
    ("busy, all are alike", 0, False),
)
"""Name of a load, niceness of the processes that keep the cores busy, and whether the service asks for priority."""
PURE = "while True: sum(n * n for n in range(10000))"
READING = """
import cv2, numpy
cv2.setNumThreads(1)
luck = numpy.random.default_rng(1)
picture = luck.integers(0, 255, (720, 1280), numpy.uint8)
card = picture[300:420, 500:580].copy()
while True:
    cv2.minMaxLoc(cv2.matchTemplate(cv2.GaussianBlur(picture, (5, 5), 0), card, cv2.TM_CCOEFF_NORMED))
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=100)
    parser.add_argument("--cues", type=int, default=100, help="counts; and a quarter as many reveals")
    parser.add_argument("--kernel", type=int, default=40, help="presses on real lines; 0: none")
    parser.add_argument("--serve", nargs=2, metavar=("PATH", "HURRY"), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.serve:
        serve(Path(given.serve[0]), given.serve[1] == "yes")
        return
    print(f"{os.cpu_count()} cores; simulated pins, five bounces within 8 ms at every press; ms")
    for name, hogs, hurried in LOADS:
        with busy(hogs) if hogs is not None else contextlib.nullcontext("") as what:
            simulated(given.presses, given.cues, name + what, hurried)
    if given.kernel:
        lines(given.kernel)


def spread(name: str, found: Sequence[float]) -> None:
    """Print a row, with nanoseconds as milliseconds."""
    if not found:
        print(f"  {name:<46} nothing")
        return
    ordered = sorted(value / MILLISECOND for value in found)
    p50, p99 = statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    print(f"  {name:<46} p50 {p50:7.3f}  p99 {p99:7.3f}  max {ordered[-1]:7.3f}  n {len(ordered)}", flush=True)


# --- the whole service on simulated pins ----------------------------------------------------------


def simulated(presses: int, cues: int, name: str, hurried: bool) -> None:
    """Press and send cues, then print the delay and the punctuality of the lamps."""
    with service(hurried) as (bus, found):
        moments = press(bus, presses)
        counts = cue(bus, cues, Count(), 0.4)
        reveals = cue(bus, cues // 4, Reveal(), 1.75)  # the cue is shown for a second and a half
    felt = []
    for at in moments:
        on = sorted(when for pin, high, when in found if pin == LAMPS[0] and high and at <= when < at + SECOND // 5)
        felt += [on[0] - at] if on else []
    print(name)
    spread("contact to its own lamp", felt)
    print(f"    of which a contact must be closed first: {DEFAULT.noise_ms} ms; pressed {presses} times")
    for what, signals in (("count", counts), ("reveal", reveals)):
        punctual(what, signals, found)


def punctual(what: str, signals: Sequence[int], found: Sequence[Change]) -> None:
    """Print the lamps' delay after the cue's moment and their spread."""
    shown = []
    for at in signals:
        on = sorted(when for pin, high, when in found if high and at <= when < at + 100 * MILLISECOND)
        if len(on) == len(LAMPS):
            shown.append((on[0] - at, on[-1] - at, on[-1] - on[0]))
    spread(f"a {what}'s first lamp after its moment", [first for first, _, _ in shown])
    spread(f"a {what}'s last lamp after its moment", [last for _, last, _ in shown])
    spread(f"between first and last lamp of a {what}", [apart for _, _, apart in shown])
    if len(signals) != len(shown):
        print(f"    {len(signals) - len(shown)} of {len(signals)} were not shown by all lamps within 100 ms")


def press(bus: BusServer, count: int) -> list[int]:
    """Press the first seat's button repeatedly and return the times of contact in ns."""
    pin, moments = DEFAULT.seats[0].button, []
    for _ in range(count):
        at = time.monotonic_ns() + 20 * MILLISECOND
        bus.send(PinDriven(pin, False, at))
        bus.send(PinDriven(pin, True, at + 60 * MILLISECOND))
        moments.append(at)
        time.sleep(0.25)
    return moments


def cue(bus: BusServer, count: int, shown: Count | Reveal, pause: float) -> list[int]:
    """Let all lamps light up repeatedly, with a pause in seconds, and return the cues' times."""
    moments = []
    for _ in range(count):
        at = time.monotonic_ns() + 100 * MILLISECOND
        bus.send(msgspec.structs.replace(shown, at=at))
        moments.append(at)
        time.sleep(pause)
    return moments


@contextlib.contextmanager
def service(hurried: bool) -> Iterator[tuple[BusServer, list[Change]]]:
    """Run the service in its own process; yield its bus and a list that is filled with all changes at its end."""
    with tempfile.TemporaryDirectory(prefix="buttons-bench-") as place:
        lives = threading.Event()
        path = Path(place) / "bus"
        bus = open_bus(SocketAddress(path), lambda peer, message: lives.set() if isinstance(message, Health) else None)
        command = [sys.executable, "-m", MODULE, "--serve", str(path), "yes" if hurried else "no"]
        running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        found: list[Change] = []
        try:
            if not lives.wait(PATIENCE):
                raise TimeoutError("the service did not start")
            time.sleep(0.3)
            yield bus, found
        finally:
            running.terminate()
            said, _ = running.communicate(timeout=PATIENCE)
            bus.close()
            found += [(int(pin), on == "1", int(at)) for pin, on, at in map(str.split, said.splitlines())]


def serve(path: Path, hurried: bool) -> None:
    """Serve on simulated pins, and print all changes of lamps at the end."""
    from hardware.buttons_service import ButtonsService, ButtonsSetup, hurrying
    from hardware.pins.factory import open_pins
    from hardware.pins.simulated import Faults, SimulatedPin

    changes: list[Change] = []
    lamps = {f"GPIO{pin}": pin for pin in LAMPS}
    change = SimulatedPin._change_state

    def noted(pin: Any, value: bool) -> Any:
        if pin.info.name in lamps and pin.function == "output":
            changes.append((lamps[pin.info.name], bool(value), time.monotonic_ns()))
        return change(pin, value)

    SimulatedPin._change_state = noted
    with hurrying() if hurried else contextlib.nullcontext():
        setup = ButtonsSetup(DEFAULT, faults=Faults(bounce=5, bounce_ms=8))
        found = ButtonsService(setup, open_pins("simulated"), SocketAddress(path))
        signal.signal(signal.SIGTERM, lambda *_: found.stop())
        found.run()
    last: dict[int, bool] = {}
    for pin, on, at in changes:
        if last.get(pin) != on:
            print(pin, int(on), at)
        last[pin] = on


@contextlib.contextmanager
def busy(nice: int) -> Iterator[str]:
    """Keep every core busy, and yield the name of the load."""
    reading = find_spec("cv2") is not None
    command = ["nice", "-n", str(nice), sys.executable, "-c", READING if reading else PURE]
    hogs = [subprocess.Popen(command) for _ in range(os.cpu_count() or 1)]
    try:
        time.sleep(1)
        if any(hog.poll() is not None for hog in hogs):
            raise RuntimeError("a process that should keep a core busy has ended")
        yield f": {len(hogs)} processes {'reading pictures (OpenCV)' if reading else 'counting (no OpenCV here)'}"
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()


# --- real lines -----------------------------------------------------------------------------------


def lines(presses: int) -> None:
    """Print the same figures on real lines of an emulated machine with one core, beside the peer."""
    reason = missing()
    if reason:
        print(f"real lines: not measured, {reason}")
        return
    found = boot("tests.hardware.kernel.speed", PRESSES=str(presses))
    print("real lines of a kernel (User-Mode Linux, one emulated core, lgpio):")
    spread("kernel's stamp to our callback", found["edges"])
    for kind in ("clean", "bouncing"):
        for name, what in (("ours", "the service"), ("peer", "peer: Button(bounce_time=0.01), LED")):
            one = found[f"{name} {kind}"]
            wrong = one["presses"] - Counter(one["counts"])[1]
            print(f" {kind}, {what}: {one['presses']} presses, {wrong} not told exactly once")
            spread("finger to lamp", one["lamps"])
            spread("finger to the moment that is told", one["stamps"])
            if one["out"]:
                print("    this machine was so busy that the simulated finger became a chattering contact: once more")


if __name__ == "__main__":
    main()
