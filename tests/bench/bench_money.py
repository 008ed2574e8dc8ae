"""Measures the time from the last hand leaving the table to all sums: `python -m tests.bench.bench_money [--share
0.5]`.

`--share` is the fraction of one core for the camera's service and the table: 0.5 is a quarter of two cores. A real
camera service looks at tables of two to six players in pictures rendered beforehand: empty places while fists are
closed, hands moving over them after the signal, and the table without a hand. The sums count as complete when a real
table's journal has them. The figures are in milliseconds; nothing here asserts on time.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

from companion.bots.bot import own_policy
from companion.bots.simulation import next_event
from companion.devices.bus import SocketAddress, serve
from companion.engine import Setup
from companion.games import GAMES, SEEN
from companion.games.take_a_train.events import TokenDrawn
from companion.games.take_a_train.steps.sealed_auctions import OpenFists
from companion.messages import MILLISECOND, AnyMessage, Sighted, TokensReadable
from companion.sight.tracker import SightTracker
from tests.bench.bench_buttons import spread
from tests.bench.processes import slowed
from tests.bench.token_table import TokenTable
from tests.support.judging import take_all
from tests.support.presses import Live
from vision.cameras.camera_protocol import glance_of
from vision.image import Image
from vision.mat import mat_of_game
from vision.mat.camera_resolution import picture_size
from vision.process import prepare
from vision.service.loop import CameraService, ServiceOptions
from vision.settings import CameraSettings
from vision.simulate.camera_geometry import CameraGeometry
from vision.simulate.difficulty import DEFAULT
from vision.simulate.drawn_deck import DeckDrawing
from vision.simulate.gesture import home_of
from vision.simulate.hands import Hand, paint_hand

GAME = "take-a-train"
CARD = (63.0, 88.0)
"""The size of a card in millimetres."""
MOVING, STILL = 4, 3
"""The number of different pictures with hands, and of the table without them."""
LAYING = 1.0
"""Seconds for which hands move after the signal."""
PATIENCE = 20.0
"""Seconds to wait for the sums."""


class Replay:
    """A camera that shows prepared pictures in a loop."""

    source, live, unfocused, small_memory = "rendered", False, False, False

    def __init__(self) -> None:
        self._shown: Iterator[tuple[Image, Image]] = iter(())

    def show(self, pictures: Sequence[Image]) -> None:
        """Show these pictures from now on."""
        self._shown = itertools.cycle([(picture, glance_of(picture)) for picture in pictures])

    def glance(self) -> Image:
        """Return the next picture, small and grey."""
        return next(self._shown)[1]

    def still(self) -> tuple[Image, int]:
        """Return the next picture."""
        at = time.monotonic_ns()
        return next(self._shown)[0], at

    def lock(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class Room:
    """A camera service and the table's end of its bus."""

    def __init__(self, folder: Path, players: int) -> None:
        self.camera = Replay()
        self._sighted: list[Sighted] = []
        self._joined = False
        self._news = threading.Condition()
        address = SocketAddress(folder / "bus")
        self._bus = serve(address, lambda peer, message: self._hear(message))
        (folder / "frames").mkdir()
        settings = CameraSettings(game=GAME, players=players)
        provide = partial(DeckDrawing(GAME).deck, folder, "")
        options = ServiceOptions(settings, provide=provide)
        self.service = CameraService(folder, address, folder / "frames", lambda: self.camera, options)
        self.places = tuple([place.name for place in GAMES[GAME].token_places(players)])  # type: ignore[attr-defined]
        self.money = frozenset([place for place in self.places if place.endswith("money")])

    def allow(self, places: Sequence[str]) -> None:
        """Send the readable places."""
        self._bus.send(TokensReadable(places=tuple(places)))

    def read(self, since: int, places: frozenset[str]) -> Sighted | None:
        """Return the first sighting after a moment that has all these places."""

        def found() -> Sighted | None:
            fit = [each for each in self._sighted if each.at > since and places <= {*each.token_places}]
            return fit[0] if fit else None

        with self._news:
            return self._news.wait_for(found, PATIENCE)

    def wait(self) -> None:
        """Wait until the service has joined, because the bus keeps no messages for absent services."""
        with self._news:
            self._news.wait_for(lambda: self._joined, PATIENCE)

    def close(self) -> None:
        """Close the bus."""
        self._bus.close()

    def _hear(self, message: AnyMessage) -> None:
        with self._news:
            self._joined = True
            if isinstance(message, Sighted):
                self._sighted.append(message)
            self._news.notify_all()


