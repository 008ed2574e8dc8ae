"""One file with everything that cannot be made again, and its way back.

May import match and below. Enter at `backup.make` and `restore.restore`.
"""
