"""The drawn cards of Game of Trains.

May import the game and companion.drawing. Enter at `design`.
"""

from companion.games.game_of_trains.deck.faces import design, scenes

__all__ = ["design", "scenes"]
