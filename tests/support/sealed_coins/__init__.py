"""A game for tests: players open fists of coins together, and a camera counts the coins they laid down.

May import mechanics and the engine. Enter at `rules.RULES`.
"""
