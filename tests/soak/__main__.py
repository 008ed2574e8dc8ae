"""Plays thousands of games for each game and number of players, and records the finished ones in a file.

`python -m tests.soak [--games 10000] [--file results/soak.jsonl] [--processes N] [--only GAME]`. An interrupted run
resumes, and a change of the rules restarts it. `--only GAME --players N --seed N` plays a single game.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from companion.games import GAMES
from tests.soak.batches import Batch, all_batches, digest_rules, play_left, read_batches
from tests.soak.games import play_one


def figures(batches: Iterable[Batch]) -> Table:
    """Return the numbers of played games, by game and number of players."""
    rows: dict[tuple[str, int], list[Batch]] = {}
    for batch in batches:
        rows.setdefault((batch.game, batch.players), []).append(batch)
    table = Table("game", "players", "games", "events", "faults", "ms a game", box=None)
    for (name, players), own in sorted(rows.items()):
        games, events = sum(batch.games for batch in own), sum(batch.events for batch in own)
        each = sum(batch.processor for batch in own) / games * 1000
        faults = sum(len(batch.faults) for batch in own)
        table.add_row(name, str(players), f"{games:,}", f"{events:,}", str(faults), f"{each:.1f}")
    return table


def main(arguments: list[str] | None = None) -> int:
    """Play, print the figures, and return 1 if a check failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Play thousands of games by the rules.")
    parser.add_argument("--games", type=int, default=10_000, help="games of each number of players")
    parser.add_argument("--file", type=Path, default=Path("results/soak.jsonl"))
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", choices=GAMES, default="", help="one game alone")
    parser.add_argument("--players", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0, help="with --only and --players: play this game alone")
    asked = parser.parse_args(arguments)
    out = Console()
    if asked.seed:
        out.print(f"{play_one(asked.only, asked.players, asked.seed)} events")
        return 0
    wanted = list(all_batches(digest_rules(), asked.games, asked.only))
    for batch in play_left(wanted, asked.file, asked.processes):
        for fault in batch.faults:
            out.print(f"{batch.game}, {batch.players} players, {fault}", style="red", markup=False)
    keys = {batch.key for batch in wanted}
    played = [batch for batch in read_batches(asked.file) if batch.key in keys]
    out.print(figures(played))
    return int(any(batch.faults for batch in played))


if __name__ == "__main__":
    raise SystemExit(main())
