"""The pages of an SQLite file and of its log, every version of each, read from their bytes alone.

The layout is SQLite's own (https://www.sqlite.org/fileformat2.html, sections 1 and 4). Numbers are big-endian.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import NamedTuple

SIZE = 4096
"""Bytes of a page: SQLite's default, with which every journal was made."""
MAGIC = b"SQLite format 3\0"
FREE_AT = 32
"""Where the first page says which one begins the list of free pages."""
LOG_HEAD = Struct(">8I")
"""Magic number, version, page size, checkpoints, two salts, two checksums."""
LOG_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
"""The log's magic number, and the byte order of its checksums."""
FRAME_HEAD = Struct(">II8s8s")
"""Page number, pages of the file after a commit (else 0), both salts, checksums."""
FRAME = FRAME_HEAD.size + SIZE
WORD = Struct(">I")
INDEX_AT = 16
"""Where the first bytes of SQLite's shared memory say how many frames of the log count, in the machine's byte order."""


class WalFrame(NamedTuple):
    """A page in the log: its number, whether a commit ends with it, its generation, its bytes."""

    number: int
    commits: bool
    salts: bytes
    page: bytes


def frames(log: bytes) -> list[WalFrame]:
    """Return all whole frames of a log, in their order in the file, of whatever generation."""
    found = []
    for at in range(LOG_HEAD.size, len(log) - FRAME + 1, FRAME):
        number, commit, salts, _ = FRAME_HEAD.unpack_from(log, at)
        found.append(WalFrame(number, bool(commit), salts, log[at + FRAME_HEAD.size : at + FRAME]))
    return found


def generation(log: bytes, found: list[WalFrame]) -> bytes:
    """Return the salts of the log's present generation, which the log's head tells, else its first frames.

    A new generation begins at the first frame; its first salt is one more than that of the one before.
    """
    if len(log) >= LOG_HEAD.size:
        magic, *_, one, two = LOG_HEAD.unpack_from(log)
        if magic in LOG_MAGIC and summed(log[:24], LOG_MAGIC[magic]) == (one, two):
            return log[16:24]
    first, second = ([frame.salts for frame in found[:2]] + [b"", b""])[:2]
    follows = int.from_bytes(first[:4]) == (int.from_bytes(second[:4]) + 1) % (1 << 32)
    return second if second and not follows else first


def summed(data: bytes, order: str) -> tuple[int, int]:
    """Return the checksums of the log's format over some bytes."""
    one = two = 0
    for first, second in Struct(f"{order}II").iter_unpack(data):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


def overlooked(log: bytes, counted: int) -> bool:
    """Whether a log holds commits behind its first `counted` frames, which are all that SQLite believes.

    A power cut leaves at most the pieces of one commit there. Whatever follows a later commit was written after that
    one had been synced: a frame in between is damaged.
    """
    found = frames(log)
    salts = generation(log, found)
    commits = 0
    for frame in found[counted:]:
        if frame.salts == salts and any(frame.salts):
            if commits:
                return True
            commits += frame.commits
    return False


class Pages:
    """Every version of every page: those of the log first, the latest first, then the file's."""

    def __init__(self, file: bytes, log: bytes = b"") -> None:
        self.count = -(-len(file) // SIZE)
        found = frames(log)
        salts = generation(log, found)
        last = max((at for at, frame in enumerate(found) if frame.commits and frame.salts == salts), default=-1)
        now = [frame for frame in found[: last + 1] if frame.salts == salts]
        before = [frame for frame in found if frame.salts != salts]
        self.versions: dict[int, list[bytes]] = {}
        for frame in reversed(now):
            self.versions.setdefault(frame.number, []).append(frame.page)
        self.logged = frozenset(self.versions)
        """The pages whose latest version is in the log."""
        for number in range(1, self.count + 1):
            page = file[(number - 1) * SIZE : number * SIZE]
            self.versions.setdefault(number, []).append(page.ljust(SIZE, b"\0"))
        for frame in reversed(before):
            self.versions.setdefault(frame.number, []).append(frame.page)

    def latest(self, number: int) -> bytes:
        """Return a page as it was last written; raise `IndexError` for one that there is not."""
        found = self.versions.get(number)
        if not found:
            raise IndexError(f"there is no page {number}")
        return found[0]

    def free(self) -> frozenset[int]:
        """Return the pages that are said to hold nothing; what they hold all the same is old."""
        found: set[int] = set()
        try:
            (trunk,) = WORD.unpack_from(self.latest(1), FREE_AT)
            while trunk and trunk not in found:
                found.add(trunk)
                page = self.latest(trunk)
                (count,) = WORD.unpack_from(page, 4)
                found.update(WORD.unpack_from(page, 8 + 4 * n)[0] for n in range(min(count, SIZE // 4 - 2)))
                (trunk,) = WORD.unpack_from(page)
        except IndexError:
            pass
        return frozenset(found)

    def overflow(self, number: int, size: int) -> bytes:
        """Return so many bytes of a value that go on at a page; raise `IndexError` where the chain ends early."""
        parts: list[bytes] = []
        while size > 0:
            page = self.latest(number)
            parts.append(page[4 : 4 + size])
            size -= SIZE - 4
            (number,) = WORD.unpack_from(page)
        return b"".join(parts)

    def in_order(self) -> Iterator[tuple[bytes, list[bytes]]]:
        """Yield each page's latest version and its older ones; those of the log first, free pages last."""
        free = self.free()
        for number in sorted(self.versions, key=lambda each: (each in free, each not in self.logged, each)):
            latest, *older = self.versions[number]
            yield latest, older
