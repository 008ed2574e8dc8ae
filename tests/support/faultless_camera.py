"""A camera without errors: it reads the cards, pieces and tokens on the table of any game as they lie.

It processes no pixels. Each card keeps its outline, as on a real table; in a row the others close up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import count

from msgspec.structs import replace

from companion.demo.acts import MoveCard
from companion.demo.physical_table import Card, PhysicalTable
from companion.engine import COLOURS, Place
from companion.engine.layout import ON_BOARD
from companion.messages import CellSighting, Sighted, Sighting, TokenSighting

CARD = (60.0, 90.0)
STEP = 70.0
"""Millimetres between the outlines of a place."""


class Told(PhysicalTable):
    """The contents of the table, and the part of it that the camera can see."""

    def __init__(self, places: Iterable[Place], token_places: Iterable[str] = ()) -> None:
        super().__init__(places)
        self.number = 0
        self.token_places = tuple(token_places)
        self.readable: frozenset[str] = frozenset()
        """The places for tokens that may be read."""
        self.heaped: set[str] = set()
        """Places with overlapping tokens, of which the camera can name only some."""
        self._known: dict[str, tuple[str, ...]] = {}
        """Each place's contents at the last time the camera could read it."""
        self._outlines: dict[str, list[tuple[int, Card]]] = {name: [] for name in self.places}

    def seen(self, hidden: Collection[str] = ()) -> Sighted:
        """Return the camera's present reading; `hidden` places are covered."""
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
        return self._with_tokens(Sighted(self.number, self.number, tuple(found), cells=tuple(cells)), hidden)

    def _with_tokens(self, sighted: Sighted, hidden: Collection[str]) -> Sighted:
        """Add the visible tokens; of an unreadable place, report only whether a new token lies there."""
        uncovered = [place for place in self.token_places if place not in hidden]
        read = [place for place in uncovered if place in self.readable]
        black = [place for place in uncovered if place not in self.readable]
        lies = {place: self.tokens.get(place, ()) for place in self.token_places}
        self._known |= {place: lies[place] for place in read}
        return replace(
            sighted,
            tokens=tuple([each for place in read for each in self._tokens_at(place)]),
            token_places=tuple(read),
            open_hands=tuple([place for place in black if lies[place] and lies[place] != self._known.get(place, ())]),
            empty_places=tuple([place for place in black if not lies[place]]),
        )

    def _tokens_at(self, place: str) -> list[TokenSighting]:
        """Return the tokens of a place; the last one of a heap has no name."""
        found = [TokenSighting(place, token) for token in self.tokens.get(place, ())]
        return [*found[:-1], TokenSighting(place, None, "stacked")] if place in self.heaped else found

    def do(self, moved: MoveCard) -> None:
        """Carry out one move; raise a `ValueError` if there is no room for another card."""
        super().do(moved)
        if moved.place and len(self.cards[moved.place]) > self.places[moved.place].most:
            raise ValueError(f"There is no room for {moved.card or 'another card'} at {moved.place}.")

    def _lies(self, place: str) -> list[tuple[int, Card]]:
        """Return the cards of a place, each with its outline; in a row the face-down ones come first."""
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
    """Return a piece's name as a camera reports it: `cube.red` for `cube.1`. The seats have their usual colours."""
    kind, dot, number = piece.partition(".")
    return f"{kind}.{COLOURS[int(number) - 1]}" if dot else kind


def _outline(row: int, at: int) -> tuple[tuple[float, float], ...]:
    """Return the corners of a card, clockwise from its upper left, in millimetres."""
    (width, height), x, y = CARD, at * STEP, row * 2 * STEP
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
