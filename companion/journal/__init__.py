"""Durable records of every match, in one SQLite file.

May import the engine and top-level modules. Enter at `journal.Journal`.
"""
