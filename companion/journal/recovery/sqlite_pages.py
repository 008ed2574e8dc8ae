"""Read every version of every page of an SQLite file and its log from their bytes.

The layout is SQLite's own (https://www.sqlite.org/fileformat2.html, sections 1 and 4). Numbers are big-endian.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import NamedTuple

SIZE = 4096
"""Bytes per page: SQLite's default, which every journal uses."""
MAGIC = b"SQLite format 3\0"
FREE_AT = 32
"""Offset of the first free-list page's number in the first page."""
LOG_HEAD = Struct(">8I")
"""Magic number, version, page size, checkpoints, two salts, two checksums."""
LOG_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
"""The log's magic numbers, each with the byte order of its checksums."""
FRAME_HEAD = Struct(">II8s8s")
"""Page number, pages of the file after a commit (otherwise 0), both salts, checksums."""
FRAME = FRAME_HEAD.size + SIZE
WORD = Struct(">I")
INDEX_AT = 16
"""Offset of the number of valid frames of the log in SQLite's shared memory, in the machine's byte order."""


class WalFrame(NamedTuple):
    """A page in the log: its number, whether it ends a commit, its generation, its bytes."""

    number: int
    commits: bool
    salts: bytes
    page: bytes


def frames(log: bytes) -> list[WalFrame]:
    """Return all complete frames of a log in file order, of all generations."""
    found = []
    for at in range(LOG_HEAD.size, len(log) - FRAME + 1, FRAME):
        number, commit, salts, _ = FRAME_HEAD.unpack_from(log, at)
        found.append(WalFrame(number, bool(commit), salts, log[at + FRAME_HEAD.size : at + FRAME]))
    return found


def generation(log: bytes, found: list[WalFrame]) -> bytes:
    """Return the salts of the log's current generation, from its header or, failing that, its first frames.

    A new generation starts at the first frame; its first salt is one more than that of the previous generation.
    """
    if len(log) >= LOG_HEAD.size:
        magic, *_, one, two = LOG_HEAD.unpack_from(log)
        if magic in LOG_MAGIC and log_checksums(log[:24], LOG_MAGIC[magic]) == (one, two):
            return log[16:24]
    first, second = ([frame.salts for frame in found[:2]] + [b"", b""])[:2]
    follows = int.from_bytes(first[:4]) == (int.from_bytes(second[:4]) + 1) % (1 << 32)
    return second if second and not follows else first


def log_checksums(data: bytes, order: str) -> tuple[int, int]:
    """Return the checksums of some bytes in the log's format."""
    one = two = 0
    for first, second in Struct(f"{order}II").iter_unpack(data):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


def has_lost_commits(log: bytes, counted: int) -> bool:
    """Whether a log holds commits behind its first `counted` frames, the only ones that SQLite considers valid.

    A power cut leaves parts of at most one commit there. Frames after a later commit were written after that commit was
    synced, so a frame in between must be damaged.
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
    """Every version of every page: the log's versions, latest first, then the file's."""

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
        """Return the latest version of a page; raise `IndexError` for a missing one."""
        found = self.versions.get(number)
        if not found:
            raise IndexError(f"there is no page {number}")
        return found[0]

    def free(self) -> frozenset[int]:
        """Return the pages on the free list; their contents are outdated."""
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
        """Return `size` bytes of a value from its overflow pages; raise `IndexError` if the chain ends early."""
        parts: list[bytes] = []
        while size > 0:
            page = self.latest(number)
            parts.append(page[4 : 4 + size])
            size -= SIZE - 4
            (number,) = WORD.unpack_from(page)
        return b"".join(parts)

    def in_order(self) -> Iterator[tuple[bytes, list[bytes]]]:
        """Yield each page's latest version and its older ones: first the log's pages, last the free ones."""
        free = self.free()
        for number in sorted(self.versions, key=lambda each: (each in free, each not in self.logged, each)):
            latest, *older = self.versions[number]
            yield latest, older