@contextmanager
def opened(players: int) -> Iterator[Room]:
    """Yield a room whose service is running."""
    with tempfile.TemporaryDirectory(prefix="money-") as name:
        room = Room(Path(name), players)
        room.camera.show([np.zeros((90, 160, 3), np.uint8)])
        thread = threading.Thread(target=room.service.run)
        thread.start()
        room.wait()
        try:
            yield room
        finally:
            room.service.stop()
            thread.join()
            room.close()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--signals", type=int, default=8, help="with each number of players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0)
    given = parser.parse_args(arguments)
    prepare()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; ms")
    read: list[float] = []
    summed: list[float] = []
    missed = 0
    for players in range(2, 7):
        size = picture_size(mat_of_game(SEEN[GAME], players, CARD).size)
        table = TokenTable(GAME, players, DEFAULT, size, given.seed * 10 + players)
        with opened(players) as room:
            found = [
                each for nth in range(given.signals) if (each := measured(room, table, nth, given.share)) is not None
            ]
        missed += given.signals - len(found)
        summed += [took + counted(players, sighted, given.share) for took, sighted in found]
        own = [took for took, _ in found]
        read += own
        spread(f"{players} players: until all places are read", own)
    spread("all: until all places are read", read)
    spread("all: until all sums are in the journal", summed)
    if summed:
        print(f"  95 % of the sums within {np.percentile(summed, 95) / MILLISECOND:.0f}; {missed} signals without sums")


def measured(room: Room, table: TokenTable, nth: int, share: float) -> tuple[int, Sighted] | None:
    """Return the time from a signal until all places are read, and the sighting; None after a timeout."""
    table.clear()
    empty = [table.picture(100 * nth + number) for number in range(STILL)]
    table.pay()
    moving = [table.picture(100 * nth + 10 + number, partial(hands, table, number)) for number in range(MOVING)]
    still = [table.picture(100 * nth + 20 + number) for number in range(STILL)]
    others = [place for place in room.places if place not in room.money]
    room.camera.show(empty)
    room.allow(others)
    since = time.monotonic_ns()
    if room.read(since, frozenset(others)) is None:
        return None
    with slowed(share):
        room.allow(room.places)
        room.camera.show(moving)
        time.sleep(LAYING)
        left = time.monotonic_ns()
        room.camera.show(still)
        found = room.read(left, room.money)
    return (time.monotonic_ns() - left, found) if found is not None else None


def hands(table: TokenTable, number: int, picture: Image, view: CameraGeometry) -> None:
    """Paint a hand over each place for money."""
    wide, high = table.mat.size
    for slot in table.mat.token_slots:
        if slot.bar:
            x, y = slot.ground().mean(axis=0) + (12 * number, 5 * number)
            home = home_of(np.array([x, y]), (0, 0, wide, high))
            paint_hand(picture, view, Hand(x, y, 90.0 if home[1] < y else -90.0))


def counted(players: int, sighted: Sighted, share: float) -> int:
    """Return the time from a sighting to the table's last count in the journal."""
    luck = random.Random(players)
    game = GAMES[GAME]
    with tempfile.TemporaryDirectory(prefix="money-") as name, Live(Path(name) / "journal.db") as live:
        setup = Setup(GAME, players, {"bid_channel": "hand"}, "reconstruction", "ours")
        live.table.start(setup)
        policies = [own_policy(game)] * players
        tracker = SightTracker()
        tracker.follow_table(live.shown)
        while not isinstance(live.shown.state.agenda[0], OpenFists):  # type: ignore[union-attr]
            event = next_event(game, live.shown.state, policies, luck.random)  # type: ignore[arg-type]
            live.say(TokenDrawn("blind") if isinstance(event, TokenDrawn) else event)
            tracker.follow_table(live.shown)
        live.now = sighted.at
        with slowed(share):
            began = time.monotonic_ns()
            tracker.accept_reading(sighted)
            take_all(tracker, live.table, live.now)
            return time.monotonic_ns() - began


if __name__ == "__main__":
    main()
