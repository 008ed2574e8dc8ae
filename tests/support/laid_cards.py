"""Cards of Take a Train on a table as people lay them, and the readings of a camera without errors.

The trains may lie in another order than the rules have.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.demo.acts import MoveCard
from companion.engine import Event, Layout, State
from companion.games import SEEN
from companion.games.take_a_train import events as ev
from companion.messages import Sighted
from tests.support.faultless_camera import Told

GAME = SEEN["take-a-train"]


class Lying(Told):
    """The contents of a match's table. `order` is the real positions of each seat's trains."""

    def __init__(self, players: int, order: tuple[int, int, int] = (0, 1, 2)) -> None:
        super().__init__(GAME.places(players))
        self.order = order

    def real(self, name: str) -> str:
        """Return the real place for a place of the rules."""
        if not name.startswith("seat."):
            return name
        start, _, train = name.rpartition(".")
        return f"{start}.{self.order[int(train) - 1] + 1}"

    def lay(self, place: str, card: str) -> None:
        """Lay a card at the first free spot of a place."""
        self.do(MoveCard(card, "", place))

    def take(self, place: str, card: str) -> None:
        """Remove a card; the rest of a row closes up."""
        self.do(MoveCard(card, place, ""))

    def follow(self, layout: Layout) -> None:
        """Move as few cards as possible to match the rules."""
        for moved in self.moves(Layout({self.real(name): spot for name, spot in layout.spots.items()})):
            self.do(moved)

    def play(self, before: State[Any], event: Event, after: State[Any]) -> Iterator[Sighted]:
        """Carry out an event with the cards, and yield a reading each time the table is at rest."""
        if isinstance(event, ev.TwistRevealed):
            self.order = (0, 1, 2)  # only their positions give three cards of one seat an order
        for layout in (*GAME.resting_layouts(before, event, after), GAME.layout(after)):
            self.follow(layout)
            yield self.seen()
