"""Find the sound rows on a file's pages, even if the tree is damaged; a journal's checksums prove its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from struct import unpack
from typing import Any, NamedTuple
from zlib import crc32

from companion.journal.recovery.sqlite_pages import MAGIC, SIZE, WORD, Pages

Row = tuple[Any, ...]
Rows = list[Row]
INDEX_INNER, TABLE_INNER, INDEX_LEAF, TABLE_LEAF = 2, 5, 10, 13
"""Kinds of pages. SQLite stores tables WITHOUT ROWID as indexes, with rows on inner pages too."""
LARGEST = {INDEX_INNER: (SIZE - 12) * 64 // 255 - 23, INDEX_LEAF: (SIZE - 12) * 64 // 255 - 23, TABLE_LEAF: SIZE - 35}
"""The most bytes of a row that fit on the page itself."""
LEAST = (SIZE - 12) * 32 // 255 - 23
"""The fewest bytes of a longer row that stay on the page itself."""
INTEGERS = {0: None, 8: 0, 9: 1}
"""Types whose value takes no bytes."""
WIDTHS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of integers by type."""
REAL = 7
"""The type of a floating-point number."""
MATCH, RECORD, KEPT = 6, 8, 3
"""The number of columns of each table, which identifies its rows."""
UNREADABLE = (IndexError, ValueError)


class RecoveredRows(NamedTuple):
    """Rows of matches, records and kept values, ready to insert."""

    matches: Rows
    records: Rows
    kept: Rows


def checksum(*parts: object) -> int:
    """Return the checksum of a row's values."""
    return crc32("\x1f".join(map(str, parts)).encode(errors="surrogatepass"))


class Shape(NamedTuple):
    """The features of one table's rows. Each table of a file has a different number of columns.

    The first `key` columns identify a row. `numbered` rows lie on leaves of a table beside their row number; with
    `alias`, that is their first column. Rows of a `lasting` table are never changed or deleted, so old versions of a
    page are equally good.
    """

    columns: int
    key: int
    sound: Callable[[Row], bool]
    numbered: bool = False
    alias: bool = False
    lasting: bool = False


def recover_rows(file: Path, log: Path) -> RecoveredRows:
    """Return every row of a journal and its log that matches its checksum; raise `OSError` if they cannot be read."""
    matches, records, kept = recover_tables(file, log, JOURNAL)
    # The checksum does not cover `ended`.
    return RecoveredRows([(*row[:5], row[5] if isinstance(row[5], str) else None) for row in matches], records, kept)


def recover_tables(file: Path, log: Path, shapes: Sequence[Shape]) -> list[Rows]:
    """Return every sound row in a file and its log, by table, in order; raise `OSError` if they cannot be read.

    The latest version of a row counts. Older versions of a page count only if its latest one is damaged, or for
    `lasting` tables.
    """
    pages = Pages(file.read_bytes(), log.read_bytes() if log.exists() else b"")
    found: dict[Row, Row] = {}
    old: list[bytes] = []
    replaced: list[bytes] = []
    for latest, older in pages.in_order():
        (replaced if _collect(pages, latest, found, shapes) else old).extend(older)
    for page in old:
        _collect(pages, page, found, shapes)
    lasting = {shape.columns for shape in shapes if shape.lasting}
    for page in replaced:
        _collect(pages, page, found, shapes, lasting)
    return [[row for key, row in sorted(found.items()) if key[0] == shape.columns] for shape in shapes]


def _collect(
    pages: Pages, page: bytes, found: dict[Row, Row], shapes: Sequence[Shape], only: set[int] | None = None
) -> bool:
    """Add a page's new sound rows (with `only`, rows of that many columns); return whether all rows are sound."""
    whole = True
    by_columns = {shape.columns: shape for shape in shapes}
    try:
        for row in _rows(pages, page, shapes):
            shape = None if row is None else by_columns[len(row)]
            if row is None or shape is None or not shape.sound(row):
                whole = False
                continue
            if only is None or len(row) in only:
                found.setdefault((len(row), *row[: shape.key]), row)
    except UNREADABLE:
        return False
    return whole


def _sound(row: Row) -> bool:
    """Whether a row belongs to a journal table and matches its checksum."""
    kinds = tuple(map(type, row))
    if len(row) == RECORD:
        return kinds == (int, int, str, str, int, int, str, int) and row[-1] == checksum(*row[:-1])
    if len(row) == MATCH:
        return kinds[:5] == (int, str, str, str, int) and row[4] == checksum(*row[:4])
    return kinds == (str, bytes, int) and row[2] == crc32(row[1])


JOURNAL = (
    Shape(MATCH, 1, _sound, numbered=True, alias=True, lasting=True),
    Shape(RECORD, 2, _sound),
    Shape(KEPT, 1, _sound),
)


def _rows(pages: Pages, page: bytes, shapes: Sequence[Shape] = JOURNAL) -> Iterator[Row | None]:
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
            yield _row(pages, page, kind, at, shapes)
        except UNREADABLE:
            yield None


def _row(pages: Pages, page: bytes, kind: int, at: int, shapes: Sequence[Shape]) -> Row:
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
    for shape in shapes:
        if len(row) == shape.columns and (kind == TABLE_LEAF) == shape.numbered:
            return (key, *row[1:]) if shape.alias else row
    raise ValueError("no row of ours")


def _values(payload: bytes) -> Row:
    until, at = _number(payload, 0)
    kinds = []
    while at < until:
        kind, at = _number(payload, at)
        kinds.append(kind)
    found: list[object] = []
    for kind in kinds:
        if kind in INTEGERS:
            found.append(INTEGERS[kind])
            continue
        width = WIDTHS[kind] if kind in WIDTHS else 8 if kind == REAL else (kind - 12) // 2
        value = payload[at : at + width]
        if kind in (10, 11) or len(value) < width:
            raise ValueError("no value of ours")
        at += width
        if kind in WIDTHS:
            found.append(int.from_bytes(value, signed=True))
        elif kind == REAL:
            found.append(unpack(">d", value)[0])
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
