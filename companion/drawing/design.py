"""A printable deck: every card as marks in millimetres, how many of each, and which back it has."""

from __future__ import annotations

import msgspec

from companion.drawing.shapes import Contour, Drawing, Mark, transform

BLEED = 3.0
"""How far a card's art reaches over its edges, in millimetres: the most that printing may show of it."""


TOKEN_BLEED = 1.5
"""How far a token's art reaches over its outline, in millimetres: printers put other faces up to a millimetre off."""


class DrawError(ValueError):
    """A deck cannot be drawn; the message is a sentence for people."""


class TokenDesign(msgspec.Struct, frozen=True):
    """One kind of token as it is printed. (0, 0) is its middle."""

    name: str
    outline: Contour
    """In millimetres, clockwise: a circle's as `circle` gives it, or any other."""
    face: tuple[Mark, ...]
    count: int
    other: tuple[Mark, ...] = ()
    """The other face; empty: like `face`."""
    back: str = ""
    """The name of the other face where it does not show what the token is, such as `back-purpose`."""


class Design(msgspec.Struct, frozen=True):
    """A deck of a game as it is printed."""

    game: str
    width: float
    height: float
    faces: dict[str, tuple[Mark, ...]]
    """Every card and every back by its name in the catalogue; (0, 0) is the card's upper left corner."""
    counts: dict[str, int]
    """How many of a card there are; backs are not in it."""
    backs: dict[str, str]
    """The name of each card's back."""

    def drawing(self, name: str, bleed: float = 0.0) -> Drawing:
        """Return a card with so much of its art beyond each edge."""
        marks = transform(self.faces[name], bleed, bleed) if bleed else self.faces[name]
        return Drawing(self.width + 2 * bleed, self.height + 2 * bleed, marks)
