"""Files of recorded games, written and compared by several processes."""

from __future__ import annotations

import lzma
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.games import GAMES
from tests.tools.evidence.games import Difference, GameRecord, Ruled, compare_game, record_game

BATCH = 10
"""The number of games in a file."""


class Batch(NamedTuple):
    """Games with consecutive seeds, and their file."""

    path: Path
    game: str
    players: int
    seeds: range
    every: int


class Compared(NamedTuple):
    """The results of a file's games."""

    games: int
    events: int
    differences: list[Difference]
    ruled: Counter[str]
    """The number of games that can no longer be played, by option."""


def batches(out: Path, count: int, every: int) -> Iterator[Batch]:
    """Yield all batches, interleaved so that each game progresses equally."""
    for first in range(1, count + 1, BATCH):
        for name, game in GAMES.items():
            for players in reversed(game.seats):
                seeds = range(first, min(first + BATCH, count + 1))
                yield Batch(out / "games" / f"{name}-{players}-{first:04}.xz", name, players, seeds, every)


def record_batch(batch: Batch) -> int:
    """Play and write the games of a batch; return their number."""
    own = [record_game(batch.game, batch.players, seed, batch.every) for seed in batch.seeds]
    write(batch.path, own)
    return len(own)


def compare_file(path: Path) -> Compared:
    """Compare the games of a file with this tree's, and return the result."""
    found, ruled, records = [], Counter[str](), read(path)
    for record in records:
        try:
            found += compare_game(record)
        except Ruled as option:
            ruled[f"{record.game}: {option}"] += 1
    return Compared(len(records), sum([len(record.events) for record in records]), found, ruled)


def write(path: Path, records: list[GameRecord]) -> None:
    """Write records into a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_bytes(lzma.compress(msgspec.msgpack.encode(records)))
    unfinished.replace(path)


def read(path: Path) -> list[GameRecord]:
    """Return the records of a file."""
    return msgspec.msgpack.decode(lzma.decompress(path.read_bytes()), type=list[GameRecord])


def find(at: Path, kind: str, seed: int) -> GameRecord:
    """Return a recorded game by its name with the number of players, such as `express-4`, and its seed."""
    for path in recorded(at):
        for record in read(path) if path.name.startswith(f"{kind}-") else ():
            if record.seed == seed:
                return record
    raise SystemExit(f"{at} has no game {kind} with the seed {seed}.")


def recorded(at: Path) -> list[Path]:
    """Return all files of recorded games; raise an error if there are none."""
    found = sorted((at / "games").glob("*.xz"))
    if not found:
        raise SystemExit(f"There are no recorded games in {at}.")
    return found
