"""Hex Rails: seats lay cubes on a map, each next to their own; the most expensive line wins."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from companion.engine import (
    CellName,
    Choice,
    CostItem,
    Edge,
    Event,
    EventFacts,
    Layout,
    Offer,
    Piece,
    Place,
    Reason,
    Refusal,
    Seat,
    SeatEvent,
    Setup,
    State,
    Step,
    Turn,
    begin,
    by_cell,
    hex_board,
)
from companion.mechanics.plain import PlainGame

BOARD = hex_board(
    "valley",
    ("rfmmfc", "ffcfmf", "mfffss", "fcmfsr"),
    kinds={"f": "field", "m": "mountain", "c": "city", "s": "sea", "r": "remote"},
    cells={
        "A1": {"label": "Fukui", "figure": "4"},
        "A6": {"label": "Kyoto", "sites": 3},
        "B3": {"label": "Otsu", "sites": 2},
        "D2": {"label": "Nara", "sites": 1},
        "D6": {"label": "Awaji", "figure": "5"},
    },
    edges=(
        Edge(("B1", "B2"), "river"),
        Edge(("A2", "B2"), "river"),
        Edge(("A3", "B2"), "river"),
        Edge(("C3", "C4"), "barrier", passable=False),
    ),
)
COSTS = {"mountain": 2, "city": 1, "remote": 4}
ROUNDS = 6
NOT_THERE = Reason("R-02", "not_there", "cell")


class Laid(SeatEvent, frozen=True):
    """A seat laid a cube."""

    facts = EventFacts(observed=False, hosts=True, amendable=True)

    cell: CellName


class Rested(SeatEvent, frozen=True):
    """A seat passed."""

    facts = EventFacts(observed=False, hosts=True)


class Table(msgspec.Struct, frozen=True):
    """The cubes on the map, and the number of turns taken."""

    players: int
    pieces: tuple[Piece, ...] = ()
    spent: tuple[int, ...] = ()
    turns: int = 0


def price(table: Table, seat: Seat, cell: str) -> tuple[CostItem, ...]:
    """Return the price of a cube: for terrain, for crossing a river, and for others' cubes there with their waste."""
    kind = BOARD.by_name[cell].kind
    own = {piece.cell for piece in table.pieces if piece.owner == seat}
    ways = [other for other in BOARD.neighbours(cell) if other in own]
    others = sum(piece.cell == cell for piece in table.pieces)
    items = [CostItem(kind, COSTS[kind])] if kind in COSTS else []
    if ways and all("river" in BOARD.edge_kinds(cell, other) for other in ways):
        items.append(CostItem("river", 1))
    if others:
        items += [CostItem("others", others), CostItem("waste", 1, "waste")]
    return tuple(items)


def open_cells(table: Table, seat: Seat) -> tuple[str, ...]:
    """Return the cells on which a seat may lay a cube."""
    own = {piece.cell for piece in table.pieces if piece.owner == seat}
    return tuple(
        [
            cell.name
            for cell in BOARD.cells
            if cell.kind != "sea"
            and cell.name not in own
            and (own.intersection(cell.neighbours) or not own)
            and (own or not any(piece.cell == cell.name for piece in table.pieces))
        ]
    )


class Lay(Step[Table], frozen=True):
    """A seat lays a cube, or passes."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer every open cell."""
        cells = open_cells(table, self.seat)
        return (Choice(self.seat, (*[Laid(self.seat, CellName(cell)) for cell in cells], Rested(self.seat))),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Lay the cube, and go on to the next seat."""
        spent = table.spent or (0,) * table.players
        if isinstance(event, Laid):
            cost = sum(item.amount for item in price(table, event.seat, event.cell) if not item.unit)
            spent = tuple([each + cost * (seat == event.seat) for seat, each in enumerate(spent)])
            table = replace(table, pieces=(*table.pieces, Piece("cube", event.seat, event.cell)))
        table = replace(table, turns=table.turns + 1, spent=spent)
        left = table.turns < ROUNDS * table.players
        return table, (Lay(Seat((self.seat + 1) % table.players)),) if left else (), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return the refusal that no cube may lie there."""
        return NOT_THERE(cell=event.cell) if isinstance(event, Laid) else None


class View(msgspec.Struct, frozen=True):
    """A view of everything: nothing is secret."""

    moment: str
    awaited: tuple[Seat, ...]
    chance: bool
    spent: tuple[int, ...]
    offers: tuple[Offer, ...]


class HexRails(PlainGame[Table]):
    """The rules."""

    name = "hex-rails"
    seats = range(2, 5)
    events: Any = Laid | Rested
    boards = (BOARD,)

    def begin(self, setup: Setup) -> State[Table]:
        """Return the empty map."""
        return begin(self, Table(len(setup.seated())), (Lay(Seat(0)),))

    def view(self, state: State[Table], seat: Seat | None) -> View:
        """Return a seat's view."""
        head = state.agenda[0] if state.agenda else None
        offers = head.legal(state.table) if head else ()
        own = tuple([offer for offer in offers if seat is not None and offer.by == seat])
        return View("lay" if head else "over", head.awaits(state.table) if head else (), False, state.table.spent, own)

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return the money that every seat spent."""
        return state.table.spent or (0,) * state.table.players

    def winners(self, state: State[Table]) -> tuple[Seat, ...]:
        """Return the seats that spent most."""
        scores = self.scores(state)
        return () if state.agenda else tuple([Seat(s) for s, score in enumerate(scores) if score == max(scores)])

    def reveals(self, event: Event, after: State[Table]) -> bool:
        """Return False: nothing is hidden."""
        return False

    def cost(self, state: State[Table], event: Event) -> tuple[CostItem, ...]:
        """Return the price of a cube."""
        return price(state.table, event.seat, event.cell) if isinstance(event, Laid) else ()

    def places(self, players: int) -> tuple[Place, ...]:
        """Return no places: there are no cards."""
        return ()

    def layout(self, state: State[Table]) -> Layout:
        """Return where the cubes stand."""
        return Layout({}, pieces=by_cell(state.table.pieces))

    def candidate_events(self, state: State[Table], said: Layout, seen: Layout) -> list[Event]:
        """Return the cubes that the camera can see and that nobody has entered yet."""
        added = [(piece.owner, piece.cell) for piece in said.added_pieces(seen)]
        laid: list[Event] = [Laid(owner, CellName(cell)) for owner, cell in added if owner is not None]
        return [*laid, *[Rested(seat) for seat in state.agenda[0].awaits(state.table)]]


RULES = HexRails()
