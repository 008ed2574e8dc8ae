"""Measures an evening of three games on twelve screens: the table's memory afterwards, and its restart.

`python -m tests.bench.bench_evening [--games NAME...] [--matches N]`. Each game is played to its end with its largest
number of players. Memory is the table's own share (PSS) of resident memory, without buttons and camera.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from companion.games import GAMES
from tests.bench.processes import LOOP, QUARTER, can_slow, free_port, percentile, process, resident, settle, wait_for
from tests.bench.tapping import NAMES, Browser, Figures, Play, measure
from tests.support.paces import write_pace

SCREENS = 12
GREAT = ("take-a-train", "game-of-trains", "trains", "express")
LONGEST = 10_000
"""The most moves of a match."""
BEGUN = 60
"""The moves of the match on the table at the restart."""


def evening(game: str, matches: int) -> None:
    """Play the matches and print the figures."""
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
                browser, play, figures = played(port, folder, game, players, LONGEST)
                moves += len(figures.taps)
                slow.append(percentile(figures.times, 0.99))
                held.append(resident(server.pid)[1])
            browser, play, _ = played(port, folder, game, players, BEGUN)
        print(
            f"{game} {players}, {moves} moves: {told(held)} MB before and after each match; "
            f"a tap's p99 {told(slow)} ms",
            flush=True,
        )
        for share in (1, QUARTER) if can_slow() else (1,):
            with process(command, share):
                again = wait_for(port)
                pages = [browser.time(page) for page in (play.table, play.seats[0], play.seats[1], play.table)]
            print(f"  started again in {again:.2f} s{', at a quarter' if share < 1 else ''}; "
                  f"then pages of the table, two seats and the table took {told(pages)} ms", flush=True)  # fmt: skip


def played(port: int, folder: Path, game: str, players: int, moves: int) -> tuple[Browser, Play, Figures]:
    """Begin a match, play up to the given number of moves, and return the host's browser, the match and its figures."""
    browser = Browser(port)
    play = Play(port, folder, browser, game, players)
    figures = measure(play, SCREENS, 0, moves)
    play.close()
    return browser, play, figures


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
