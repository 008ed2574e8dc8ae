"""Recovers readable rows from a damaged journal file and its log, without SQLite.

May import nothing else of the project. Enter at `rows.recover_tables`.
"""

from companion.journal.recovery.rows import RecoveredRows as RecoveredRows
from companion.journal.recovery.rows import Rows as Rows
from companion.journal.recovery.rows import Shape as Shape
from companion.journal.recovery.rows import checksum as checksum
from companion.journal.recovery.rows import recover_rows as recover_rows
from companion.journal.recovery.rows import recover_tables as recover_tables
from companion.journal.recovery.sqlite_pages import INDEX_AT as INDEX_AT
from companion.journal.recovery.sqlite_pages import has_lost_commits as has_lost_commits
