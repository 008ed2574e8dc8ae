"""Our own printable decks: how each card of a game looks. Knows no camera.

`design(game, catalogue)` is a deck as marks in millimetres, `faces(game, scale)` its cards as pixels.
"""

from vision.print.cards.decks import DESIGNS, design, faces
from vision.print.cards.design import Design, DrawError

__all__ = ["DESIGNS", "Design", "DrawError", "design", "faces"]
