"""Recover readable rows from a damaged journal file and its log, without SQLite.

May import nothing else of the project. Enter at `rows.recover_tables`.
"""
