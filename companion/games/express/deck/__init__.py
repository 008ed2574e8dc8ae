"""The drawn cards of Express.

May import the game and companion.drawing. Enter at `ART`.
"""

from companion.games.express.deck.faces import ART

__all__ = ["ART"]
