"""Tables for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""How a text begins that a spreadsheet may run as a formula (OWASP, CSV Injection)."""


def rows_to_csv(heads: Sequence[str], rows: Iterable[Sequence[str | int]]) -> bytes:
    """Return a table as CSV in UTF-8, with the mark by which spreadsheets know it, and without any formula."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([[_harmless(cell) for cell in row] for row in [heads, *rows]])
    return text.getvalue().encode("utf-8-sig")


def _harmless(cell: str | int) -> str | int:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
