"""The text and the rows of a list of players: find its encoding and its column separator.

Guessing programs fail on such short lists: charset-normalizer 3.5 reads a French list in Windows-1252 as "Thérčse", and
`csv.Sniffer` splits plain names at a space. So we find every encoding that gives likely names and let somebody who
knows the people choose; the separator is the one in most rows.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import regex

MOST_BYTES = 1024 * 1024
"""Maximum size of a list; 2,000 names of 40 characters need less than half of it."""
WESTERN = "cp1252"
ENCODINGS = (
    WESTERN, "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "mac_roman", "cp932", "gb18030", "big5",
    "cp949",
)  # fmt: skip
"""Encodings of spreadsheets without Unicode, on Windows and on older Macintoshes."""
DELIMITERS = "\t;|,"
BINARY = regex.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
SEPARATOR_LINE = regex.compile(r'"?sep=(.)"?', regex.IGNORECASE)
TURNED = regex.compile(r"([^,\d]*\p{L}[^,\d]*),\s+(\p{L}[^,\d]*)")
"""A family name, a comma and a given name in one cell."""
SCRIPTS = regex.compile(
    r"(?P<latin>\p{Latin})|(?P<greek>\p{Greek})|(?P<cyrillic>\p{Cyrillic})|(?P<hebrew>\p{Hebrew})|(?P<arabic>\p{Arabic})"
    r"|(?P<korean>\p{Hangul})|(?P<eastern>[\p{Han}\p{Hiragana}\p{Katakana}])"
)
UNLIKELY = regex.compile(
    r"\p{L}[^\p{L}\p{M}\p{N}\x00-\x7f’‘·・]|[^\p{L}\p{M}\p{N}\x00-\x7f’‘“„«]\p{L}|[\uff61-\uff9f\p{Co}]"
    r"|\p{Ll}(?=[^\x00-\x7f])\p{Lu}"
)
"""A symbol within a word, a half-width or private letter, an accented capital after a small letter."""


class PlayerListError(ValueError):
    """An unusable list. `key` is the sentence's key in the words, `fields` are the sentence's fields."""

    def __init__(self, key: str, **fields: object) -> None:
        self.key, self.fields = key, fields
        super().__init__(f"{key} {fields}")


class Row(NamedTuple):
    """A row of a list, with the number of its first line."""

    line: int
    cells: list[str]


def readings(data: bytes) -> dict[str, str]:
    """Return a list's text in every possible encoding, or in only one if its bytes reveal it."""
    if len(data) > MOST_BYTES:
        raise PlayerListError("hall.fault.list_large", most=MOST_BYTES // 1024)
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    unmarked = ("utf-16-le", "utf-16-be") if b"\0" in data else ENCODINGS
    for encodings in (("utf-16",) if marked else ("utf-8-sig",), () if marked else unmarked):
        found = {encoding: text for encoding in encodings if (text := _decoded(data, encoding)) is not None}
        if found:
            return found
    raise PlayerListError("hall.fault.list_binary")


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if BINARY.search(text) else regex.sub(r"\r\n?", "\n", text)


def is_likely(names: Iterable[str]) -> bool:
    """Whether names look right: each word in one script, without symbols in it."""
    words = [word for name in names for word in name.split()]
    return not any(UNLIKELY.search(word) or len({m.lastgroup for m in SCRIPTS.finditer(word)}) > 1 for word in words)


def rows_of(text: str) -> tuple[list[Row], int]:
    """Return the non-empty rows of a list; raise `PlayerListError` for an unclosed quotation.

    A column of "Family, Given" becomes two, the given names first; return its number too, or -1.
    """
    lines = text.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    turned = [bool(TURNED.fullmatch(line.strip())) for line in lines if line.strip()]
    said = SEPARATOR_LINE.fullmatch(lines[first].strip())
    if said:
        lines[first] = ""
    delimiter = said[1] if said else "" if sum(turned) * 2 > len(turned) else _delimiter("\n".join(lines))
    if delimiter:
        return _parted(_table("\n".join(lines), delimiter))
    whole = [regex.sub(r'^\s*"(.*)"\s*$', lambda found: found[1].replace('""', '"'), line) for line in lines]
    return _parted([Row(number, [line]) for number, line in enumerate(whole, start=1) if line.strip(" \t;|,")])


def _delimiter(text: str) -> str:
    """Return the separator that splits most rows, preferably evenly; empty if half the rows have none."""
    best, most = "", (0, 0)
    for delimiter in DELIMITERS:
        widths = [len(row.cells) for row in _table(text, delimiter, check=False)]
        parted = Counter([width for width in widths if width > 1])
        score = (parted.total(), max(parted.values(), default=0))
        if score > most and parted.total() * 2 > len(widths) - (widths[0] > 1):
            best, most = delimiter, score
    return best


def _table(text: str, delimiter: str, check: bool = True) -> list[Row]:
    """Return a table's rows. Quotation marks within a cell are ordinary characters, as many programs write them."""
    found: list[Row] = []
    for strict in (True, False):
        reader, line, found = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict), 1, []
        try:
            for cells in reader:
                found += [Row(line, cells)] if any(cell.strip() for cell in cells) else []
                line = reader.line_num + 1
            break
        except csv.Error as error:
            if check and ("end of data" in str(error) or not strict):
                raise PlayerListError("hall.fault.list_table", line=line) from error
    return found


def _parted(rows: list[Row]) -> tuple[list[Row], int]:
    """Return rows with the first column of "Family, Given" split in two, and that column's number."""
    width = max([len(row.cells) for row in rows], default=0)
    judged = rows[1:] if width > 1 and len(rows) > 1 else rows  # skip the headings
    for column in range(width):
        cells = [cell for row in judged for cell in [each.strip() for each in row.cells[column : column + 1]] if cell]
        if sum(bool(TURNED.fullmatch(cell)) for cell in cells) * 2 > len(cells):
            return [Row(row.line, [*row.cells[:column], *_halves(row.cells, column)]) for row in rows], column
    return rows, -1


def _halves(cells: list[str], column: int) -> list[str]:
    """Return a row's cells from a column on, with that column split in two."""
    cell = cells[column] if column < len(cells) else ""
    turned = TURNED.fullmatch(cell.strip())
    return [*((turned[2], turned[1]) if turned else (cell, "")), *cells[column + 1 :]]
