"""Small games that show how a game is written, offered with `companion run --examples`.

May import mechanics and the engine.
"""
