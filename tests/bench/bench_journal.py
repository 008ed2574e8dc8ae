"""Measures a durable move beside an appended line, the opening of a long match, and an undo and a refold.

`python -m tests.bench.bench_journal [--moves 600] [--events 5000] [--rounds 5]`. Each move goes through the real Match
and Journal, and then as a line with fdatasync into a file beside it, so that variations of the disk affect both. With
root and loop devices the bench uses an ext4 image with its journal, as on a Pi; otherwise it uses a temporary folder
and reports that. Nothing here asserts on time.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from companion.engine import Amounts, Event, Setup, legal, name_of
from companion.journal.journal import Journal, Record
from companion.match.actor import Actor
from companion.match.history import History
from companion.match.match import Match, encode_body, game_of

CLIMBING = ("raised", "bid", "opened")
"""Events of which the long match takes the smallest amount, so that its lots last."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=600)
    parser.add_argument("--events", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="measure in this folder, on whatever disk it is")
    given = parser.parse_args(arguments)
    with workplace(given.folder) as (folder, where):
        print(f"on {where}")
        durable(folder, given.moves)
        undo(folder, given.moves // 4)
        opening(folder, given.events, given.rounds)
        refold(given.rounds)


# --- where ----------------------------------------------------------------------------------------


@contextlib.contextmanager
def workplace(folder: Path | None) -> Iterator[tuple[Path, str]]:
    """Yield a temporary folder for the measurements, and print its kind."""
    with tempfile.TemporaryDirectory(prefix="journal-bench-", dir=folder) as name:
        place = Path(name)
        mounted = folder is None and ext4(place)
        try:
            if mounted:
                yield place / "disk", "an ext4 image with a journal, through a loop device"
            else:
                yield place, f"{place.parent}, whatever disk that is (no root or no loop device for an ext4 image)"
        finally:
            if mounted:
                subprocess.run(["umount", place / "disk"], check=True)


def ext4(place: Path) -> bool:
    """Create and mount an ext4 image, and return whether that succeeded."""
    if os.geteuid() != 0:
        return False
    (place / "disk").mkdir()
    with (place / "disk.img").open("wb") as image:
        image.truncate(512 << 20)
    commands = (["mkfs.ext4", "-q", "-F", "disk.img"], ["mount", "-o", "loop", "disk.img", "disk"])
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        for command in commands:
            subprocess.run(command, cwd=place, check=True, capture_output=True)
        return True
    return False


# --- a durable move -------------------------------------------------------------------------------


def durable(folder: Path, moves: int) -> None:
    """Print the cost of an acknowledged move beside the same records as an appended line."""
    ours: list[float] = []
    journal_alone: list[float] = []
    lines: list[float] = []
    with Journal(folder / "moves.db") as journal, line_file(folder / "moves.jsonl") as line:
        appending = timed(journal.append, journal_alone)
        journal.append = appending  # type: ignore[method-assign]
        luck, match, seed = Random(1), None, 0
        while len(ours) < moves:
            if match is None or match.state.over:
                seed += 1
                match = Match.begin(journal, Setup("take-a-train", 2 + seed % 5), str(seed))
                journal_alone.clear() if seed == 1 else journal_alone.pop()
            before = match.seq
            act = next_act(match, luck)
            if len(ours) % 2:
                ours.append(clock(act))
                lines.append(clock(lambda m=match, b=before: line(as_text(m, b))))
            else:  # the line comes first every second time, with the previous move's text
                lines.append(clock(lambda m=match, b=before: line(as_text(m, max(0, b - 1)))))
                ours.append(clock(act))
    journal_alone = journal_alone[-len(ours) :]
    print(f"an acknowledged move, {len(ours)} moves, paired (ms):        p50     p99")
    for label, times in (
        ("  Match + Journal (rules, commit, refolded state)", ours),
        ("  the journal's commit alone", journal_alone),
        ("  a line appended with fdatasync", lines),
    ):
        print(f"{label:<50}{percentile(times, 50) * 1e3:8.3f}{percentile(times, 99) * 1e3:8.3f}")
    ratio = percentile(ours, 50) / percentile(lines, 50)
    print(f"{'  move / line, p50 (goal: at most 1.4)':<50}{ratio:8.2f}")


def next_act(match: Match, luck: Random) -> Callable[[], object]:
    """Return the next random move, ready to be made."""
    offers = legal(match.game, match.state)
    if offers[0].chance and match.setup.deck == "dealt":
        return lambda: match.draw(Actor.TABLE)
    event = offers[int(luck.random() * len(offers))].pick(luck.random)
    return lambda: match.propose(event, Actor.TABLE)


def as_text(match: Match, after: int) -> bytes:
    """Return the records after the given one as a line of text."""
    return "".join(encode_body(body) for body in match.line.bodies[after + 1 :]).encode() + b"\n"


@contextlib.contextmanager
def line_file(path: Path) -> Iterator[Callable[[bytes], None]]:
    """Yield a function that appends durably to a file."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def append(data: bytes) -> None:
        os.write(file, data)
        os.fdatasync(file)

    try:
        yield append
    finally:
        os.close(file)


# --- undo -----------------------------------------------------------------------------------------


def undo(folder: Path, moves: int) -> None:
    """Print the cost of an undo beside that of the move, with the journal and without it."""
    forward: list[float] = []
    back: list[float] = []
    with Journal(folder / "undo.db") as journal:
        match, luck = Match.begin(journal, Setup("take-a-train", 4, deck="ours"), "1"), Random(3)
        while len(forward) < moves and not match.state.over:
            forward.append(clock(next_act(match, luck)))
            to = match.last_move()
            if to is not None and match.line.landing(to) == to:
                back.append(clock(lambda m=match, t=to: m.rewind(t, "host")))
                match.redo(Actor.HOST)
    ratio = statistics.median(back) / statistics.median(forward)
    print(f"\n{'undo / forward move, p50 (goal: at most 2)':<50}{ratio:8.2f}")
    print(f"  undo {statistics.median(back) * 1e3:.3f} ms, move {statistics.median(forward) * 1e3:.3f} ms")


# --- long matches ---------------------------------------------------------------------------------


def long_line(events: int) -> History:
    """Return the events of a match of the given length, with many changed fists and small raises."""
    setup = Setup("take-a-train", 6, deck="ours")
    line, luck = History(game_of(setup), game_of(setup).resolve_setup(setup)), Random(5)
    while line.seq < events and not line.state.over:
        line.add(slow_choice(line, luck), check=False)
    return line


def slow_choice(line: History, luck: Random) -> Event:
    """Return an event that advances the match as little as possible."""
    offers = legal(line.game, line.state)
    climbing = [o for o in offers if isinstance(o, Amounts) and name_of(o.pick(lambda: 0.0)) in CLIMBING]
    if climbing and luck.random() < 0.98:
        return luck.choice(climbing).pick(lambda: 0.0)
    fists = getattr(line.state.agenda[0], "amounts", None)
    if fists and fists.count(None) == 1 and luck.random() < 0.99:
        open_ = fists.index(None)
        return luck.choice([o for o in offers if o.by not in (open_, None)]).pick(luck.random)
    return offers[int(luck.random() * len(offers))].pick(luck.random)


def opening(folder: Path, events: int, rounds: int) -> None:
    """Print the opening time of a match with many events, and the size of its states."""
    line = long_line(events)
    with Journal(folder / "long.db") as journal:
        match_id = journal.create(line.setup)
        records = [
            Record(e.seq, "2030-01-01T12:00:00.000Z", "seat:1", e.seq, encode_body(e.event)) for e in line.entries
        ]
        for at in range(0, len(records), 500):  # a few large moves, which read like many small ones
            journal.append(match_id, [Record(r.seq, r.at, r.by, at + 1, r.body) for r in records[at : at + 500]])
        del line
        times = [clock(lambda: Match.open(journal, match_id)) for _ in range(rounds)]
        tracemalloc.start()
        match = Match.open(journal, match_id)
        grown, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    print(f"\nopening a match of {match.seq} events (goal: at most 150 ms): {statistics.median(times) * 1e3:.0f} ms")
    print(f"  {statistics.median(times) / match.seq * 1e6:.1f} µs an event; all its states weigh {grown >> 20} MB")


def refold(rounds: int) -> None:
    """Print the time to fold 500 events again, trusted as at opening and checked as in an amendment."""
    line = long_line(500)
    events = [entry.event for entry in line.entries]
    for label, check in (("trusted", False), ("checked", True)):
        times = []
        for _ in range(max(rounds, 5)):
            again = History(line.game, line.setup)
            times.append(clock(lambda a=again, c=check: [a.add(event, check=c) for event in events]))
        print(f"refolding {len(events)} events, {label} (goal: at most 5 ms): {statistics.median(times) * 1e3:.1f} ms")


# --- clocks ---------------------------------------------------------------------------------------


def clock(act: Callable[[], object]) -> float:
    """Return the duration of a call in seconds."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def timed(act: Callable[..., None], times: list[float]) -> Callable[..., None]:
    """Return the function with recorded times."""

    def noted(*args: object, **named: object) -> None:
        times.append(clock(lambda: act(*args, **named)))

    return noted


def percentile(times: Sequence[float], percent: int) -> float:
    """Return the given percentile of the times."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


if __name__ == "__main__":
    main(sys.argv[1:])
