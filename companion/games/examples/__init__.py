"""Small example games, offered with `companion run --examples`.

May import mechanics and the engine.
"""
