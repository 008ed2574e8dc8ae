"""Tables as text files for spreadsheets: CSV in UTF-8, in which no cell of text can pass for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

BOM = "\ufeff"
"""Tells spreadsheets that the file is UTF-8."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters with which spreadsheets take text for a formula, or skip to one."""
APOSTROPHE = "'"
"""Put before such text, it makes it text."""
Cells = Sequence[str | int | None]


def plain_cell(value: str | int | None) -> str | int:
    """Return a cell of a file: numbers as they are, text that could pass for a formula after an apostrophe."""
    if value is None:
        return ""
    return APOSTROPHE + value if isinstance(value, str) and value.startswith(FORMULA) else value


def csv_text(tables: Iterable[tuple[str, Iterable[Cells]]]) -> str:
    """Return tables below one another, each after its title and before an empty line."""
    out = io.StringIO()
    out.write(BOM)
    writer = csv.writer(out)
    for title, rows in tables:
        writer.writerow([plain_cell(title)])
        writer.writerows([[plain_cell(cell) for cell in row] for row in rows])
        writer.writerow([])
    return out.getvalue()
