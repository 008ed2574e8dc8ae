"""The search for explanations distinguishes states that differ only in their steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from companion.engine import Choice, Event, Layout, Offer, Place, Seat, SeatEvent, Setup, Spot, State, Step, Turn, begin
from companion.mechanics.plain import OpenGame
from companion.sight.reconcile import reconcile

CARDS = ("crate-1", "crate-2", "crate-3")


class Named(SeatEvent, frozen=True):
    """A seat named the crate that it will lay."""

    card: str


class Laid(SeatEvent, frozen=True):
    """The named crate was laid."""


class Table(msgspec.Struct, frozen=True):
    """The crates in the row."""

    row: tuple[str, ...] = ()


class Name(Step[Table], frozen=True):
    """The step in which a seat names a crate."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer all crates."""
        return (Choice(Seat(0), tuple([Named(Seat(0), card) for card in CARDS])),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Continue with laying the named crate."""
        assert isinstance(event, Named)
        return table, (Lay(event.card),), ()


class Lay(Step[Table], frozen=True):
    """The step in which the named crate is laid."""

    card: str

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer to lay it."""
        return (Choice(Seat(0), (Laid(Seat(0)),)),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Put the crate into the row."""
        return Table((self.card,)), (), ()


class Naming(OpenGame[Table]):
    """The rules of a game in which a crate is named and then laid."""

    name = "naming"
    seats = range(1, 2)
    events: Any = Named | Laid

    def begin(self, setup: Setup) -> State[Table]:
        """Begin with naming."""
        return begin(self, Table(), (Name(),))

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return no points."""
        return (0,)

    def reveals(self, event: Event, after: State[Table]) -> bool:
        """Return False: nothing is revealed."""
        return False

    def places(self, players: int) -> tuple[Place, ...]:
        """Return the row as the only place."""
        return (Place("row.1", "spread", 3),)

    def layout(self, state: State[Table]) -> Layout:
        """Return the layout of the row."""
        return Layout({"row.1": Spot(state.table.row)})

    def candidate_events(self, state: State[Table], said: Layout, seen: Layout) -> Iterator[Event]:
        """Yield all names, and the laying."""
        yield from [Named(Seat(0), card) for card in CARDS]
        yield Laid(Seat(0))


def test_what_a_step_remembers_tells_states_apart() -> None:
    """The right name is found although all names leave the same table before the crate is laid."""
    game = Naming()
    found = reconcile(game, game.begin(Setup(game.name, 1)), Layout({"row.1": Spot(("crate-3",))}))
    assert found.explanations == ((Named(Seat(0), "crate-3"), Laid(Seat(0))),)
