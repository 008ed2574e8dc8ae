"""A camera without errors at a table of any game: it reads cards and pieces as they lie."""

from __future__ import annotations

from companion.engine import COLOURS, AnySeenGame, Layout, Setup, Spot
from companion.engine.board import board_of
from companion.messages import CellSighting, Sighted, Sighting

STEP = 70.0
"""The distance between two outlines in millimetres."""


class PerfectSight:
    """A camera over all places of a table and all cells of its board. The seats have their usual colours."""

    def __init__(self, game: AnySeenGame, players: int) -> None:
        self.places = tuple([place.name for place in game.places(players) if place.kind != "pile"])
        self.board = board_of(game, game.begin(Setup(game.name, players, deck="ours")))
        self.lies = Layout({})
        self.unsure: dict[str, tuple[tuple[str, ...], ...]] = {}
        """The cells that the camera reads with doubt, each with its possible pieces."""
        self.number = 0

    def lay(self, layout: Layout) -> tuple[Sighted, ...]:
        """Lay a layout's cards; the other places keep theirs. No hand pauses over the table."""
        self.lies = Layout(self.lies.spots | layout.spots, pieces=layout.pieces)
        return ()

    def read(self) -> Sighted:
        """Return the camera's reading of the table."""
        self.number += 1
        found = [sighting for row, place in enumerate(self.places) for sighting in self._cards(row, place)]
        cells = self.board.cells if self.board is not None else ()
        seen = [
            CellSighting(cell.name, choices=self.unsure[cell.name])
            if cell.name in self.unsure
            else CellSighting(cell.name, self._pieces(cell.name))
            for cell in cells
        ]
        return Sighted(self.number, self.number, tuple(found), cells=tuple(seen))

    def _cards(self, row: int, place: str) -> list[Sighting]:
        found = []
        spot = self.lies.spots.get(place, Spot())
        for at, card in enumerate((*[None] * spot.down, *spot.up)):
            x, y = at * STEP, row * 2 * STEP
            corners = ((x, y), (x + 60, y), (x + 60, y + 90), (x, y + 90))
            found.append(Sighting(place, card, at, "up" if card else "down", 1.0, corners=corners))
        return found

    def _pieces(self, cell: str) -> tuple[str, ...]:
        pieces = self.lies.pieces.get(cell, ())
        return tuple([p.kind if p.owner is None else f"{p.kind}.{COLOURS[p.owner]}" for p in pieces])
