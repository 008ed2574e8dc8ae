"""Recovers readable rows from a damaged journal file and its log, without SQLite.

May import nothing else of the project. Enter at `rows.salvaged`.
"""

from companion.journal.recovery.pages import INDEX_AT, overlooked
from companion.journal.recovery.rows import RecoveredRows, Rows, checksum, salvaged

__all__ = ["INDEX_AT", "RecoveredRows", "Rows", "checksum", "overlooked", "salvaged"]
