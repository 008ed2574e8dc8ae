"""Small tools for threads: an inbox, a worker, listeners.

May import nothing of the companion.
"""
