"""A camera that reads without fault: what people laid on a table of any game, cards and pieces, told as it lies.

It sees no pixels: each card keeps its outline, as on a real table; in a row the others close up.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from companion.demo.acts import MoveCard
from companion.demo.physical_table import Card, PhysicalTable
from companion.engine import COLOURS, Place
from companion.engine.layout import ON_BOARD
from companion.messages import CellSighting, Sighted, Sighting

CARD = (60.0, 90.0)
STEP = 70.0
"""Millimetres between the outlines of a place."""


class Told(PhysicalTable):
    """What lies there, and what is seen of it."""

    def __init__(self, places: Iterable[Place]) -> None:
        super().__init__(places)
        self.number = 0
        self._outlines: dict[str, list[tuple[int, Card]]] = {name: [] for name in self.places}

    def seen(self) -> Sighted:
        """Return what a camera sees now."""
        self.number += 1
        found = [
            Sighting(place, card if face == "up" else None, at, face, 1.0, corners=_outline(row, at))
            for row, place in enumerate(self.places)
            if not place.startswith(ON_BOARD)
            for at, (card, face) in self._lies(place)
        ]
        cells = [
            CellSighting(place.removeprefix(ON_BOARD), tuple([_by_colour(piece) for piece, _ in here]))
            for place, here in self.cards.items()
            if place.startswith(ON_BOARD)
        ]
        return Sighted(self.number, self.number, tuple(found), cells=tuple(cells))

    def do(self, moved: MoveCard) -> None:
        """Take note of one move; raise a `ValueError` where there is no room for another card."""
        super().do(moved)
        if moved.place and len(self.cards[moved.place]) > self.places[moved.place].most:
            raise ValueError(f"There is no room for {moved.card or 'another card'} at {moved.place}.")

    def _lies(self, place: str) -> list[tuple[int, Card]]:
        """Return the cards of a place, each with its outline; in a row what lies face down is the first."""
        left = list(self.cards[place])
        if self.places[place].kind == "row":
            return list(enumerate(sorted(left, key=lambda card: card[1] != "down")))
        stay: list[tuple[int, Card]] = []
        for at, card in self._outlines[place]:
            if card in left:
                left.remove(card)
                stay.append((at, card))
        taken = {at for at, _ in stay}
        free = (at for at in count() if at not in taken)
        self._outlines[place] = sorted(stay + [(next(free), card) for card in left])
        return self._outlines[place]


def _by_colour(piece: str) -> str:
    """Return a piece's name as a camera tells it: `cube.red` for `cube.1`. The seats have the usual colours."""
    kind, dot, number = piece.partition(".")
    return f"{kind}.{COLOURS[int(number) - 1]}" if dot else kind


def _outline(row: int, at: int) -> tuple[tuple[float, float], ...]:
    """Return the corners of a card, clockwise from its upper left, in millimetres."""
    (width, height), x, y = CARD, at * STEP, row * 2 * STEP
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
