"""Batches of games: played by several processes, and kept in a file as a line of JSON each once they are done."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import msgspec

import companion
from companion.games import GAMES
from tests.soak.games import play_one

BATCH = 100
"""Games of one line in the file: an interruption loses those of the batches that were not finished."""
RULES = ("engine", "mechanics", "games", "bots")
"""Folders of the companion whose code decides how a game goes."""


class Batch(msgspec.Struct, frozen=True):
    """Games with seeds that follow one another."""

    rules: str
    """A digest of the code by which they were played."""
    game: str
    players: int
    first: int
    games: int
    events: int = 0
    processor: float = 0.0
    """Seconds of the processor."""
    faults: tuple[str, ...] = ()
    """What did not hold, each with its seed."""

    @property
    def key(self) -> tuple[str, str, int, int, int]:
        """What tells it from other batches."""
        return self.rules, self.game, self.players, self.first, self.games


def digest_rules() -> str:
    """Return a digest of the code of rules and bots."""
    found, top = hashlib.sha256(), Path(companion.__file__).parent
    for file in sorted(file for folder in RULES for file in (top / folder).rglob("*.py")):
        found.update(f"{file.relative_to(top)}\0".encode() + file.read_bytes())
    return found.hexdigest()[:16]


def all_batches(rules: str, games: int, only: str = "") -> Iterator[Batch]:
    """Yield every batch, so that after a part of the time a part of each game is done."""
    for first in range(1, games + 1, BATCH):
        for name, game in GAMES.items():
            for players in game.seats if only in ("", name) else ():
                yield Batch(rules, name, players, first, min(BATCH, games + 1 - first))


def read_batches(path: Path) -> list[Batch]:
    """Return the batches of a file; a line cut off by an interruption is none."""
    found = []
    for line in path.read_bytes().splitlines() if path.exists() else ():
        try:
            found.append(msgspec.json.decode(line, type=Batch))
        except msgspec.DecodeError:
            continue
    return found


def play_batch(batch: Batch) -> Batch:
    """Play the games of a batch; a game in which something does not hold is a fault, and the next one is played."""
    began, events, faults = time.process_time(), 0, []
    for seed in range(batch.first, batch.first + batch.games):
        try:
            events += play_one(batch.game, batch.players, seed)
        except Exception as error:  # the rules themselves may raise anything
            faults.append(f"seed {seed}: {type(error).__name__}: {error}")
    seconds = round(time.process_time() - began, 3)
    return msgspec.structs.replace(batch, events=events, processor=seconds, faults=tuple(faults))


def play_left(batches: Iterable[Batch], path: Path, processes: int) -> Iterator[Batch]:
    """Play the batches that are not in the file yet; yield each once it is there."""
    done = {batch.key for batch in read_batches(path)}
    left = [batch for batch in batches if batch.key not in done]
    path.parent.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool, path.open("ab") as file:
        for played in as_completed([pool.submit(play_batch, batch) for batch in left]):
            batch = played.result()
            file.write(b"\n" + msgspec.json.encode(batch) + b"\n")  # the line before may have been cut off
            file.flush()
            yield batch
