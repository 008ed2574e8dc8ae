"""The drawn cards of Trains.

May import the game and companion.drawing. Enter at `design`.
"""

from companion.games.trains.deck.faces import SETS, design, dividers, scenes

__all__ = ["SETS", "design", "dividers", "scenes"]
