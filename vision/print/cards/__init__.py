"""Our own printable decks: how each card of a game looks.

May import print.drawing and companion.games. Enter at `design` (marks in millimetres) and `faces` (pixels).
"""

from vision.print.cards.decks import DESIGNS, design, faces
from vision.print.cards.design import Design, DrawError

__all__ = ["DESIGNS", "Design", "DrawError", "design", "faces"]
