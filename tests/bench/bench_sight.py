"""Measures the time from a hand leaving the table to the event in the journal: `python -m tests.bench.bench_sight
[--seconds 120]`.

A real `companion demo` with all its processes plays at its own speed. Its camera records the first glance without a
hand, the time to draw the pictures (which a real camera does not need) and the time of its message. Its table records
when the move was accepted, which is when it is in the journal. The figures are milliseconds for the whole way and its
parts. A reveal held back while people read the previous one counts separately. Nothing here asserts on time.
"""

from __future__ import annotations

import argparse
import bisect
import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from companion.messages import MILLISECOND, SECOND
from tests.bench.bench_buttons import spread

MODULE = "tests.bench.bench_sight"
LEVELS, PIXELS = 12, 20
"""The levels by which a pixel differs from the empty table, and the number of such pixels in a glance with a hand."""
PATIENCE = 90.0
"""The most seconds until the first card lies."""
FOLLOWS = 4000 * MILLISECOND
"""The delay in ns beyond which an event counts as held back on purpose."""
WORDS = ("left", "read", "said", "took")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0, help="how long is played")
    parser.add_argument("--seed", default="7")
    parser.add_argument("--game", default="take-a-train")
    parser.add_argument("--difficulty", default="easy")
    parser.add_argument("--as", dest="part", choices=("demo", "camera"), help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.part == "demo":
        demo(given.rest)
    elif given.part == "camera":
        camera(Path(given.rest[0]))
    else:
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; ms")
        with tempfile.TemporaryDirectory(prefix="sight-") as name:
            notes = played(Path(name) / "notes", given.seconds, given.game, given.seed, given.difficulty)
        printed(notes)


def played(file: Path, seconds: float, game: str, seed: str, difficulty: str) -> list[tuple[int, str, float]]:
    """Let a demonstration play for some seconds, and return the records of its processes: moment, word and number."""
    command = [sys.executable, "-m", MODULE, "--as", "demo", "--", "--game", game, "--seed", seed]
    command += ["--difficulty", difficulty, "--host", "127.0.0.1"]
    environment = {**os.environ, "SIGHT_NOTES": str(file)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        began = time.monotonic()
        while not file.exists() and process.poll() is None and time.monotonic() - began < PATIENCE:
            time.sleep(0.5)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        process.send_signal(signal.SIGINT)
        process.wait(30)
    lines = file.read_text().splitlines() if file.exists() else []
    notes = [line.split() for line in lines if re.fullmatch(rf"\d+ ({'|'.join(WORDS)}) [\d.]+", line)]
    return sorted([(int(at), word, float(number)) for at, word, number in notes])


class Way(msgspec.Struct, frozen=True):
    """The way from a hand to an event, in nanoseconds."""

    left: int
    whole: float
    rest: float
    rules: float
    drawing: float
    pictures: int

    @property
    def seen(self) -> float:
        """Return the whole way without drawing, as with a real camera whose pictures are there at once."""
        return self.whole - self.drawing

    @property
    def reading(self) -> float:
        """Return the time spent on pictures from the first to the last, without drawing."""
        return self.seen - self.rest - self.rules


def printed(notes: Sequence[tuple[int, str, float]]) -> None:
    """Print the figures of these records."""
    moments = {word: [at for at, what, _ in notes if what == word] for word in WORDS}
    pictures = [(at, number) for at, what, number in notes if what == "read"]
    ways: list[Way] = []
    held: list[float] = []
    for took in moments["took"]:
        left, said = before(moments["left"], took), before(moments["said"], took)
        if left is None or said is None or any(way.left == left for way in ways):
            continue  # an event that follows at once from the same sight is not a delayed one
        drawn = [(at, number) for at, number in pictures if left < at < took]
        if took - left > FOLLOWS or not drawn:
            held.append(took - left)
            continue
        drawing = sum([number for _, number in drawn])
        ways.append(Way(left, took - left, drawn[0][0] - left, took - said, drawing, len(drawn)))
    spread("a hand has left, until the event is journalled", [way.whole for way in ways])
    spread("the same, but for drawing the pictures", [way.seen for way in ways])
    spread("  until the table has come to rest", [way.rest for way in ways])
    spread("  mat and cards, first picture to last", [way.reading for way in ways])
    spread("  bus, rules, journal", [way.rules for way in ways])
    spread("drawing the pictures", [way.drawing for way in ways])
    spread("held back while people read the move before", held)
    over = len([way for way in ways if way.seen > SECOND])
    looks = sum([way.pictures for way in ways]) / max(1, len(ways))
    print(f"  {looks:.1f} pictures an event; {over} of {len(ways)} took more than a second, drawing not counted")


def before(moments: Sequence[int], at: int) -> int | None:
    """Return the last of these ordered moments up to another."""
    found = bisect.bisect_right(moments, at)
    return moments[found - 1] if found else None


# --- within the processes of the demonstration ------------------------------------------------------


def note(word: str, number: float = 0.0, at: int | None = None) -> None:
    """Write a moment at once, because the processes are killed in the end."""
    with Path(os.environ["SIGHT_NOTES"]).open("a") as file:
        file.write(f"{time.monotonic_ns() if at is None else at} {word} {number}\n")


def demo(options: Sequence[str]) -> None:
    """Run `companion demo` with a recording camera, and record the moves accepted by sight."""
    from companion.devices.child_processes import SupervisedProcess
    from companion.match.actor import Actor
    from companion.sight.observer import SightObserver
    from web.plugins.demonstration import demo_command

    propose = SightObserver._propose

    def proposed(self: SightObserver, move: Any, by: Actor) -> Any:
        answer = propose(self, move, by)
        if answer.accepted and by == Actor.CAMERA:
            note("took")
        return answer

    def ours(folder: Path, source: str) -> SupervisedProcess:
        return SupervisedProcess("the camera", [sys.executable, "-m", MODULE, "--as", "camera", str(folder)])

    SightObserver._propose = proposed  # type: ignore[method-assign]
    demo_command.camera_service = ours
    demo_command.command(list(options))


def camera(folder: Path) -> None:
    """Run `companion camera` over a rendered table with records."""
    from companion.devices.bus import find_address
    from companion.devices.child_processes import end_with_parent
    from companion.messages import Sighted
    from vision.cameras.camera_protocol import glance_of
    from vision.commands.camera import serve
    from vision.service.loop import CameraService
    from vision.simulate.rendered_camera import RenderedCamera

    end_with_parent()
    moves, glance, still, send = RenderedCamera._moves, RenderedCamera.glance, RenderedCamera.still, CameraService._send
    with_hand: list[tuple[int, Any]] = []

    def moved(self: RenderedCamera, laid: Any) -> Iterator[Any]:
        for frame in moves(self, laid):
            with_hand.append((time.monotonic_ns(), glance_of(frame)))
            yield frame

    def glanced(self: RenderedCamera) -> Any:
        found = glance(self)
        if with_hand and not self._moving:
            differs = [np.abs(seen.astype(np.int16) - found).__gt__(LEVELS).sum() > PIXELS for _, seen in with_hand]
            last = max((at for at, there in enumerate(differs) if there), default=len(differs) - 1)
            after = with_hand[last + 1][0] if last + 1 < len(with_hand) else time.monotonic_ns()
            note("left", at=after)
            with_hand.clear()
        return found

    def pictured(self: RenderedCamera) -> Any:
        began = time.monotonic_ns()
        found = still(self)
        note("read", time.monotonic_ns() - began, began)
        return found

    def said(self: CameraService, message: Any) -> None:
        send(self, message)
        if isinstance(message, Sighted):
            note("said")

    RenderedCamera._moves = moved  # type: ignore[method-assign]
    RenderedCamera.glance, RenderedCamera.still = glanced, pictured  # type: ignore[method-assign]
    CameraService._send = said  # type: ignore[method-assign]
    sys.exit(serve(folder, find_address(folder), "rendered"))


if __name__ == "__main__":
    main()
