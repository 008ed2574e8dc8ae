"""Small tools for threads: a queue, a worker, listeners.

May import nothing of the companion.
"""
