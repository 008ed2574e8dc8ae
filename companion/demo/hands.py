"""Hands over a table: they move cards, remember their places, and straighten cards that the camera cannot name."""

from __future__ import annotations

from collections import Counter

from companion.demo.acts import HIDDEN, MoveCard
from companion.demo.http_world import HttpWorld
from companion.demo.physical_table import PhysicalTable
from companion.demo_records import PageState
from companion.engine import Layout

PUSHES = 3
"""The maximum number of times that cards are straightened for each event."""


class Hands:
    """The hands of all people in a world. `counts` has the keys moves, laid, put right and straightened."""

    def __init__(self, world: HttpWorld, lying: PhysicalTable, counts: Counter[str]) -> None:
        self.world, self.lying, self.counts = world, lying, counts
        self._last: MoveCard | None = None
        self._pushed = 0

    def begin(self) -> None:
        """Start the next event, after the companion has understood the last one's moves."""
        self._last, self._pushed = None, 0

    def move(self, moved: MoveCard) -> None:
        """Move a card."""
        self.world.move(moved)
        self.lying.do(moved)
        self._last = moved if moved.place and moved.card != HIDDEN else self._last
        self.counts["moves"] += 1
        self.counts["laid"] += bool(moved.place)

    def correct_table(self, layout: Layout) -> bool:
        """Put misplaced cards where they belong; return whether there were any."""
        if layout.loose or not self.lying.mismatched_places(layout):
            return False
        for moved in self.lying.moves(layout):
            self.move(moved)
        self.world.settle()
        self.counts["put right"] += 1
        return True

    def straighten(self, shown: PageState) -> bool:
        """Lay a card again: one that the camera cannot name, else the one moved last. Return whether there was one."""
        place, at = self._unclear(shown)
        if not place or self._pushed >= PUSHES:
            return False
        self._pushed += 1
        self.counts["straightened"] += 1
        row = self.lying.places[place].kind == "row"
        # with the cards under it
        relaid = self.lying.cards[place][at:] if row else [self.lying.cards[place][at]]
        for card, _ in reversed(relaid):
            self.move(MoveCard(card, place, ""))
        for card, face in relaid:
            self.move(MoveCard(card, "", place, face))
        self.world.settle()
        return True

    def _unclear(self, shown: PageState) -> tuple[str, int]:
        """Return the place of the card to lay again, and its position there; an empty place if there is none."""
        for place, named in shown.unread.items():
            left = Counter(named)
            for at, (card, face) in enumerate(self.lying.cards.get(place, ())):
                left[card] -= 1
                if face == "up" and left[card] < 0:
                    return place, at
        last = self._last
        if last is None or (last.card, last.face) not in self.lying.cards[last.place]:
            return "", 0
        return last.place, self.lying.cards[last.place].index((last.card, last.face))
