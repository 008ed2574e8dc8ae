"""Measures the processor time and memory of the camera's service while nothing happens on the table.

`python -m tests.bench camera_rest`, or `python -m tests.bench.bench_camera_rest [--seconds 30]`. The service runs in
its own process, at full speed and on a quarter of a core. A simulated USB camera delivers JPEG pictures of a rendered
table thirty times a second, each with its own noise: an empty table, and one full of cards. The figures exclude the
kernel's share of taking pictures. Nothing here asserts on time.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.devices.bus import SocketAddress, serve
from companion.engine import Layout
from companion.games import SEEN
from companion.messages import AnyMessage, Health, Sighted
from tests.bench.bench_rendered import PLAYERS, full
from tests.bench.processes import can_slow, process, resident, worked
from vision.cameras.usb import UsbCamera
from vision.commands.camera import give_way
from vision.mat import mat_of_game
from vision.print.cards import design, faces
from vision.process import prepare
from vision.service.loop import CameraService, ServiceOptions
from vision.settings import CameraSettings
from vision.simulate.drawn_deck import provide_deck
from vision.simulate.rendered_table import RenderedTable

GAME = "take-a-train"
SIZE = (1920, 1080)
PICTURES = 12
"""The number of pictures shown in a loop, each with its own noise."""
RATE = 30
"""The camera's pictures per second."""
QUALITY = 92
"""The quality of the JPEG."""
QUIET = 6.0
"""The seconds without news after which a table counts as read."""
RESTED = 5.0
"""The rate of looks per second above which the service no longer reads."""
LONGEST = 180.0
"""The seconds after which a table counts as read in any case."""
MODULE = "tests.bench.bench_camera_rest"


class StillDevice:
    """A USB camera's driver that delivers a JPEG picture every thirtieth of a second."""

    def __init__(self, folder: Path) -> None:
        files = sorted(folder.glob("*.jpg"))
        self._next = itertools.cycle([np.frombuffer(file.read_bytes(), np.uint8)[None] for file in files])
        self._due = time.monotonic()

    def get(self, property_: int, /) -> float:
        """Return the pictures per second, the only property that is queried."""
        return RATE

    def set(self, property_: int, value: float, /) -> bool:
        """Accept any setting."""
        return True

    def grab(self) -> bool:
        """Wait for the next picture."""
        now = time.monotonic()
        self._due = max(self._due + 1 / RATE, now)
        time.sleep(self._due - now)
        return True

    def retrieve(self) -> tuple[bool, np.ndarray]:
        """Return the picture."""
        return True, next(self._next)

    def read(self) -> tuple[bool, np.ndarray]:
        """Wait for the next picture and return it."""
        return self.grab(), self.retrieve()[1]

    def release(self) -> None:
        """Do nothing, because there is nothing to release."""


def serve_camera(folder: Path, deck: str) -> None:
    """Run the service with a folder's pictures until the process ends."""
    give_way()
    prepare()
    camera = UsbCamera(0, lambda number: StillDevice(folder))
    settings = CameraSettings(deck=deck, players=PLAYERS)
    shelf = folder / "shelf"
    shelf.mkdir(exist_ok=True)
    CameraService(folder, SocketAddress(folder / "bus"), shelf, lambda: camera, ServiceOptions(settings)).run()


class Listener:
    """The table's end of the bus, which records the last sighting and the time without news."""

    def __init__(self) -> None:
        self.news = time.monotonic()
        self.seen: Sighted | None = None
        self.looks: list[float] = []
        self.came = threading.Event()

    def hear(self, message: AnyMessage) -> None:
        """Handle a message."""
        if isinstance(message, Sighted):
            self.news, self.seen = time.monotonic(), message
        elif isinstance(message, Health) and message.camera is not None:
            self.looks.append(message.camera.fps)
            if message.camera.looking in ("still", "moving"):
                self.came.set()

    def wait(self) -> None:
        """Wait until the table has been read."""
        late = time.monotonic() + LONGEST
        self.came.wait(LONGEST)
        self.news = time.monotonic()
        while time.monotonic() < late and (self.looks[-1] < RESTED or time.monotonic() < self.news + QUIET):
            time.sleep(0.5)


def draw(folder: Path, layout: Layout) -> None:
    """Write pictures of a table into a folder."""
    mat = mat_of_game(SEEN[GAME], PLAYERS, (63.0, 88.0))
    table = RenderedTable(mat, faces(GAME), design(GAME).backs, seed=7, size=SIZE)
    table.set(layout)
    for number in range(PICTURES):
        cv2.imwrite(str(folder / f"{number:02}.jpg"), table.picture(), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


def measure(folder: Path, share: float, seconds: float) -> str:
    """Return the cost of a table at rest as a line; share: of one core."""
    deck = provide_deck(folder, GAME)
    heard = Listener()
    bus = serve(SocketAddress(folder / "bus"), lambda peer, message: heard.hear(message))
    command = [sys.executable, "-m", MODULE, "--serve", str(folder), deck]
    with process(command, share) as running:
        heard.wait()
        before, began = worked(running.pid), time.monotonic()
        time.sleep(seconds)
        spent, took = worked(running.pid) - before, time.monotonic() - began
        held = resident(running.pid)[1]
    bus.close()
    cards = 0 if heard.seen is None else sum(bool(each.card) for each in heard.seen.sightings)
    minute = 60 * spent / took / 1000
    computed = f"{minute:6.1f} s of a processor a minute"
    return f"{cards:3d} cards   {computed}   {heard.looks[-1]:4.1f} looks a second   {held:3.0f} MB"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--serve", nargs=2, metavar=("FOLDER", "DECK"), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.serve:
        serve_camera(Path(given.serve[0]), given.serve[1])
        return
    for words, layout in (("empty", Layout({})), ("full", full(7))):
        with tempfile.TemporaryDirectory(prefix="rest-") as name:
            draw(Path(name), layout)
            for share in (1.0, 0.25) if can_slow() else (1.0,):
                print(
                    f"{words:5s} table, {share:4.0%} of a core: {measure(Path(name), share, given.seconds)}", flush=True
                )


if __name__ == "__main__":
    main()
