"""A perfect camera for tests, which reports every card exactly where it lies."""

from __future__ import annotations

from companion.engine import Layout, Place, Spot
from companion.games.game_of_trains.rules import RULES
from companion.messages import Sighted, Sighting

STEP = 70.0
"""Distance between two outlines, in millimetres."""


class Perfect:
    """A table with all its places and the cards on them."""

    def __init__(self, players: int) -> None:
        self.places: dict[str, Place] = {each.name: each for each in RULES.places(players) if each.kind != "pile"}
        self.spots: dict[str, Spot] = {}
        self.number = 0

    def lay(self, layout: Layout) -> tuple[Sighted, ...]:
        """Lay the cards of a layout and leave all other places alone. Return no intermediate readings."""
        self.spots |= layout.spots
        return ()

    def put(self, place: str, *cards: str, unnamed: int = 0) -> None:
        """Replace the cards at one place."""
        self.spots[place] = Spot(cards, 0, unnamed)

    def read(self) -> Sighted:
        """Return a reading of the whole table."""
        self.number += 1
        found: list[Sighting] = []
        for row, name in enumerate(self.places):
            spot = self.spots.get(name, Spot())
            cards: list[str | None] = [*spot.up, *[None] * spot.unnamed]
            assert len(cards) <= 12
            for at, card in enumerate(cards):
                x, y = at * STEP, row * 2 * STEP
                corners = ((x, y), (x + 60, y), (x + 60, y + 90), (x, y + 90))
                doubt = "" if card else "hidden"
                found.append(Sighting(name, card, at, "up", 1.0, doubt, (), corners))  # type: ignore[arg-type]
        return Sighted(self.number, self.number, tuple(found))
