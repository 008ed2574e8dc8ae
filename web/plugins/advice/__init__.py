"""Advice for seats with the host's permission, computed in a separate process.

May import `companion` and the pages of a table. Enter at `plugin.plugin`.
"""
