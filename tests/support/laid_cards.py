"""Cards of Take a Train on a table as people lay them, and what a camera that reads without fault would say of them.

Trains may lie in another order than the rules count them.
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
    """What lies on the table of a match for so many players. `order` says where each seat's trains really lie."""

    def __init__(self, players: int, order: tuple[int, int, int] = (0, 1, 2)) -> None:
        super().__init__(GAME.places(players))
        self.order = order

    def real(self, name: str) -> str:
        """Return where a place of the rules really lies."""
        if not name.startswith("seat."):
            return name
        start, _, train = name.rpartition(".")
        return f"{start}.{self.order[int(train) - 1] + 1}"

    def lay(self, place: str, card: str) -> None:
        """Lay a card down at the first free spot of a place."""
        self.do(MoveCard(card, "", place))

    def take(self, place: str, card: str) -> None:
        """Take a card away; in a row the others close up."""
        self.do(MoveCard(card, place, ""))

    def follow(self, layout: Layout) -> None:
        """Move as few cards as it takes to have the table as the rules say."""
        for moved in self.moves(Layout({self.real(name): spot for name, spot in layout.spots.items()})):
            self.do(moved)

    def play(self, before: State[Any], event: Event, after: State[Any]) -> Iterator[Sighted]:
        """Do with the cards what an event says, and yield what is seen each time that the table is at rest."""
        if isinstance(event, ev.TwistRevealed):
            self.order = (0, 1, 2)  # three cards of one seat have no order but the one in which they lie
        for layout in (*GAME.resting_layouts(before, event, after), GAME.layout(after)):
            self.follow(layout)
            yield self.seen()
