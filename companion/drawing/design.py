"""A printable deck: every card as marks in millimetres, its number of copies, and its back."""

from __future__ import annotations

import msgspec

from companion.drawing.shapes import Contour, Drawing, Mark, transform

BLEED = 3.0
"""The bleed of a card, in millimetres: the most of it that printing may show."""


TOKEN_BLEED = 1.5
"""The bleed of a token, in millimetres: printers may shift the other face by up to a millimetre."""


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
    """The other face; if empty, the same as `face`."""
    back: str = ""
    """The name of the other face if it does not show what the token is, such as `back-purpose`."""


class Design(msgspec.Struct, frozen=True):
    """A deck of a game as it is printed."""

    game: str
    width: float
    height: float
    faces: dict[str, tuple[Mark, ...]]
    """Every card and every back by its name in the catalogue; (0, 0) is the card's upper left corner."""
    counts: dict[str, int]
    """The number of copies of each card, without backs."""
    backs: dict[str, str]
    """The name of each card's back."""

    def drawing(self, name: str, bleed: float = 0.0) -> Drawing:
        """Return a card with this much bleed."""
        marks = transform(self.faces[name], bleed, bleed) if bleed else self.faces[name]
        return Drawing(self.width + 2 * bleed, self.height + 2 * bleed, marks)
