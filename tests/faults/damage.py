"""A journal as a running table leaves it, damage of every kind, and the rows on the pages that it did not touch."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion.journal.journal import Journal, Record
from companion.journal.recovery.rows import LARGEST, _rows
from companion.journal.recovery.sqlite_pages import FRAME, FRAME_HEAD, LOG_HEAD, SIZE, Pages, frames, generation
from tests.support.matches import dealt, ours

AT = "2030-01-01T12:00:00.000Z"
FILE, LOG = "journal.db", "journal.db-wal"
Row = tuple[Any, ...]
Bytes = dict[str, bytearray]


class Place(NamedTuple):
    """Where a row's page lies: in which file, from where to where."""

    name: str
    begin: int
    end: int


class Whole(NamedTuple):
    """An undamaged journal: its files, and where each of its rows lies. `last` are the rows of its last two commits."""

    files: dict[str, bytes]
    rows: dict[Row, list[Place]]
    last: frozenset[Row]


def written(folder: Path) -> Whole:
    """Write some matches, things kept and things forgotten, and take the files while the log holds half of it."""
    with Journal(folder / FILE) as journal:
        for number in range(4):
            match = journal.create(dealt() if number % 2 else ours(), "5eed" * 16, AT)
            journal.keep_all({f"web.doors.{match}": bytes(300), "table/current": match.encode()})
            for move in range(1, 97):
                first = 2 * move - 1
                bodies = [f'{{"event":"raised","seat":{seat},"to":{50 * move}}}' for seat in (0, 1)]
                said = [Record(first + n, AT, "table", move, body) for n, body in enumerate(bodies)]
                journal.append(match, said, keep={"web.large": bytes(move % 7 * 1000)})
            journal.keep(f"web.doors.{number}", None)
        files = {name: (folder / name).read_bytes() for name in (FILE, LOG)}
        rows = _all(journal)
    located = _located(files)
    assert set(rows) == set(located), "the reader of pages sees what SQLite sees"
    log = files[LOG]
    commits = [
        n for n, frame in enumerate(frames(log)) if frame.commits and frame.salts == generation(log, frames(log))
    ]
    begin = LOG_HEAD.size + (commits[-3] + 1) * FRAME
    last = frozenset(row for row, places in located.items() if places[0].name == LOG and places[0].begin >= begin)
    return Whole(files, located, last)


def _all(journal: Journal) -> list[Row]:
    """Return every row that SQLite reads."""
    with journal._file.reading() as db:
        return [
            *db.execute("SELECT id, header, seed, started, crc, ended FROM matches"),
            *db.execute("SELECT * FROM records"),
            *db.execute("SELECT * FROM kept"),
        ]


def _located(files: dict[str, bytes]) -> dict[Row, list[Place]]:
    """Return each row's page, and for a row that goes on elsewhere every page that is none of a tree."""
    file, log = files[FILE], files[LOG]
    found, salts = frames(log), generation(log, frames(log))
    places = {n + 1: Place(FILE, n * SIZE, (n + 1) * SIZE) for n in range(len(file) // SIZE)}
    for n, frame in enumerate(found):
        if frame.salts == salts:
            begin = LOG_HEAD.size + n * FRAME
            places[frame.number] = Place(LOG, begin, begin + FRAME)
    pages = Pages(file, log)
    free = pages.free()
    elsewhere = [place for number, place in places.items() if pages.latest(number)[0] not in LARGEST]
    rows: dict[Row, list[Place]] = {}
    for number, place in places.items():
        if number in free or pages.latest(number)[0] not in LARGEST:
            continue
        for row in _rows(pages, pages.latest(number)):
            assert row is not None
            long = sum(len(str(value)) for value in row) > LARGEST[10]
            rows[row] = [place, *(elsewhere if long else [])]
    return rows


def left(whole: Whole, damaged: Bytes) -> set[Row]:
    """Return the rows that must still be there: those whose pages are as they were.

    Of the log's end nothing is promised once the log was touched: a last commit that is damaged looks like one that a
    power cut tore, and so do two where the first one's end cannot be seen any more.
    """
    torn = bytes(damaged[LOG]) != whole.files[LOG]
    return {
        row
        for row, places in whole.rows.items()
        if all(damaged[p.name][p.begin : p.end] == whole.files[p.name][p.begin : p.end] for p in places)
        and not (torn and row in whole.last)
    }


# --- damage ---------------------------------------------------------------------------------------


def flips(files: Bytes, luck: Random) -> None:
    """Turn some single bits."""
    for _ in range(luck.randint(1, 30)):
        data = _one(files, luck)
        if data:
            data[luck.randrange(len(data))] ^= 1 << luck.randrange(8)


def noise(files: Bytes, luck: Random) -> None:
    """Change eight bytes in a row, often near the beginning of a page."""
    for _ in range(luck.randint(1, 4)):
        data = _one(files, luck)
        if len(data) > SIZE:
            at = luck.randrange(len(data) // SIZE) * SIZE + luck.choice([luck.randrange(110), luck.randrange(SIZE - 8)])
            data[at : at + 8] = luck.randbytes(min(8, len(data) - at))


def head(files: Bytes, luck: Random) -> None:
    """Change some of the first hundred bytes, by which SQLite knows a file."""
    data = files[luck.choice([FILE, FILE, LOG])]
    for _ in range(luck.randint(1, 6)):
        if data:
            data[luck.randrange(min(100, len(data)))] = luck.randrange(256)


def cut(files: Bytes, luck: Random) -> None:
    """Cut a file short: by a page, by many, in the middle of one, to nothing."""
    data = _one(files, luck)
    pages = len(data) // SIZE
    where = [len(data) - SIZE, luck.randrange(pages + 1) * SIZE, luck.randrange(len(data) + 1), 0]
    del data[max(0, luck.choice(where)) :]


def zeros(files: Bytes, luck: Random) -> None:
    """Wipe some pages out."""
    for _ in range(luck.randint(1, 5)):
        data = _one(files, luck)
        at = luck.randrange(max(1, len(data) // SIZE)) * SIZE
        data[at : at + SIZE] = bytes(len(data[at : at + SIZE]))


def swaps(files: Bytes, luck: Random) -> None:
    """Exchange two pages."""
    data = files[FILE]
    if len(data) >= 2 * SIZE:
        one, two = (luck.randrange(len(data) // SIZE) * SIZE for _ in range(2))
        data[one : one + SIZE], data[two : two + SIZE] = data[two : two + SIZE], data[one : one + SIZE]


def _one(files: Bytes, luck: Random) -> bytearray:
    return files[luck.choice([FILE, FILE, LOG])]


DAMAGES: dict[str, Callable[[Bytes, Random], None]] = {
    "bits turned": flips,
    "bytes changed": noise,
    "head changed": head,
    "cut short": cut,
    "pages of zeros": zeros,
    "pages exchanged": swaps,
}


def laid(folder: Path, files: Bytes) -> Path:
    """Lay damaged files out in an empty folder, and return the journal's path."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder / FILE


def rows_of(journal: Journal) -> set[Row]:
    """Return every row that a journal holds now."""
    return set(_all(journal))


assert FRAME_HEAD.size + SIZE == FRAME
