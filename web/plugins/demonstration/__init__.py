"""A table that plays itself: its command, its programs, its stage, and the links to it. Enter at `plugin`.

May import companion.demo.
"""
