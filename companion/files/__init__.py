"""Files written as a whole, and files that strangers made.

May import nothing of the companion. Enter at `atomic.commit` and `untrusted.contents`.
"""
