"""Recovers readable rows from a damaged journal file and its log, without SQLite.

May import nothing else of the project. Enter at `rows.recover_tables`.
"""

from companion.journal.recovery.rows import RecoveredRows, Rows, Shape, checksum, recover_rows, recover_tables
from companion.journal.recovery.sqlite_pages import INDEX_AT, has_lost_commits

__all__ = [
    "INDEX_AT", "RecoveredRows", "Rows", "Shape", "checksum", "has_lost_commits", "recover_rows", "recover_tables",
]  # fmt: skip
