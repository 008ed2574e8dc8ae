"""Advice for seats whose host allows it, computed in a process of its own.

May import `companion` and the pages of a table. Enter at `plugin.plugin`.
"""
