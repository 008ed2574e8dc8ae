"""The drawn tokens of Take a Train.

May import drawing and the game's data. Enter at `token_designs`.
"""

from companion.games.take_a_train.token_art.designs import token_designs

__all__ = ["token_designs"]
