"""Finds the rows on a journal's pages that fit their checksums, even if the tree is damaged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from companion.journal.recovery.pages import MAGIC, SIZE, WORD, Pages

Rows = list[tuple[Any, ...]]
INDEX_INNER, TABLE_INNER, INDEX_LEAF, TABLE_LEAF = 2, 5, 10, 13
"""Kinds of pages. Tables WITHOUT ROWID are stored as indexes, with rows on inner pages as well."""
LARGEST = {INDEX_INNER: (SIZE - 12) * 64 // 255 - 23, INDEX_LEAF: (SIZE - 12) * 64 // 255 - 23, TABLE_LEAF: SIZE - 35}
"""The most bytes of a row that are stored on the page itself."""
LEAST = (SIZE - 12) * 32 // 255 - 23
"""The least bytes of a longer row that are stored on the page itself."""
INTEGERS = {0: None, 8: 0, 9: 1}
"""Types whose value takes no bytes."""
WIDTHS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of whole numbers by type."""
MATCH, RECORD, KEPT = 6, 8, 3
"""The number of columns of each table, by which its rows are recognised."""
UNREADABLE = (IndexError, ValueError)


class RecoveredRows(NamedTuple):
    """Rows of matches, records and kept values, ready to insert."""

    matches: Rows
    records: Rows
    kept: Rows


def checksum(*parts: object) -> int:
    """Return the checksum of a row's values."""
    return crc32("\x1f".join(map(str, parts)).encode(errors="surrogatepass"))


def recover_rows(file: Path, log: Path) -> RecoveredRows:
    """Return every row in a file and its log that fits its checksum; raise `OSError` if the files cannot be read.

    The latest version of a row counts. Older versions of a page are used only if its latest version is damaged; but a
    match's header, which never changes, may come from any version.
    """
    pages = Pages(file.read_bytes(), log.read_bytes() if log.exists() else b"")
    found: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    old: list[bytes] = []
    replaced: list[bytes] = []
    for latest, older in pages.in_order():
        (replaced if _collect(pages, latest, found) else old).extend(older)
    for page in old:
        _collect(pages, page, found)
    for page in replaced:
        _collect(pages, page, found, only=MATCH)
    tables = ([row for key, row in sorted(found.items()) if key[0] == size] for size in (MATCH, RECORD, KEPT))
    return RecoveredRows(*tables)


def _collect(pages: Pages, page: bytes, found: dict[tuple[Any, ...], tuple[Any, ...]], only: int = 0) -> bool:
    """Add a page's sound rows that are new (`only`: with this many columns); return whether all are sound."""
    whole = True
    try:
        for row in _rows(pages, page):
            if row is None or not _sound(row):
                whole = False
                continue
            if only and len(row) != only:
                continue
            key = (len(row), *(row[:2] if len(row) == RECORD else row[:1]))
            found.setdefault(key, _as_inserted(row))
    except UNREADABLE:
        return False
    return whole


def _sound(row: tuple[Any, ...]) -> bool:
    """Whether a row belongs to a journal table and fits its checksum."""
    kinds = tuple(map(type, row))
    if len(row) == RECORD:
        return kinds == (int, int, str, str, int, int, str, int) and row[-1] == checksum(*row[:-1])
    if len(row) == MATCH:
        return kinds[:5] == (int, str, str, str, int) and row[4] == checksum(*row[:4])
    return kinds == (str, bytes, int) and row[2] == crc32(row[1])


def _as_inserted(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row to insert, without an invalid `ended`, which the checksum does not cover."""
    return (*row[:5], row[5] if isinstance(row[5], str) else None) if len(row) == MATCH else row


def _rows(pages: Pages, page: bytes) -> Iterator[tuple[Any, ...] | None]:
    """Yield a page's rows, None for an unreadable one; raise `IndexError` for an unknown kind of page."""
    kind = page[0]
    if kind == TABLE_INNER or page.startswith(MAGIC):
        return
    if kind not in LARGEST:
        raise IndexError("no page of a tree")
    first = 12 if kind == INDEX_INNER else 8
    for n in range(int.from_bytes(page[3:5])):
        at = int.from_bytes(page[first + 2 * n : first + 2 * n + 2])
        try:
            yield _row(pages, page, kind, at)
        except UNREADABLE:
            yield None


def _row(pages: Pages, page: bytes, kind: int, at: int) -> tuple[Any, ...]:
    """Return the row of a cell; a match's row begins with its number."""
    if kind == INDEX_INNER:
        at += 4
    size, at = _number(page, at)
    key, at = _number(page, at) if kind == TABLE_LEAF else (0, at)
    if size > SIZE * len(pages.versions):
        raise ValueError("a row longer than the file")
    here = size
    if size > LARGEST[kind]:
        here = LEAST + (size - LEAST) % (SIZE - 4)
        here = here if here <= LARGEST[kind] else LEAST
    payload = page[at : at + here]
    if len(payload) < here:
        raise IndexError("a row that leads off its page")
    if here < size:
        (more,) = WORD.unpack(page[at + here : at + here + 4].ljust(4, b"\0"))
        payload += pages.overflow(more, size - here)
    row = _values(payload)
    if len(row) not in (MATCH, RECORD, KEPT) or (kind == TABLE_LEAF) != (len(row) == MATCH):
        raise ValueError("no row of ours")
    return (key, *row[1:]) if kind == TABLE_LEAF else row


def _values(payload: bytes) -> tuple[Any, ...]:
    """Return the values of a row."""
    until, at = _number(payload, 0)
    kinds = []
    while at < until:
        kind, at = _number(payload, at)
        kinds.append(kind)
    found: list[Any] = []
    for kind in kinds:
        if kind in INTEGERS:
            found.append(INTEGERS[kind])
            continue
        width = WIDTHS[kind] if kind in WIDTHS else (kind - 12) // 2
        value = payload[at : at + width]
        if kind in (7, 10, 11) or len(value) < width:
            raise ValueError("no value of ours")
        at += width
        if kind in WIDTHS:
            found.append(int.from_bytes(value, signed=True))
        else:
            found.append(value.decode() if kind % 2 else value)
    return tuple(found)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a variable-length integer and the offset after it."""
    value = 0
    for n in range(9):
        byte = data[at + n]
        if n == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 127
        if byte < 128:
            return value, at + n + 1
    raise AssertionError("nine bytes end every number")
