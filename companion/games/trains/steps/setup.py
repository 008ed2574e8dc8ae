"""The set-up: the kingdom, the first player, the first hands and the first cubes (R-02 to R-05)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from companion.engine import CellName, Choice, Event, Luck, Offer, Part, Refusal, Seat, Step, Turn
from companion.games.trains import events as ev
from companion.games.trains import refusals
from companion.games.trains.catalogue import KINGDOM
from companion.games.trains.steps.draws import DrawCards
from companion.games.trains.steps.turn import Act
from companion.games.trains.table import HAND, Table
from companion.mechanics.pool import ChanceOffer, sample
from companion.mechanics.seating import clockwise, with_value
from companion.mechanics.steps import FirstPlayer

NEVER = ("sea", "remote")
"""Terrains closed to first cubes (R-05)."""


class Kingdoms(ChanceOffer, frozen=True, gc=False):
    """Chance: eight different kinds out of those that may be for sale (R-02)."""

    kinds: tuple[str, ...]
    kind: ClassVar[type[Event]] = ev.KingdomDrawn

    def parts(self) -> tuple[Part, ...]:
        """Return the kinds to choose from, for people who drew their own preparation cards."""
        return (Part("cards", self.kinds, KINGDOM, KINGDOM, many=True),)

    def __contains__(self, event: object) -> bool:
        if type(event) is not ev.KingdomDrawn:
            return False
        return len(event.cards) == len(set(event.cards)) == KINGDOM and set(event.cards) <= set(self.kinds)

    def pick(self, luck: Luck) -> Event:
        return ev.KingdomDrawn(sample(self.kinds, KINGDOM, luck))


class DrawKingdom(Step[Table], frozen=True):
    """Chance: the preparation cards choose the kinds for sale (R-02, A-14)."""

    kinds: tuple[str, ...]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        return (Kingdoms(self.kinds),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        assert isinstance(event, ev.KingdomDrawn)
        return replace(table, supply=table.supply | {card: table.card(card).count for card in event.cards}), (), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.KINGDOM(count=KINGDOM) if isinstance(event, ev.KingdomDrawn) else None


class NameFirst(FirstPlayer[Table], frozen=True):
    """Chance: the seat whose player was on a train most recently begins (R-04)."""

    kind: ClassVar = ev.FirstNamed

    def players(self, table: Table) -> int:
        return table.fixed.players

    def named(self, table: Table, seat: Seat) -> Turn[Table]:
        """Deal everybody a hand, and let everybody place a cube, clockwise."""
        seats = tuple(clockwise(seat, table.fixed.players))
        return (
            replace(table, first=seat, turn=seat),
            (*[DrawCards(each, HAND) for each in seats], PlaceStart(seats)),
            (),
        )


def start_refusal(table: Table, cell: str) -> Refusal | None:
    """Return why nobody can begin on a cell, None if it is allowed (R-05)."""
    place = table.board.by_name.get(cell)
    if place is None:
        return refusals.NO_SUCH_CELL_R05(cell=cell)
    water = (*NEVER, "river") if table.fixed.options.river_start == "no" else NEVER
    if place.kind in water:
        return (refusals.REMOTE if place.kind == "remote" else refusals.WATER)(cell=cell)
    return refusals.OCCUPIED(cell=cell) if table.on(cell) else None


class PlaceStart(Step[Table], frozen=True):
    """The seats place their first cubes in turn, free of charge (R-05)."""

    seats: tuple[Seat, ...]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        seat = self.seats[0]
        cells = [cell.name for cell in table.board.cells if start_refusal(table, cell.name) is None]
        return (Choice(seat, tuple([ev.StartPlaced(seat, CellName(cell)) for cell in cells])),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Place it; after the last one the first turn begins."""
        assert isinstance(event, ev.StartPlaced)
        table = replace(table, rails=with_value(table.rails, event.seat, (event.cell,)))
        if self.seats[1:]:
            return table, (PlaceStart(self.seats[1:]),), ()
        return table, (Act(table.first),), (ev.TurnBegan(table.first),)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if isinstance(event, ev.StartPlaced) and event.seat == self.seats[0]:
            return start_refusal(table, event.cell)
        return super().explain(table, event)
