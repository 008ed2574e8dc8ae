"""Measures the time per picture and the memory of a process by sizes of picture and deck, beside two peers.

`python -m tests.bench.bench_card_speed` prints figures.

Pictures and decks are drawn. Each deck is measured in its own process and loaded from a file, as the table's reader
loads it. Another process draws the pictures and passes them one at a time, so that only the current picture takes
memory.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import cv2
import msgspec
import numpy as np

from tests.bench.bench_values import draw_card, scene
from vision.bench import peers
from vision.deck.deck_file import load, save
from vision.deck.making import enrol
from vision.image import Image
from vision.recognise import Recogniser

FRAMES = ((1280, 720), (2304, 1296), (4608, 2592))
"""The pictures' width and height in pixels: a webcam's, half and all of the Pi camera's."""
DECKS = (100, 200, 500)
"""The number of cards in each deck."""
PICTURES = 5
"""The number of pictures of each size; the second reading of each counts, when caches are filled."""
CARD = 150.0
"""The width in pixels of a card in the smallest frame."""
THREADS = 2
"""The threads of a reader."""
ENROLLED = 372
"""The width in pixels of the enrolled pictures."""


class SpeedRow(msgspec.Struct, frozen=True):
    """The figures of one deck and one size of picture."""

    cards: int
    frame: tuple[int, int]
    wall: tuple[float, float]
    """Milliseconds per picture: median and maximum."""
    cpu: float
    """Processor milliseconds of all cores together: median."""
    memory: float | None
    """The process's peak memory so far in MB; None if the system does not report it."""
    load: float
    """Seconds to load the reader from the deck's file."""
    others: tuple[float, ...] = ()
    """The peers' milliseconds per picture: median."""


def run() -> None:
    """Measure all decks, each in its own process, and print a table."""
    from rich.table import Table

    from companion.commands.terminal import out

    table = Table("cards", "picture", "ms a picture", "CPU ms", "memory", "ready after", "hull hash", "nearest hash",
                  title=f"{THREADS} threads", title_justify="left")  # fmt: skip
    for cards in DECKS:
        command = [sys.executable, "-m", "tests.bench.bench_card_speed", "--cards", str(cards)]
        said = subprocess.run(command, check=True, capture_output=True).stdout
        for row in msgspec.json.decode(said, type=list[SpeedRow]):
            table.add_row(
                f"{row.cards}",
                f"{row.frame[0]} × {row.frame[1]}",
                f"{row.wall[0]:.0f}, at most {row.wall[1]:.0f}",
                f"{row.cpu:.0f}",
                "–" if row.memory is None else f"{row.memory:.0f} MB",
                f"{row.load:.1f} s",
                *(f"{other:.0f} ms" for other in row.others),
            )
    out().print(table)


def measure_deck(file: Path, cards: int) -> list[SpeedRow]:
    """Return the rows of one deck, the smallest pictures first; peers come last so that the memory is ours alone.

    file: the deck's file, beside the pictures.
    """
    start = time.perf_counter()
    reader = Recogniser(load(file), THREADS)
    took = time.perf_counter() - start
    rows = []
    for frame in FRAMES:
        wall, cpu = time_reader(reader.read, pictures(file.parent, frame))
        rows.append(
            SpeedRow(cards, frame, (float(np.median(wall)), max(wall)), float(np.median(cpu)), most_memory(), took)
        )
    refs = {name: draw_card(name, ENROLLED, 0) for name in names(cards)}
    readers = (peers.hull(refs), peers.nearest(refs))
    return [
        msgspec.structs.replace(
            row,
            others=tuple(float(np.median(time_reader(one, pictures(file.parent, row.frame))[0])) for one in readers),
        )
        for row in rows
    ]


def time_reader(read: Callable[[Image], object], on: Iterable[Image]) -> tuple[list[float], list[float]]:
    """Return milliseconds and processor milliseconds for a second reading of each picture."""
    wall, cpu = [], []
    for picture in on:
        read(picture)
        began, used = time.perf_counter(), time.process_time()
        read(picture)
        wall.append(1000 * (time.perf_counter() - began))
        cpu.append(1000 * (time.process_time() - used))
    return wall, cpu


def names(cards: int) -> list[str]:
    """Return the names of a drawn deck in which each card has its own artwork."""
    return [f"{number}-{50 * (number % 10 + 1)}" for number in range(cards)]


def pictures(folder: Path, frame: tuple[int, int]) -> Iterator[Image]:
    """Yield the pictures of this size, one by one."""
    for number in range(PICTURES):
        yield np.load(_file(folder, frame, number))


def draw(folder: Path) -> None:
    """Draw tables in all sizes with cards that all decks have."""
    luck = np.random.default_rng(5)
    for number in range(PICTURES):
        found = scene(luck, names(min(DECKS)), CARD)[0]
        for frame in FRAMES:
            np.save(_file(folder, frame, number), cv2.resize(found, frame, interpolation=cv2.INTER_CUBIC))


def _file(folder: Path, frame: tuple[int, int], number: int) -> Path:
    return folder / f"{frame[0]}-{number}.npy"


def most_memory() -> float | None:
    """Return the peak memory of this process in MB, or None if Linux does not report it."""
    status = Path("/proc/self/status")
    said = re.search(r"VmHWM:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(said[1]) / 1024 if said else None


def measure_apart(cards: int) -> None:
    """Make a deck in another process, measure it in this one, and print the rows as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "speed.deck"
        make = f"from tests.bench.bench_card_speed import make_deck; make_deck({str(file)!r}, {cards})"
        subprocess.run([sys.executable, "-c", make], check=True)
        sys.stdout.write(msgspec.json.encode(measure_deck(file, cards)).decode())


def make_deck(file: str, cards: int) -> None:
    """Write the file of a drawn deck, and pictures beside it."""
    draw(Path(file).parent)
    save(enrol("speed", {name: [draw_card(name, ENROLLED, 0)] for name in names(cards)})[0], Path(file))


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, help="measure one deck in this process, and print its rows as JSON")
    cards = parser.parse_args(arguments).cards
    if cards is None:
        run()
    else:
        measure_apart(cards)


if __name__ == "__main__":
    main()
