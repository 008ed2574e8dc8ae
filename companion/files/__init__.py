"""Writing several files as one, and reading files made by strangers.

May import nothing of the companion. Enter at `atomic_file`, `atomic_folder` and `untrusted`.
"""
