"""Every state of the disk that a power cut could have left: rebuilt from a session's real writes and syncs, opened."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from companion.journal.database import check_free
from companion.journal.journal import Journal, Record
from tests.faults.disk import Note, between, notes
from tests.faults.states import Disk
from tests.faults.truth import everything, lines

pytestmark = pytest.mark.gcc
MEMORY = Path("/dev/shm") if Path("/dev/shm").is_dir() else None
Matches = dict[str, tuple[Record, ...]]


class Session(NamedTuple):
    """What was noted while tables played, one after another in the same folder, and all records they wrote."""

    folder: Path
    notes: list[Note]
    records: Matches


class Explored(NamedTuple):
    """How many different states were opened, and how many of them were bad, by what was wrong."""

    states: int
    cuts: int
    acknowledged: int
    bad: Counter[str]


def session(folder: Path, moves: tuple[int, ...], synchronous: str = "FULL") -> Session:
    """Play; each number is a table of its own that makes so many moves and is closed."""
    data, log = folder / "data", folder / "log"
    data.mkdir()
    for number, count in enumerate(moves):
        command = [sys.executable, "-m", "tests.faults.player", str(data / "journal.db"), str(number)]
        told = between(str(data), log, SYNCHRONOUS=synchronous)
        subprocess.run([*command, "--moves", str(count)], env=told, check=True, stdout=subprocess.DEVNULL, timeout=300)
    return Session(data, list(notes(log)), everything(data / "journal.db"))


def explore(played: Session, names_follow: bool, count: int, seed: int, seconds: float = 3600) -> Explored:
    """Cut the power after each operation, `count` times at random besides the two extremes; open what is left."""
    luck, disk, said, seen = Random(seed), Disk(names_follow), b"", set[bytes]()
    bad, cuts, end = Counter[str](), 0, time.monotonic() + seconds
    with tempfile.TemporaryDirectory(dir=MEMORY) as place:
        for note in played.notes:
            disk.take(note)
            if note.what == "A":
                said += note.data
            told = {each.match: each.seq for each in lines(said)}
            cuts += 1
            for state in disk.states(luck, count):
                mark = marked(told, state)
                if mark in seen:
                    continue
                seen.add(mark)
                left = laid(Path(place), played.folder, state)
                why = judged(left / "journal.db", told, played.records)
                if why:
                    bad[why] += 1
            if time.monotonic() > end:
                break
    return Explored(len(seen), cuts, len(lines(said)), bad)


def marked(told: dict[str, int], state: dict[str, bytes]) -> bytes:
    """Return what tells states apart."""
    found = blake2b(repr((told, sorted(state))).encode(), digest_size=12)
    for path in sorted(state):
        found.update(state[path])
    return found.digest()


def laid(place: Path, folder: Path, state: dict[str, bytes]) -> Path:
    """Lay a state out as files. SQLite's shared memory and the lock mean nothing after a cut."""
    left = place / "left"
    shutil.rmtree(left, ignore_errors=True)
    left.mkdir()
    for path, content in state.items():
        name = Path(path).relative_to(folder)
        if not name.name.endswith(("-shm", ".lock")):
            (left / name).write_bytes(content.rstrip(b"\0"))
            os.truncate(left / name, len(content))
    return left


def judged(path: Path, told: dict[str, int], records: Matches) -> str:
    """Return what is wrong with a journal after a cut: `lost`, `other`, `torn`, `stuck`, or nothing."""
    try:
        if not told:
            check_free(path)  # as a start does before it announces anything
        with Journal(path) as journal:
            here = {summary.id: journal.records(summary.id) for summary in journal.matches()}
            if any(len(here.get(match, ())) < seq for match, seq in told.items()):
                return "lost"
            if any(found != records[match][: len(found)] for match, found in here.items()):
                return "other"
            if journal.findings:
                return "torn"
            journal.keep("on", b"it goes")
        with Journal(path) as journal:
            return "" if journal.read_value("on") == b"it goes" else "stuck"
    except (ValueError, KeyError) as error:
        return f"stuck: {error}"


@pytest.fixture
def folder() -> Iterator[Path]:
    """Give a folder in memory: what is synced there is noted, not waited for."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as place:
        yield Path(place)


@pytest.mark.parametrize("names_follow", [True, False], ids=["ext4", "strict"])
def test_no_state_of_the_disk_loses_what_was_acknowledged(folder: Path, names_follow: bool) -> None:
    """A match is begun, a few moves made, the table opened again: whichever way the power is cut, all is there."""
    found = explore(session(folder, (3, 1)), names_follow, 1, seed=1)
    assert found.bad == {}
    assert found.states > 50 and found.acknowledged >= 4


def test_a_journal_that_does_not_sync_is_caught(folder: Path) -> None:
    """The control: with SQLite's `synchronous=OFF` the same look at the same disk finds what was lost."""
    found = explore(session(folder, (3,), "OFF"), True, 1, seed=1)
    assert found.bad["lost"] > 0


@pytest.mark.faults
@pytest.mark.parametrize("names_follow", [True, False], ids=["ext4", "strict"])
def test_thousands_of_states(folder: Path, names_follow: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """A long evening with six restarts, cut after every operation; log carried over and started again in it."""
    begun = time.monotonic()
    found = explore(session(folder, (40, 1, 150, 10, 60, 30)), names_follow, 6, seed=2, seconds=1200)
    with capsys.disabled():
        print(
            f"\ncrash states ({'ext4' if names_follow else 'strict'}): {found.states:,} states after {found.cuts:,} "
            f"operations, {found.acknowledged} acknowledged moves, bad {dict(found.bad)}, "
            f"{time.monotonic() - begun:.0f} s"
        )
    assert found.bad == {}
    assert found.states >= 5_000
