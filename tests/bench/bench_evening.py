"""An evening: three games in a row on twelve screens; what the table then holds in memory, and how it starts again.

`python -m tests.bench.bench_evening [--games NAME...] [--matches N]`. Each game is played to its end by as many players
as it allows. Memory is the table's own share (PSS) of what is resident, without buttons and camera.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from companion.games import GAMES
from tests.bench.processes import LOOP, free_port, percentile, process, resident, settle, wait_for
from tests.bench.tapping import NAMES, Browser, Play, measure
from tests.support.paces import write_pace

SCREENS = 12
GREAT = ("take-a-train", "game-of-trains", "trains", "express")
LONGEST = 10_000
"""Moves of a match."""


def evening(game: str, matches: int) -> None:
    """Play the matches, and print the figures."""
    players = min(GAMES[game].seats[-1], len(NAMES))
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        write_pace(folder)
        command = [sys.executable, "-m", "companion", "table", "--host", LOOP, "--port", str(port)]
        command += ["--data", str(folder)]
        with process(command) as server:
            wait_for(port)
            settle(server.pid)
            held, moves, slow = [resident(server.pid)[1]], 0, []
            for _ in range(matches):
                browser = Browser(port)
                play = Play(port, folder, browser, game, players)
                found = measure(play, SCREENS, 0, LONGEST)
                play.close()
                browser.close()
                moves += len(found.taps)
                slow.append(percentile(found.times, 0.99))
                held.append(resident(server.pid)[1])
        begun = time.perf_counter()
        with process(command):
            wait_for(port)
            again = time.perf_counter() - begun
    print(
        f"{game} {players}, {moves} moves: {told(held)} MB before and after each match; a tap's p99 {told(slow)} ms; "
        f"started again in {again:.2f} s",
        flush=True,
    )


def told(figures: list[float]) -> str:
    """Return figures as a list."""
    return ", ".join([f"{each:.0f}" for each in figures])


def main(argv: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=3)
    parser.add_argument("--games", nargs="+", choices=GAMES, default=GREAT)
    asked = parser.parse_args(argv)
    for game in asked.games:
        evening(game, asked.matches)


if __name__ == "__main__":
    main()
