"""Measures the delay between screens and lamps when fists open: a real server, a real bus, three Chromium pages.

`python -m tests.bench.bench_reveal [--reveals N]`. A client of the bus replaces the buttons' service and records when
it switches its lamps; the pages report the frame in which they showed the signal. The peer in the same run is a signal
without a moment: the delay from its arrival at the lamps to the first frame after the message.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Page

from companion.devices.bus import SocketAddress, join
from companion.engine import Amounts, Event, Seat, State, legal
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.rules import RULES
from companion.games.take_a_train.table import Table
from companion.games.take_a_train.view import TableView
from companion.messages import SECOND, AnyMessage, Health, Reveal
from tests.bench.processes import LOOP, free_port, told, wait_for
from tests.support.paces import HURRIED, write_pace
from tests.web.browser.devices import Server, chromium
from tests.web.browser.room import Room, thoughtless

TARGET = 34.0
"""The milliseconds between lamps and screens that nobody notices: two frames."""
PACE = msgspec.structs.replace(HURRIED, count_gap_ms=300)
"""The milliseconds between the numbers before the fists open, enough for a slow screen to draw the last one."""
AFTER = ("reveal_cards", "act", "draw_purposes", "over")
"""The moments recorded after the auction."""
SLOW_LAMP = 5.0
"""The seconds after which a signal that nobody showed counts as lost."""
WATCH = """() => {
  // When the message came, the first frame after it, and the frame in which the page showed it.
  window.__came = [];
  document.addEventListener("stream:cue", (event) => {
    const { cue } = event.detail;
    if (cue.message !== "reveal") return;
    requestAnimationFrame((frame) => window.__came.push({ at: cue.at, frame: performance.timeOrigin + frame }));
  });
}"""
READ = """() => ({
  came: window.__came.splice(0),
  shown: window.__cues.splice(0).filter((cue) => cue.message === "reveal"),
})"""


class Lamps:
    """A substitute for the buttons' service that is alive and records when it would switch its lamps."""

    def __init__(self, bus: Path) -> None:
        self.came: dict[int, int] = {}
        self.switched: dict[int, int] = {}
        self.client = join(SocketAddress(bus), "buttons", self.heard)

    def heard(self, message: AnyMessage) -> None:
        """Record a signal, and wait for its moment as a loop with a deadline does."""
        if isinstance(message, Reveal):
            self.came[message.at] = time.monotonic_ns()
            time.sleep(max(0, message.at - time.monotonic_ns()) / SECOND)
            self.switched[message.at] = time.monotonic_ns()

    def live(self) -> None:
        """Send a sign of life."""
        self.client.send(Health("buttons", time.monotonic_ns(), "simulated"))


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Yield a server without its own buttons' service."""
    port = free_port()
    write_pace(folder, PACE)
    command = [sys.executable, "-m", "companion", "run", "--host", LOOP, "--port", str(port), "--data", str(folder)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([*command, "--pins", "none"], **quiet) as server:  # type: ignore[call-overload]
        try:
            wait_for(port)
            yield Server(f"http://{LOOP}:{port}", folder)
        finally:
            server.terminate()
            server.wait(SLOW_LAMP)


class Play(Room):
    """Three phones that play Blind lots in succession, as fast as fists open."""

    def agree(self) -> Any:
        """Skip the look at the pages, whose time is not measured here."""
        return self.view

    def lot(self, tokens: list[str]) -> bool:
        """Play until all fists are closed and then all are ready; return False when the auction is over."""
        while True:
            state = self.state
            view = RULES.view(state, None)
            if view.moment in AFTER:
                return False
            if view.moment == "fists" and not view.awaited:
                break
            self.say(self.closing(state, view) if view.moment == "fists" else thoughtless(state, self.luck, tokens))
        for phone in self.phones:
            phone.send_form("press", page="bench", contact="closed", at="", since="")
        return True

    def closing(self, state: State[Table], view: TableView) -> Event:
        """Return the event that closes a seat's fist, with seldom equal bids."""
        seat = view.awaited[0]
        offer = next(offer for offer in legal(RULES, state) if offer.by == seat)
        assert isinstance(offer, Amounts)
        return ev.Committed(seat, min(offer.high, offer.low + 50 * self.luck.randrange(4)))


def offsets() -> float:
    """Return the offset from monotonic milliseconds to the wall clock, which pages know too."""
    best = min(
        ((after - before, wall - (before + after) / 2) for before, wall, after in (moment() for _ in range(50))),
        key=lambda pair: pair[0],
    )
    return best[1] / 1e6


def moment() -> tuple[int, int, int]:
    """Return the wall clock between two readings of the monotonic one, in nanoseconds."""
    return time.monotonic_ns(), time.time_ns(), time.monotonic_ns()


def measure(reveals: int) -> None:
    """Play until the given number of signals was seen, and print the delays between lamps and screens."""
    scheduled: list[float] = []
    arrived: list[float] = []
    lamp: list[float] = []
    between: list[float] = []
    own: list[float] = []
    with tempfile.TemporaryDirectory(prefix="reveal-") as name, serving(Path(name)) as server, chromium() as browser:
        lamps = Lamps(Path(name) / "bus")
        room = Play(browser, server)
        pages: list[Page] = [device.page for device in (room.tablet, room.phones[0], room.phones[1])]
        while len(lamp) < reveals:
            room.begin(ev.StarterNamed(Seat(0)), reveal="signal")
            for page in pages:
                page.evaluate(WATCH)
                page.wait_for_function("() => window.companion.clock.there(0) !== null")
            while len(lamp) < reveals:
                lamps.live()
                before = len(lamps.switched)
                if not room.lot(["double_blind"]):
                    break
                late = time.monotonic() + SLOW_LAMP
                while len(lamps.switched) == before and time.monotonic() < late:
                    lamps.live()
                    pages[0].wait_for_timeout(20)
                pages[0].wait_for_timeout(80)
                wall = offsets()
                frames = []
                for page in pages:
                    seen = page.evaluate(READ)
                    for cue in seen["shown"]:
                        due = cue["at"] / 1e6
                        scheduled.append(abs(cue["wall"] - wall - due))
                        own.append(abs(cue["there"] / 1e6 - due))
                        frames.append(cue["wall"])
                    arrived += [abs(cue["frame"] - wall - lamps.came[cue["at"]] / 1e6) for cue in seen["came"]]
                if len(frames) == len(pages):
                    between.append(max(frames) - min(frames))
                fresh = list(lamps.switched.items())[before:]
                lamp += [abs(at - due) / 1e6 for due, at in fresh]
            room.host.send_form("leave", sure=1)
        lamps.client.close()
    print(told("pages, from the lamps' moment", scheduled))
    print(told("  by their own measured clocks", own))
    print(told("  the three pages, one another", between))
    print(told("lamps, from the same moment", lamp))
    print(told("peer: first frame after the message", arrived))
    print(f"target: p99 of the pages at most {TARGET:.0f} ms")


def main(argv: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reveals", type=int, default=50)
    measure(parser.parse_args(argv).reveals)


if __name__ == "__main__":
    main()
