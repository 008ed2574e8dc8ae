"""Measures the time from a tap to the change on each screen, in each game, at full speed and on a quarter of a core.

`python -m tests.bench.bench_push [--moves N] [--games NAME...] [--screens N...] [--advice]`. The server and sockets are
real, with journal and rendering; a bare peer in the same run only passes on bytes of the same size. Each game has its
largest number of players. The server's processor time per move is split into its parts, and the delays of the slowest
moves are explained. With `--advice`, seats ask for advice before every second move and tap while it is computed, and
only these moves and the others are compared. The client is one thread with a selector, in its own process like the
server.
"""

from __future__ import annotations

import argparse
import os
import selectors
import socket
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from companion.games import GAMES
from tests.bench.processes import (
    LOOP,
    QUARTER,
    can_slow,
    free_port,
    percentile,
    process,
    resident,
    settle,
    told,
    wait_for,
    worked,
)
from tests.bench.tapping import NAMES, Browser, Play, Screen, Tap, arrived, measure
from tests.bench.timed_server import NESTED, PARTS, Span
from tests.support.paces import write_pace

SCREENS = (12, 50)
SLEEPERS = 20
"""The number of streams that nobody reads, beside twelve that are read."""
SLOWEST = 0.01
"""The fraction of slowest moves whose delays are explained."""


# --- the bare peer --------------------------------------------------------------------------------


def peer(port: int) -> None:
    """Serve streams and pushes from one thread: POST N sends N bytes to each stream."""
    selector = selectors.DefaultSelector()
    listener = socket.create_server((LOOP, port))
    selector.register(listener, selectors.EVENT_READ)
    streams: list[socket.socket] = []
    while True:
        for key, _ in selector.select():
            found: Any = key.fileobj
            if found is listener:
                connection, _ = listener.accept()
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                selector.register(connection, selectors.EVENT_READ)
                continue
            data = found.recv(65536)
            if not data:
                selector.unregister(found)
                found.close()
                streams = [s for s in streams if s is not found]
            elif data.startswith(b"GET"):
                found.sendall(b"HTTP/1.1 200 OK\r\n\r\nid: 0\nevent: regions\ndata: \n\n")
                streams.append(found)
            else:
                size = int(data.split()[1][1:])
                message = b"id: 1\nevent: regions\ndata: %s\n\n" % (b"x" * size)
                for stream in streams:
                    stream.sendall(message)
                found.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")


def measure_peer(count: int, size: int, moves: int) -> list[float]:
    """Return the same figures for the bare peer."""
    port = free_port()
    with process([sys.executable, "-m", "tests.bench.bench_push", "--peer", str(port)]):
        wait_for(port)
        screens = [Screen(port, "/", "en", str(n)) for n in range(count)]
        selector = selectors.DefaultSelector()
        for screen in screens:
            while not screen.read():
                pass
            selector.register(screen.socket, selectors.EVENT_READ, screen)
        browser = Browser(port)
        times = []
        for _ in range(moves):
            before = [screen.messages for screen in screens]
            begun = time.perf_counter()
            browser.send("POST", f"/{size}", [])
            times.append(1000 * (max(arrived(selector, screens, before)) - begun))
            browser.answer()
        selector.close()
        for screen in screens:
            screen.socket.close()
        browser.close()
    return times


# --- what a move is made of -----------------------------------------------------------------------


def computed(spans: list[Span], moves: int, work: float) -> str:
    """Return the server's processor time per move and the share of each part; nested parts count once."""
    own: Counter[str] = Counter()
    for span in spans:
        own[span.part] += span.computed
        if span.part in NESTED:
            own[NESTED[span.part]] -= span.computed
    shares = {part: own[part] / 1e6 / moves for part in PARTS}
    shares["rest"] = work - sum(shares.values())
    return f"{work:.1f} ms a move: " + ", ".join(f"{part} {took:.1f}" for part, took in shares.items())


def waited(tap: Tap, spans: list[Span]) -> str:
    """Return the parts of one move's delay in milliseconds of elapsed time; nested parts count once."""
    took: Counter[str] = Counter()
    for span in spans:
        if (within := min(span.ended, tap.last) - max(span.began, tap.sent)) > 0:
            took[span.part] += within
            if span.part in NESTED:
                took[NESTED[span.part]] -= within
    parts = ", ".join(f"{part} {1000 * took[part]:.1f}" for part in PARTS if took[part] > 0)
    return f"{tap.took:.1f} ms {tap.event} (first screen after {1000 * (tap.first - tap.sent):.1f}): {parts}"


