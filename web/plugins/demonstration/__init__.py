"""A table that plays itself: its command, its programs, its stage, and the way to it. Enter at `plugin`.

May import companion.demo.
"""
