"""`kill -9` of a playing table at random moments, a thousand times: `python -m tests.faults.killing FOLDER KILLS SEED`.

Every table is a process of its own that is forked from this one, so that it need not import everything again. What it
acknowledged comes over a pipe. After each kill the journal is opened here and checked, then the next one plays on.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from random import Random

import msgspec

from tests.faults.player import acknowledged, play
from tests.faults.truth import Said, lines, wrong

LONGEST = 0.03
"""Seconds from the first acknowledgement to the kill, at most."""


class Killed(msgspec.Struct):
    """What came of it. `resumed` are milliseconds from opening a table to its first word."""

    kills: int = 0
    acknowledged: int = 0
    faults: list[str] = []
    resumed: list[float] = []


def main(folder: Path, kills: int, seed: int) -> Killed:
    """Play and kill."""
    luck, found = Random(seed), Killed()
    last: list[Said] = []
    for number in range(kills):
        path = folder / f"{number // 50}.db"  # journals as long as those of an evening
        if number % 50 == 0:
            last = []
        begun = time.perf_counter()
        child, pipe = table(path, f"{seed}-{number}")
        data = os.read(pipe, 4096)
        found.resumed.append(1000 * (time.perf_counter() - begun))
        time.sleep(luck.random() * LONGEST)
        os.kill(child, signal.SIGKILL)
        data += drained(pipe)
        os.waitpid(child, 0)
        first, *_ = said = lines(data) or last[:1] or [Said("-", 0, "")]
        if last and number % 50 and first.match == last[-1].match and first.seq < last[-1].seq:
            found.faults.append(f"kill {number}: resumed at {first}, acknowledged was {last[-1]}")
        last = said if said[-1].match != "-" else last
        fault = wrong(path, [each for each in last if each.match != "-"])
        if fault:
            found.faults.append(f"kill {number}: {fault}")
        found.kills += 1
        found.acknowledged += len(said)
    return found


def table(path: Path, seed: str) -> tuple[int, int]:
    """Fork a table that plays; return its process and the pipe on which it acknowledges."""
    ours, its = os.pipe()
    child = os.fork()
    if not child:
        os.close(ours)
        try:
            play(path, seed, tell=lambda shown: bool(os.write(its, f"{acknowledged(shown)}\n".encode())) and None)
        finally:
            os._exit(1)
    os.close(its)
    return child, ours


def drained(pipe: int) -> bytes:
    """Return what is left in a pipe whose writer is dead."""
    data = b"".join(iter(lambda: os.read(pipe, 65536), b""))
    os.close(pipe)
    return data


if __name__ == "__main__":
    result = main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
    print(msgspec.json.encode(result).decode())
