"""One file with everything that cannot be recreated, and restoring from it.

May import match and below. Enter at `backup.make` and `restore.restore`.
"""
