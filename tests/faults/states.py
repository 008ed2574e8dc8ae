"""Which states a power cut may leave on a disk, from what was written and synced until then.

A write is durable once its file was synced, a name once its folder was; with `names_follow` (ext4) also once the new
file was. What is not durable yet may be there, in pieces of 512 bytes, or not; pending names come in their order. Where
a sync failed, what had been written since the last one is gone for good: the kernel takes such pages for clean.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.faults.disk import Note

SECTOR = 512
KEPT = (0.1, 0.5, 0.9)
"""How much of what is not durable is there, from cut to cut."""


class File:
    """A file's durable content, and what was written to it since: `W` at a place, `T` cut to a length."""

    def __init__(self) -> None:
        self.durable = bytearray()
        self.waiting: list[Note] = []

    def synced(self) -> None:
        """Make durable what waits."""
        for note in self.waiting:
            changed(self.durable, note)
        self.waiting = []


class Disk:
    """One folder's files as a disk has them."""

    def __init__(self, names_follow: bool) -> None:
        self._names_follow = names_follow
        self._files: dict[str, File] = {}
        self._durable: dict[str, File] = {}
        self._pending: list[tuple[str, str, File]] = []

    def take(self, note: Note) -> None:
        """Take what was done."""
        file = self._files.get(note.path)
        match note.what:
            case "C":
                self._files[note.path] = file = File()
                self._pending.append(("C", note.path, file))
            case "U":
                self._files.pop(note.path, None)
                self._pending.append(("U", note.path, File()))
            case "R" if file is not None:
                del self._files[note.path]
                self._files[note.data.decode()] = file
                self._pending += [("C", note.data.decode(), file), ("U", note.path, file)]
            case "N":
                self._durable = self._named(len(self._pending))
                self._pending = []
            case "W" | "T" if file is not None:
                file.waiting.append(note)
            case "X" if file is not None:
                file.waiting = []
            case "S" if file is not None:
                file.synced()
                if self._names_follow:
                    last = max((n for n, (_, _, one) in enumerate(self._pending, 1) if one is file), default=0)
                    self._durable = self._named(last)
                    del self._pending[:last]

    def states(self, luck: Random, count: int) -> Iterator[dict[str, bytes]]:
        """Yield what may be found after a cut now: nothing that is not durable, all of it, and `count` times some."""
        yield {path: bytes(file.durable) for path, file in self._durable.items()}
        yield {path: found(file, luck, 1.0) for path, file in self._named(len(self._pending)).items()}
        for _ in range(count):
            share = luck.choice(KEPT)
            names = self._named(luck.randint(0, len(self._pending)))
            yield {path: found(file, luck, share) for path, file in names.items()}

    def _named(self, count: int) -> dict[str, File]:
        """Return the files by name when so many of the pending names have become durable."""
        names = dict(self._durable)
        for what, path, file in self._pending[:count]:
            if what == "C":
                names[path] = file
            else:
                names.pop(path, None)
        return names


def found(file: File, luck: Random, share: float) -> bytes:
    """Return a file's content when about this share of what waits has reached the disk, sector by sector."""
    content = bytearray(file.durable)
    for note in file.waiting:
        if note.what == "T":
            if luck.random() < share:
                changed(content, note)
            continue
        begin, end = note.at, note.at + len(note.data)
        while begin < end:
            stop = min((begin // SECTOR + 1) * SECTOR, end)
            if luck.random() < share:
                changed(content, Note("W", "", begin, note.data[begin - note.at : stop - note.at]))
            begin = stop
    return bytes(content)


def changed(content: bytearray, note: Note) -> None:
    """Do what was done to a content."""
    end = note.at if note.what == "T" else note.at + len(note.data)
    content.extend(bytes(max(0, end - len(content))))
    if note.what == "T":
        del content[end:]
    else:
        content[note.at : end] = note.data
