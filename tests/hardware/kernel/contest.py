"""In the guest: contested presses on real lines, through lgpio with the kernel's time stamps and through RPi.GPIO
without.

Two fingers close two contacts one shortly after the other. The delay of each reported time shows which presses would be
judged too late at the companion's third count.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from companion.messages import MILLISECOND, Press
from hardware.buttons import ButtonBoard
from hardware.buttons_service import hurrying
from hardware.pins.factory import open_pins
from hardware.wiring.wiring import WiredPart, Wiring
from tests.hardware.kernel.guest import become_pi
from tests.hardware.kernel.lines import Chip, report

KINDS = ("lgpio", "rpigpio")
LINES = (5, 6)
CONTESTS = int(os.environ.get("CONTESTS", "40"))
GAPS_MS = (2, 4, 8)
MARGINS_MS = (1, 2, 5, 10)
BUSY = 3
"""Number of processes that keep the one processor busy."""
READY = "ready"


def serve(kind: str, end: socket.socket) -> None:
    """Report each closing of two buttons as seat and time until the process is killed."""

    def told(press: Press) -> None:
        if press.contact == "closed":
            end.sendall(f"{press.seat} {press.at}\n".encode())

    with hurrying():
        buttons = ButtonBoard(Wiring(tuple(map(WiredPart, LINES))), open_pins(kind), on_press=told)
        armed = time.monotonic_ns() + 200 * MILLISECOND
        while time.monotonic_ns() < armed:
            buttons.wait(armed)
        end.sendall(f"{READY}\n".encode())
        while True:
            buttons.wait(time.monotonic_ns() + 1000 * MILLISECOND)


@contextlib.contextmanager
def serving(kind: str) -> Iterator[list[tuple[int, int]]]:
    """Run the service in a process of its own; yield a list that holds its reports after the end."""
    here, there = socket.socketpair()
    child = os.fork()
    if child == 0:
        try:
            serve(kind, there)
        finally:
            os._exit(1)
    there.close()
    with here, here.makefile() as lines:
        found: list[tuple[int, int]] = []
        if lines.readline().strip() != READY:
            raise RuntimeError(f"{kind} did not start")
        yield found
        time.sleep(1.0)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        found += [(int(seat), int(at)) for seat, at in map(str.split, lines)]


@contextlib.contextmanager
def load(programs: int) -> Iterator[None]:
    """Keep the processor busy."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(programs)]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()


def contest(chip: Chip, luck: random.Random) -> list[tuple[int, int]]:
    """Press two buttons in a random order at a random interval; return the seats and the times just before."""
    done = []
    gap = luck.choice(GAPS_MS) * MILLISECOND
    for seat in luck.sample(range(len(LINES)), len(LINES)):
        done.append((seat, chip.pull(LINES[seat], False)))
        until = done[-1][1] + gap
        while time.monotonic_ns() < until:
            pass
    time.sleep(0.06)
    for line in LINES:
        chip.pull(line, True)
    time.sleep(0.12)
    return done


def judged(contests: list[list[tuple[int, int]]], told: list[tuple[int, int]]) -> dict[str, Any]:
    """Return how many contests were reported completely, how many in the wrong order, and how many presses came too
    late."""
    order = whole = 0
    delays: list[int] = []
    ends = [done[0][1] for done in contests[1:]] + [sys.maxsize]
    for done, end in zip(contests, ends, strict=True):
        first = {seat: min((at for other, at in told if other == seat and begun <= at < end), default=None)
                 for seat, begun in done}  # fmt: skip
        moments = [at for seat, _ in done if (at := first[seat]) is not None]
        if len(moments) < len(done):
            continue
        whole += 1
        order += moments != sorted(moments) or moments[0] == moments[1]
        delays += [at - begun for at, (_, begun) in zip(moments, done, strict=True)]
    late = {str(margin): sum(delay > margin * MILLISECOND for delay in delays) for margin in MARGINS_MS}
    return {"contests": len(contests), "whole": whole, "order": order, "presses": len(delays), "late": late}


def main() -> None:
    """Hold the same contests through both libraries, on an idle and on a busy processor."""
    become_pi("c03111")
    chip = Chip()
    for line in LINES:
        chip.pull(line, True)
    for name, programs in (("quiet", 0), ("busy", BUSY)):
        for kind in KINDS:
            luck = random.Random(7)
            with load(programs), serving(kind) as told:
                contests = [contest(chip, luck) for _ in range(CONTESTS)]
            report(**{f"{kind} {name}": judged(contests, told)})
