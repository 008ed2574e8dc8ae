"""Measures taps while the camera is busy: `python -m tests.bench camera_taps`, or `… bench_camera_taps [--moves 150]`.

The table and the camera's service share one core, and then a quarter of it. The cases are no camera, a full table
without movement and a hand that moves over it without a pause, while twelve screens show a game. This is the worst
case, because a Raspberry Pi has four cores. Nothing here asserts on time.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import cv2

from companion.devices.bus import SocketAddress, serve
from companion.games import SEEN
from tests.bench.bench_camera_rest import GAME, MODULE, PICTURES, PLAYERS, QUALITY, SIZE, Listener, draw
from tests.bench.bench_rendered import full
from tests.bench.processes import (
    LOOP,
    QUARTER,
    can_slow,
    free_port,
    process,
    settle,
    slow_group,
    told,
    wait_for,
    worked,
)
from tests.bench.tapping import Browser, Play, measure
from tests.support.paces import write_pace
from vision.mat import mat_of_game
from vision.print.cards import design, faces
from vision.simulate.drawn_deck import provide_deck
from vision.simulate.rendered_table import RenderedTable

SCREENS = 12
SHARES = {"one core": 1.0, "a quarter of a core": QUARTER}
ON_ONE_CORE = ("taskset", "--cpu-list", "0")
"""The command prefix that puts both on one core; otherwise they would run in parallel, and quotas ignore priorities."""


def draw_hand(folder: Path) -> None:
    """Write into a folder the pictures of a hand that takes a card from a full table."""
    mat = mat_of_game(SEEN[GAME], PLAYERS, (63.0, 88.0))
    table = RenderedTable(mat, faces(GAME), design(GAME).backs, seed=7, size=SIZE)
    table.set(full(7))
    for number, picture in enumerate(
        itertools.islice(table.hand("bonus", "discard.wagons", frames=PICTURES), PICTURES)
    ):
        cv2.imwrite(str(folder / f"{number:02}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


@contextmanager
def watched(pictures: Path | None, group: Path) -> Iterator[int | None]:
    """Run the camera's service on looped pictures in this group, and yield its process, or None without pictures."""
    if pictures is None:
        yield None
        return
    heard = Listener()
    bus = serve(SocketAddress(pictures / "bus"), lambda peer, message: heard.hear(message))
    command = [*ON_ONE_CORE, sys.executable, "-m", MODULE, "--serve", str(pictures), provide_deck(pictures, GAME)]
    with process(command, group=group) as running:
        heard.wait()
        yield running.pid
    bus.close()


def case(pictures: Path | None, share: float, moves: int) -> str:
    """Return the times of taps and the computing time of the camera's service as a line."""
    port = free_port()
    with tempfile.TemporaryDirectory() as name, slow_group(share) as group:
        folder = Path(name)
        write_pace(folder)
        command = [*ON_ONE_CORE, sys.executable, "-m", "companion", "run", "--host", LOOP, "--port", str(port)]
        command += ["--camera", "none", "--data", str(folder)]
        with process(command, group=group) as server:
            wait_for(port)
            settle(server.pid)
            browser = Browser(port)
            play = Play(port, folder, browser, GAME, PLAYERS)
            with watched(pictures, group) as camera:
                before = worked(camera) if camera else 0.0
                found = measure(play, SCREENS, 0, moves)
                spent = (worked(camera) - before) / len(found.times) if camera else 0.0
            play.close()
            browser.close()
    return told("", found.times).strip() + f"   the camera computes {spent:5.1f} ms a move"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=150)
    given = parser.parse_args(arguments)
    if not can_slow():
        print("no share of a core can be given: cgroup v1 is missing, or this is not root")
        return
    for words, share in SHARES.items():
        for what, pictures in (("no camera", None), ("a still table", draw), ("a moving hand", draw_hand)):
            with tempfile.TemporaryDirectory(prefix="taps-") as name:
                if pictures is draw:
                    draw(Path(name), full(7))
                elif pictures is not None:
                    draw_hand(Path(name))
                line = case(Path(name) if pictures else None, share, given.moves)
            print(f"{words}, {what:13}: {line}", flush=True)


if __name__ == "__main__":
    main()
