"""Tables as text files for spreadsheets: CSV in UTF-8, safe from formula injection.

Spreadsheets read such a file by their locale: where decimals use a comma, a semicolon separates cells.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from fractions import Fraction

from babel.numbers import get_decimal_symbol

BOM = "\ufeff"
"""Tells spreadsheets that the file is UTF-8."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Prefixes of a text that a spreadsheet may run as a formula, or skip before one (OWASP, CSV Injection)."""
APOSTROPHE = "'"
"""Prefix that turns such a cell into text."""
Cell = str | int | Fraction | None
Cells = Sequence[Cell]


def plain_cell(value: Cell, lang: str) -> str | int:
    """Return a cell for a file: fractions have two decimals, and texts that look like formulas are escaped."""
    if value is None:
        return ""
    if isinstance(value, Fraction):
        return f"{float(value):.2f}".removesuffix(".00").replace(".", get_decimal_symbol(lang))
    return APOSTROPHE + value if isinstance(value, str) and value.startswith(FORMULA) else value


def csv_text(rows: Iterable[Cells], lang: str) -> str:
    """Return a table with its headings in the first row."""
    out = io.StringIO()
    out.write(BOM)
    delimiter = ";" if get_decimal_symbol(lang) == "," else ","
    csv.writer(out, delimiter=delimiter).writerows([[plain_cell(cell, lang) for cell in row] for row in rows])
    return out.getvalue()


def tables_text(tables: Iterable[tuple[str, Iterable[Cells]]], lang: str) -> str:
    """Return tables below one another, each after its title and before an empty line."""
    return csv_text([row for title, rows in tables for row in ([title], *rows, ())], lang)
