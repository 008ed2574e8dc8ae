"""The drawn cards of Express.

May import the game and companion.drawing. Enter at `design`.
"""

from companion.games.express.deck.faces import SETS, design

__all__ = ["SETS", "design"]
