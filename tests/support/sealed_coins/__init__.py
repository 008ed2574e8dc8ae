"""A game for tests: fists of coins open together, and a camera counts the coins laid down.

May import mechanics and the engine. Enter at `rules.RULES`.
"""
