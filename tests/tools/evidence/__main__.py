"""Records how everything behaves, and compares this tree with such a record.

    python -m tests.tools.evidence record [--games 200] [--out build/evidence] [--only games,urls]
    python -m tests.tools.evidence compare build/evidence [--renamed FILE] [--only games]
    python -m tests.tools.evidence show express-4 17 120 "seat 2.own_cards" [--at build/evidence]

`show` prints a value by the rules of the tree that it runs in: run it in both trees to see both values.
What the camera recalls is not recorded: `companion bench vision` measures it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

os.environ["COMPANION_EXAMPLES"] = "1"  # pages know the examples only if they are offered

from tests.support.paths import ROOT
from tests.tools.evidence import games
from tests.tools.evidence.files import batches, compare_file, find, record_batch, recorded
from tests.tools.evidence.parts import PARTS, compare_part, record_part

T = TypeVar("T")
OUT = Path("build/evidence")
LONGEST = 1500
"""The maximum number of characters to print of a value or text."""


def in_processes(do: Callable[..., T], what: Iterable[object], processes: int, table: Path) -> Iterator[T]:
    """Yield each result as it is done, and print the progress."""
    began, wanted = time.monotonic(), list(what)
    with ProcessPoolExecutor(processes, get_context("spawn"), games.use_table, (table,)) as pool:
        for done, future in enumerate(as_completed([pool.submit(do, each) for each in wanted]), 1):
            yield future.result()
            if done % max(1, len(wanted) // 20) == 0:
                print(f"  {done} of {len(wanted)} files, {time.monotonic() - began:.0f} s", flush=True)


def record_games(asked: argparse.Namespace) -> None:
    """Record games of each kind, and keep existing files."""
    wanted = list(batches(asked.out, asked.games, asked.every))
    left = [batch for batch in wanted if not batch.path.exists()]
    played = sum(in_processes(record_batch, left, asked.processes, games.TABLE))
    print(f"games: {played} recorded, {len(wanted) - len(left)} files were there already")


def compare_games(asked: argparse.Namespace) -> int:
    """Compare all recorded games, print the first difference of each kind, and return the number of differences."""
    files = list(in_processes(compare_file, recorded(asked.at), asked.processes, asked.renamed))
    played, events = sum([each.games for each in files]), sum([each.events for each in files])
    for option, count in sorted(sum([each.ruled for each in files], Counter[str]()).items()):
        print(f"  not comparable, as the option has one value from now on: {option}, {count} games")
    differences = sorted([each for own in files for each in own.differences], key=lambda each: each[:5])
    kinds = Counter([(each.game, each.aspect) for each in differences])
    for (game, aspect), count in kinds.items():
        first = next(each for each in differences if (each.game, each.aspect) == (game, aspect))
        now = first.why or games.value_at(find(asked.at, f"{game}-{first.players}", first.seed), first.step, aspect)
        print(f"  {first.place}: now {now[:LONGEST]}\n    options {first.options}; in {count} games")
    print(f"games: {played} with {events:,} events compared, {len(differences)} differences")
    return len(differences)


def compare_texts(asked: argparse.Namespace, name: str) -> int:
    """Compare a part, print the first differences and return the number of texts that differ."""
    found = compare_part(asked.at, name)
    for text in list(found)[:10]:
        print(f"  {text}\n{found[text][:LONGEST]}")
    print(f"{name}: {len(found)} differences")
    return len(found)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Return the command's arguments."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.evidence", description=__doc__.partition("\n")[0])
    tasks = parser.add_subparsers(dest="task", required=True)
    record = tasks.add_parser("record", help="record how this tree behaves; an interrupted record goes on")
    record.add_argument("--games", type=int, default=200, help="games of each number of players")
    record.add_argument("--every", type=int, default=1, help="look after so many events each")
    record.add_argument("--out", type=Path, default=OUT)
    compare = tasks.add_parser("compare", help="compare this tree with a record")
    compare.add_argument("at", type=Path)
    compare.add_argument("--renamed", type=Path, default=games.TABLE, help="what may differ")
    for task in (record, compare):
        task.add_argument("--only", default=",".join(["games", *PARTS]), help="parts: %(default)s")
        task.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    show = tasks.add_parser("show", help="print the value of an aspect by this tree")
    for name, kind in (("game", str), ("seed", int), ("step", int), ("aspect", str)):
        show.add_argument(name, type=kind)
    show.add_argument("--at", type=Path, default=OUT)
    asked = parser.parse_args(arguments)
    unknown = {*asked.only.split(",")} - {"games", *PARTS} if asked.task != "show" else None
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}: choose of games, {', '.join(PARTS)}")
    return asked


def main(arguments: list[str] | None = None) -> int:
    """Record, compare or show; return 1 if something differs."""
    asked = parse(arguments)
    if asked.task == "show":
        print(games.value_at(find(asked.at, asked.game, asked.seed), asked.step, asked.aspect))
        return 0
    wanted = asked.only.split(",")
    if asked.task == "compare":
        games.use_table(asked.renamed)
        found = [compare_texts(asked, name) if name != "games" else compare_games(asked) for name in wanted]
        return int(any(found))
    asked.out.mkdir(parents=True, exist_ok=True)
    commit = subprocess.run(("git", "-C", ROOT, "rev-parse", "HEAD"), capture_output=True, text=True, check=True).stdout
    with (asked.out / "commits.txt").open("a", encoding="utf-8") as file:
        file.write(f"{asked.only}: {commit}")
    for name in wanted:
        if name == "games":
            record_games(asked)
        else:
            print(f"{name}: {record_part(asked.out, name)} texts recorded")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
