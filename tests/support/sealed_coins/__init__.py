"""A game of the tests: fists full of coins open together, and a camera counts what is laid down.

May import mechanics and the engine. Enter at `rules.RULES`.
"""
