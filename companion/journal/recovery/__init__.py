"""Reads whatever rows a damaged journal file and its log still hold, without SQLite."""

from companion.journal.recovery.pages import INDEX_AT, overlooked
from companion.journal.recovery.rows import RecoveredRows, Rows, checksum, salvaged

__all__ = ["INDEX_AT", "RecoveredRows", "Rows", "checksum", "overlooked", "salvaged"]
