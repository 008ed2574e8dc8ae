"""Names of a board's cells, as large as fits within their cells, on one or two lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from companion.engine import Cell

LARGEST = 0.5
"""The largest letters, relative to the inner radius of their cell."""
TOP = 0.82
"""How far above a cell's middle its name may start. The room below is for pieces and pictures."""
ROOM = 0.66
"""The most height for a name."""
CAPITAL, LINE = 0.7, 0.92
"""Cap height and line spacing, relative to the font size."""
WIDTHS = ((" '.Iijl", 0.24), ("-frt", 0.36), ("mwMW", 0.74), ("ABCDGHKNOPQRTUVXY&", 0.57))
"""Widths of unusually narrow or wide letters, relative to the font size."""
USUAL = 0.51
MARGIN = 0.93
"""The share of a cell's width that a name fills."""
LONGEST_WORD, BROKEN = 9, 0.85
"""The factor on the font size when a longer word is broken. A word is broken only for much larger letters."""
VOWELS = "aeiouyéèêàâîôûü"


class LabelMark(msgspec.Struct, frozen=True):
    """One line of a cell's name: its baseline and font size."""

    text: str
    y: float
    size: float


def label_marks(cell: Cell, text: str) -> tuple[LabelMark, ...]:
    """Return a cell's name in its upper half: the line break with the largest letters."""
    if not text:
        return ()
    size, lines = max([(fitting_size(cell, lines), lines) for lines in ways(text)], key=worth)
    up = first_baseline(size, len(lines))
    radius = cell.inner_radius
    return tuple([
        LabelMark(line, round(cell.y - (up - nth * LINE * size) * radius, 1), round(size * radius, 1))
        for nth, line in enumerate(lines)
    ])  # fmt: skip


def worth(way: tuple[float, tuple[str, ...]]) -> float:
    """Return the font size of a name, reduced if a word is broken."""
    size, lines = way
    return size * BROKEN if lines[0].endswith("-") else size


def ways(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the ways to set a name: on one line, broken at each space, or within one long word after a vowel."""
    yield (text,)
    words = text.split()
    yield from [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    if len(words) == 1 and len(text) > LONGEST_WORD:
        after = [n for n in range(3, len(text) - 2) if text[n - 1] in VOWELS and text[n] not in VOWELS]
        if after:
            at = min(after, key=lambda n: abs(n - len(text) / 2))
            yield (f"{text[:at]}-", text[at:])


def first_baseline(size: float, lines: int) -> float:
    """Return how far above a cell's middle a name's first line stands, in inner radii."""
    height = size * (CAPITAL + LINE * (lines - 1))
    return TOP - (ROOM - height) / 2 - CAPITAL * size if height < ROOM else TOP - CAPITAL * size


def fitting_size(cell: Cell, lines: Sequence[str]) -> float:
    """Return the largest font size at which all lines fit in a cell, in its inner radii."""
    size = min(LARGEST, ROOM / (CAPITAL + LINE * (len(lines) - 1)))
    while size > 0.1 and not fits(cell, lines, size):
        size -= 0.01
    return size


def letters_width(line: str) -> float:
    """Return the width of a line in the pages' bold letters, relative to the font size."""
    return sum([next((wide for letters, wide in WIDTHS if letter in letters), USUAL) for letter in line])


def fits(cell: Cell, lines: Sequence[str], size: float) -> bool:
    """Return whether lines of this size fit in a cell."""
    up, radius = first_baseline(size, len(lines)), cell.inner_radius
    for nth, line in enumerate(lines):
        base = up - nth * LINE * size
        wide = min(width_at(cell, -base * radius), width_at(cell, -(base + 0.6 * CAPITAL * size) * radius))
        if letters_width(line) * size * radius > wide * MARGIN:
            return False
    return True


def width_at(cell: Cell, down: float) -> float:
    """Return a cell's width, twice the shorter side from its middle, this far below its middle, in millimetres."""
    y = cell.y + down
    outline = cell.outline
    found = [
        abs(a + (b - a) * (y - v) / (w - v) - cell.x)
        for (a, v), (b, w) in pairwise((*outline, outline[0]))
        if v != w and min(v, w) <= y <= max(v, w)
    ]
    return 2 * min(found) if len(found) > 1 else 0.0
