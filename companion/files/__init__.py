"""Write several files as one, and read files from strangers.

May import nothing of the companion. Enter at `atomic_file`, `atomic_folder` and `untrusted`.
"""
