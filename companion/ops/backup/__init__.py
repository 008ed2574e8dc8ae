"""Back up everything that cannot be recreated in one file, and restore it.

May import match and below. Enter at `backup.make` and `restore.restore`.
"""