# --- a case ---------------------------------------------------------------------------------------


def run(game: str, count: int, sleeping: int, moves: int, share: float) -> None:
    """Measure a game on the given number of screens and print the figures."""
    port, players = free_port(), min(GAMES[game].seats[-1], len(NAMES))
    with tempfile.TemporaryDirectory() as name:
        folder, timings = Path(name), Path(name) / "timings"
        write_pace(folder)
        command = [sys.executable, "-m", "tests.bench.timed_server", str(timings)]
        command += ["run", "--host", LOOP, "--port", str(port), "--data", str(folder)]
        with process(command, share) as server:
            started = wait_for(port)
            settle(server.pid)
            idle = resident(server.pid)
            browser = Browser(port)
            play = Play(port, folder, browser, game, players)
            quiet, before, begun = resident(server.pid), worked(server.pid), time.perf_counter()
            found = measure(play, count, sleeping, moves)
            work, ended = (worked(server.pid) - before) / len(found.times), time.perf_counter()
            busy = resident(server.pid)
            page = browser.time(play.table)
            play.close()
            browser.close()
        spans = [Span(*row) for row in msgspec.json.decode(timings.read_bytes())]
    screens = f"{count} screens" + (f" and {sleeping} asleep" if sleeping else "")
    print(told(f"{game} {players}, {screens}" + (", a quarter" if share < 1 else ""), found.times))
    spread = percentile([1000 * (tap.last - tap.first) for tap in found.taps], 0.99)
    own = percentile([1000 * (tap.own - tap.sent) for tap in found.taps if tap.own is not None], 0.5)
    print(f"  acting seat's own screens p50 {own:.1f} ms; from first to last screen p99 {spread:.1f} ms")
    print("  " + computed([span for span in spans if begun < span.began < ended], len(found.taps), work))
    for tap in sorted(found.taps, key=lambda tap: -tap.took)[: max(1, int(SLOWEST * len(found.taps)))]:
        print("  slow: " + waited(tap, spans))
    print(f"  start to first page {started:.2f} s; idle {idle[0]:.0f} MB resident ({idle[1]:.0f} MB its own share); "
          f"with a game {quiet[0]:.0f}, after {busy[0]:.0f} MB; a page then {page:.1f} ms", flush=True)  # fmt: skip
    if share == 1 and not sleeping:
        print(told(f"  bare peer, {found.size} bytes each", measure_peer(count, found.size, moves)), flush=True)


def run_advised(game: str, count: int, moves: int, share: float) -> None:
    """Measure moves with and without advice in turn and print both; the advising process has the same share."""
    port, players = free_port(), min(GAMES[game].seats[-1], len(NAMES))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_pace(folder)
        command = [sys.executable, "-m", "companion", "run", "--host", LOOP, "--port", str(port), "--data", name]
        with process(command, share) as server:
            wait_for(port)
            settle(server.pid)
            browser = Browser(port)
            play = Play(port, folder, browser, game, players)
            play.allow_advice()
            taps = measure(play, count, 0, moves, advice=True).taps
            play.close()
            browser.close()
    for said, advised in (("beside advice", True), ("without", False)):
        times = [tap.took for tap in taps if tap.advised == advised and tap.event != "draw"]
        if times:
            print(told(f"{game} {players}, {count} screens, {said}" + (", a quarter" if share < 1 else ""), times))


def main(argv: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=150)
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--screens", nargs="+", type=int, default=SCREENS)
    parser.add_argument("--advice", action="store_true", help="only compare moves beside advice with others")
    parser.add_argument("--peer", type=int)
    asked = parser.parse_args(argv)
    if asked.peer:
        peer(asked.peer)
        return
    os.environ["COMPANION_EXAMPLES"] = "yes"
    if asked.advice:
        for game in asked.games:
            for share in (1.0, *([QUARTER] if can_slow() else [])):
                run_advised(game, asked.screens[0], asked.moves, share)
        return
    for game in asked.games:
        for count in asked.screens:
            run(game, count, 0, asked.moves, 1)
        if can_slow():
            run(game, asked.screens[0], 0, asked.moves, QUARTER)
        else:
            print("  no share of a core can be given: cgroup v1 is missing, or this is not root")
    run(asked.games[0], asked.screens[0], SLEEPERS, asked.moves, 1)


if __name__ == "__main__":
    main()
