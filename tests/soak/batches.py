"""Batches of games, played by several processes and stored as a line of JSON each when finished."""

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
"""The number of games in a line; an interruption loses unfinished batches."""
RULES = ("engine", "mechanics", "games", "bots")
"""The companion's folders whose code determines a game's course."""


class Batch(msgspec.Struct, frozen=True):
    """A batch of games with consecutive seeds."""

    rules: str
    """A digest of the code that played them."""
    game: str
    players: int
    first: int
    games: int
    events: int = 0
    processor: float = 0.0
    """Processor time in seconds."""
    faults: tuple[str, ...] = ()
    """The failed checks, each with its seed."""

    @property
    def key(self) -> tuple[str, str, int, int, int]:
        """Return the key that identifies the batch."""
        return self.rules, self.game, self.players, self.first, self.games


def digest_rules() -> str:
    """Return a digest of the code of rules and bots."""
    found, top = hashlib.sha256(), Path(companion.__file__).parent
    for file in sorted(file for folder in RULES for file in (top / folder).rglob("*.py")):
        found.update(f"{file.relative_to(top)}\0".encode() + file.read_bytes())
    return found.hexdigest()[:16]


def all_batches(rules: str, games: int, only: str = "") -> Iterator[Batch]:
    """Yield all batches in an order that advances all games evenly."""
    for first in range(1, games + 1, BATCH):
        for name, game in GAMES.items():
            for players in game.seats if only in ("", name) else ():
                yield Batch(rules, name, players, first, min(BATCH, games + 1 - first))


def read_batches(path: Path) -> list[Batch]:
    """Return the batches of a file, without a line cut off by an interruption."""
    found = []
    for line in path.read_bytes().splitlines() if path.exists() else ():
        try:
            found.append(msgspec.json.decode(line, type=Batch))
        except msgspec.DecodeError:
            continue
    return found


def play_batch(batch: Batch) -> Batch:
    """Play the games of a batch; a failed game is recorded as a fault, and the next one follows."""
    began, events, faults = time.process_time(), 0, []
    for seed in range(batch.first, batch.first + batch.games):
        try:
            events += play_one(batch.game, batch.players, seed)
        except Exception as error:  # the rules may raise any error
            faults.append(f"seed {seed}: {type(error).__name__}: {error}")
    seconds = round(time.process_time() - began, 3)
    return msgspec.structs.replace(batch, events=events, processor=seconds, faults=tuple(faults))


def play_left(batches: Iterable[Batch], path: Path, processes: int) -> Iterator[Batch]:
    """Play the batches missing in the file, and yield each when it is stored."""
    done = {batch.key for batch in read_batches(path)}
    left = [batch for batch in batches if batch.key not in done]
    path.parent.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool, path.open("ab") as file:
        for played in as_completed([pool.submit(play_batch, batch) for batch in left]):
            batch = played.result()
            file.write(b"\n" + msgspec.json.encode(batch) + b"\n")  # the previous line may be incomplete
            file.flush()
            yield batch
